package io.offheap.hbase.operator.hbase;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** HBase's client and what is around it, against servers that mean harm. */
@ResourceLock(value = HBaseJvm.CLIENT_THREADS, mode = ResourceAccessMode.READ)
class HostileRpcTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ENDLESS | sent answers to what it was not asked",
        "LARGE_FRAME | sent an answer of 2147483647 bytes; at most 16777216 are taken",
        "ONE_BYTE_A_SECOND | of the 8000000 bytes of an answer in 4 s; an answer must be whole",
        "CELLS_OF_TWO_GIGABYTES | sent an answer with 2147483647 bytes of cells",
        "MALFORMED | sent what is no Get",
        "LARGE_PROTOBUF | sent a GetClusterStatusResponse without what it must have",
        "OTHER_HOSTS | servers name the host rs-0.others.svc; only hosts of the cluster's own",
      })
  void whatIsWrongIsTold(HostileServer.Rpc way, String problem) {
    try (var server = HostileServer.start(InetAddress.getLoopbackAddress(), 0, way);
        var clusters = new ControlledClusters(1, Duration.ofSeconds(1))) {
      var id = clusters.add("hostile", List.of("localhost:" + server.port()));
      // It is asked each second.
      clusters.roll(id, Set.of("rs-0"));

      await("the problem")
          .atMost(LONG)
          .untilAsserted(
              () ->
                  assertThat(clusters.control().problems(id))
                      .anySatisfy(it -> assertThat(it).contains(problem)));
      assertThat(clusters.woken(id)).as("passes that tell of it").isPositive();
      assertThat(clusters.view(id)).isEmpty();
    }
  }
}
