package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.offheap.hbase.operator.hbase.HostileServer;
import io.offheap.hbase.operator.hbase.HostileServer.Http;
import io.offheap.hbase.operator.hbase.HostileServer.Rpc;
import io.offheap.hbase.operator.render.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Two operators with the chart's memory and ten clusters each, which they poll over the network.
 * One of them has four hostile clusters as well. Measures how long the rollouts of the ten take, in
 * both at the same time: whatever else the machine does, it does to both.
 */
@ExtendWith(ApiServer.class)
@Isolated("it measures how long rollouts take")
@Tag("verify")
class HostileServerIT {
  /** What a server does over RPC that keeps the client from its neighbours of the same cluster. */
  private static final List<Rpc> ALONE =
      List.of(Rpc.OTHER_HOSTS, Rpc.MALFORMED, Rpc.MILLION_REGIONS);

  private static final String ATTACKED = "hostile-servers";
  private static final String CALM = "no-hostile-servers";

  /** The second number of the servers' addresses. */
  private static final int HOSTILE = 66;

  private static final int ALONE_HOSTILE = 67;
  private static final int OF_ATTACKED = 68;
  private static final int OF_CALM = 69;

  @TempDir private Path folder;

  private final List<HostileServer> servers = new ArrayList<>();
  private final Map<String, String> reported = new HashMap<>();
  private KubernetesClient client;
  private TenClusters attacked;
  private TenClusters calm;

  @BeforeEach
  void start(ApiServer.Running server) throws IOException {
    client = server.client();
    attacked =
        TenClusters.start(
            server, ATTACKED, OF_ATTACKED, folder.resolve("attacked"), hostileHosts());
    calm = TenClusters.start(server, CALM, OF_CALM, folder.resolve("calm"), List.of());
    attacked.awaitGood();
    calm.awaitGood();
  }

  @AfterEach
  void stop() throws IOException {
    servers.forEach(HostileServer::close);
    if (attacked != null) {
      attacked.close();
    }
    if (calm != null) {
      calm.close();
    }
  }

  /** Each of its servers has an address of its own, as pods do, and the ports of a pod. */
  private static List<String> hostileHosts() throws IOException {
    var lines = new ArrayList<String>();
    for (int i = 0; i < Http.values().length; i++) {
      lines.add(line(HOSTILE, i, HostileOperator.HOSTILE, i));
    }
    for (int i = 0; i < ALONE.size(); i++) {
      lines.add(line(ALONE_HOSTILE, i, alone(i), 0));
    }
    return lines;
  }

  private static String line(int network, int number, String cluster, int ordinal)
      throws IOException {
    return TenClusters.address(network, number).getHostAddress()
        + " "
        + TenClusters.host(ATTACKED, cluster, ordinal);
  }

  private static String alone(int number) {
    return HostileOperator.HOSTILE + "-" + number;
  }

  @Test
  void hostileClusterDelaysNoOtherRolloutAndReportsFault() throws Exception {
    rollOut();
    startHostile();
    awaitReported();
    var took = rollOut();

    System.out.printf(
        "Rollouts of %d clusters each at the same time, without and with hostile ones, in ms: %s"
            + " %s; peak of the operator's memory: %d MiB%n",
        TenClusters.CLUSTERS, took.calm, took.attacked, attacked.operator().peakBytes() >> 20);
    assertThat(attacked.operator().isAlive())
        .as("the operator, %s", attacked.operator().log())
        .isTrue();
    assertNotSlower("median", median(took.attacked), median(took.calm));
    assertNotSlower("slowest", slowest(took.attacked), slowest(took.calm));
    assertThat(attacked.operator().peakBytes()).isLessThan(Chart.memoryLimitBytes());
    assertThat(attacked.operator().log()).doesNotContain("OutOfMemoryError");
  }

  private static void assertNotSlower(String which, long attacked, long calm) {
    assertThat(attacked).as("%s rollout, in ms", which).isLessThan(calm * 5 / 4 + 500);
  }

  /** Over HTTP each server has its own fault; over RPC the servers that are requested first. */
  private void startHostile() throws IOException {
    var rpc =
        List.of(
            Rpc.CELLS_OF_TWO_GIGABYTES,
            Rpc.LARGE_PROTOBUF,
            Rpc.ONE_BYTE_A_SECOND,
            Rpc.ENDLESS,
            Rpc.LARGE_FRAME);
    var http = List.of(Http.values());
    for (int i = 0; i < http.size(); i++) {
      var address = hostile(HostileOperator.HOSTILE, i, HOSTILE, i);
      servers.add(HostileServer.start(address, Ports.REGIONSERVER_HTTP, http.get(i)));
      servers.add(
          HostileServer.start(
              address, Ports.REGIONSERVER_RPC, i < rpc.size() ? rpc.get(i) : Rpc.SILENT));
    }
    attacked.create(HostileOperator.HOSTILE, Http.values().length);
    for (int i = 0; i < ALONE.size(); i++) {
      var address = hostile(alone(i), 0, ALONE_HOSTILE, i);
      servers.add(HostileServer.start(address, Ports.REGIONSERVER_RPC, ALONE.get(i)));
      attacked.create(alone(i), 1);
    }
  }

  private static InetAddress hostile(String cluster, int ordinal, int network, int number)
      throws IOException {
    return TenClusters.named(ATTACKED, cluster, ordinal, TenClusters.address(network, number));
  }

  /** The message about a server changes with its next fault; each fault must be reported once. */
  private void awaitReported() {
    var expected =
        List.of(
            "sent a response of over ",
            "an incomplete response, in 3 s",
            "sent no valid JSON within the limits",
            "sent the encoding gzip",
            ":16020 sent ",
            "servers name the host rs-0.others.svc",
            "sent a malformed ",
            "sent a GetClusterStatusResponse that takes over ");
    await("each fault")
        .atMost(LONG)
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(
            () -> {
              Stream.concat(
                      Stream.of(HostileOperator.HOSTILE),
                      IntStream.range(0, ALONE.size()).mapToObj(HostileServerIT::alone))
                  .flatMap(
                      it ->
                          Clusters.condition(Clusters.get(client, ATTACKED, it), "ResponsesRefused")
                              .stream())
                  .flatMap(String::lines)
                  .forEach(it -> reported.putIfAbsent(it.replaceAll("[0-9]+", "n"), it));
              assertThat(reported.values())
                  .satisfies(
                      lines ->
                          expected.forEach(
                              text -> assertThat(lines).anyMatch(it -> it.contains(text))));
            });
    System.out.println(String.join("\n", reported.values()));
  }

  /** Milliseconds that each rollout takes, in order. */
  private record Took(List<Long> calm, List<Long> attacked) {}

  /** Restarts all servers of the ten of both operators at once. */
  private Took rollOut() {
    var since = Instant.now();
    var began = System.nanoTime();
    calm.restart(since);
    attacked.restart(since);
    var ofCalm = new HashMap<String, Long>();
    var ofAttacked = new HashMap<String, Long>();
    await("all have rolled out")
        .atMost(LONG)
        .pollInterval(Duration.ofMillis(50))
        .until(
            () -> {
              note(calm.rolledOut(since), began, ofCalm);
              note(attacked.rolledOut(since), began, ofAttacked);
              return ofCalm.size() == TenClusters.CLUSTERS
                  && ofAttacked.size() == TenClusters.CLUSTERS;
            });
    return new Took(sorted(ofCalm), sorted(ofAttacked));
  }

  private static void note(List<String> rolledOut, long began, Map<String, Long> millis) {
    var now = (System.nanoTime() - began) / 1_000_000;
    rolledOut.forEach(it -> millis.putIfAbsent(it, now));
  }

  private static List<Long> sorted(Map<String, Long> millis) {
    return millis.values().stream().sorted().toList();
  }

  private static long median(List<Long> sorted) {
    return sorted.get(sorted.size() / 2);
  }

  private static long slowest(List<Long> sorted) {
    return sorted.get(sorted.size() - 1);
  }
}
