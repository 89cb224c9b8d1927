package io.offheap.hbase.operator.hbase;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.offheap.hbase.operator.Slow;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** HBase's client and the operator's limits, against hostile servers. */
@ResourceLock(value = HBaseJvm.CLIENT_THREADS, mode = ResourceAccessMode.READ)
class HostileRpcTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ENDLESS | sent responses without a request",
        "LARGE_FRAME | sent a response of 2147483647 bytes; must be at most 16777216",
        "ONE_BYTE_A_SECOND | of the 8000000 bytes of a response in 4 s; a response must be complete",
        "CELLS_OF_TWO_GIGABYTES | sent a response with 2147483647 bytes of cells",
        "MALFORMED | sent a malformed Get",
        "LARGE_PROTOBUF | sent a GetClusterStatusResponse without a required field",
        "MILLION_REGIONS | sent a GetClusterStatusResponse that takes over ",
        "OTHER_HOSTS | servers name the host rs-0.others.svc; must be a host of the cluster's own",
      })
  @Slow
  void reportsFault(HostileServer.Rpc way, String problem) {
    try (var server = HostileServer.start(InetAddress.getLoopbackAddress(), 0, way);
        var clusters = new ControlledClusters(1, Duration.ofSeconds(1))) {
      var id = clusters.add("hostile", List.of("localhost:" + server.port()));
      // The view is polled each second.
      clusters.restart(id, Set.of("rs-0"));

      await("the problem")
          .atMost(LONG)
          .untilAsserted(
              () ->
                  assertThat(clusters.control().problems(id))
                      .anySatisfy(it -> assertThat(it).contains(problem)));
      // Triggered right after the problem is stored, on the thread that polls.
      await("a reconciliation that reports it")
          .atMost(LONG)
          .until(() -> clusters.reconciliations(id) > 0);
      assertThat(clusters.view(id)).isEmpty();
    }
  }
}
