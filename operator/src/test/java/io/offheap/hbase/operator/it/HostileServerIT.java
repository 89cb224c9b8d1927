package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.hbase.HostileServer;
import io.offheap.hbase.operator.hbase.HostileServer.Http;
import io.offheap.hbase.operator.hbase.HostileServer.Rpc;
import io.offheap.hbase.operator.render.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Ten clusters and four with hostile servers, in an operator with the chart's memory that polls all
 * of them over the network: measures how long the rollouts of the ten take, before and during the
 * attack.
 */
@ExtendWith(ApiServer.class)
@Isolated("it measures how long rollouts take")
class HostileServerIT {
  private static final int OTHERS = 10;

  /** What a server does over RPC that keeps the client from its neighbours of the same cluster. */
  private static final List<Rpc> ALONE =
      List.of(Rpc.OTHER_HOSTS, Rpc.MALFORMED, Rpc.MILLION_REGIONS);

  /** The second number of the servers' addresses. */
  private static final int HOSTILE = 66;

  private static final int ALONE_HOSTILE = 67;
  private static final int HONEST = 68;

  private static final String RESOURCE =
      """
      apiVersion: hbase.offheap.io/v1alpha1
      kind: HBaseCluster
      metadata: {name: NAME, namespace: NAMESPACE}
      spec:
        zookeeper: {external: {quorum: "NAME-zk:2181"}}
        storage: {external: {rootDir: "hdfs://ns/NAME"}}
        rollout: {canary: {window: 1s}}
        regionServers:
          replicas: REPLICAS
          memory: {heap: 1Gi, offHeap: 512Mi}
      """;

  @TempDir private Path folder;

  private final List<HostileServer> servers = new ArrayList<>();
  private final Map<String, String> reported = new HashMap<>();
  private KubernetesClient client;
  private String namespace;
  private StatefulSetSimulator simulator;
  private OperatorChild operator;

  @BeforeEach
  void start(ApiServer.Running server, TestInfo test) throws IOException {
    client = server.client();
    namespace = server.createNamespace(test);
    simulator = new StatefulSetSimulator(client, namespace);
    operator =
        OperatorChild.start(
            server,
            ApiServer.OPERATOR,
            Map.of("WATCH_NAMESPACES", namespace),
            HostileOperator.class,
            Stream.concat(
                    Chart.jvmOptions().stream(),
                    Stream.of(
                        // The memory of a container of this size.
                        "-XX:MaxRAM=" + Chart.memoryLimitBytes(),
                        "-Djdk.net.hosts.file=" + hosts()))
                .toList());
    for (int i = 0; i < OTHERS; i++) {
      servers.add(
          HostileServer.start(
              named("other-" + i, 0, address(HONEST, i)), Ports.REGIONSERVER_RPC, Rpc.HONEST));
    }
    others().forEach(it -> create(it, 2));
    others().forEach(it -> Clusters.awaitReady(client, namespace, it));
    await("last good plans")
        .atMost(LONG)
        .until(() -> others().allMatch(it -> status(it).lastGood() != null));
  }

  @AfterEach
  void stop() throws IOException {
    servers.forEach(HostileServer::close);
    operator.close();
    simulator.close();
  }

  /** Each of its servers has an address of its own, as pods do, and the ports of a pod. */
  private Path hosts() throws IOException {
    var lines = new ArrayList<>(List.of("127.0.0.1 localhost"));
    lines.add("127.0.0.1 " + InetAddress.getLocalHost().getHostName());
    for (int i = 0; i < Http.values().length; i++) {
      lines.add(address(HOSTILE, i).getHostAddress() + " " + host(HostileOperator.HOSTILE, i));
    }
    for (int i = 0; i < ALONE.size(); i++) {
      lines.add(address(ALONE_HOSTILE, i).getHostAddress() + " " + host(alone(i), 0));
    }
    for (int i = 0; i < OTHERS; i++) {
      for (int ordinal = 0; ordinal < 2; ordinal++) {
        lines.add(address(HONEST, i).getHostAddress() + " " + host("other-" + i, ordinal));
      }
    }
    return Files.write(folder.resolve("hosts"), lines);
  }

  private String host(String cluster, int ordinal) {
    var service = cluster + "-regionserver";
    return service + "-" + ordinal + "." + service + "." + namespace + ".svc";
  }

  private static InetAddress address(int network, int number) throws IOException {
    return InetAddress.getByAddress(new byte[] {127, (byte) network, 0, (byte) (number + 1)});
  }

  private static String alone(int number) {
    return HostileOperator.HOSTILE + "-" + number;
  }

  private InetAddress named(String cluster, int ordinal, InetAddress address) throws IOException {
    return InetAddress.getByAddress(host(cluster, ordinal), address.getAddress());
  }

  private void create(String cluster, int replicas) {
    var yaml = RESOURCE.replace("REPLICAS", Integer.toString(replicas));
    client.resource(Clusters.parse(yaml, namespace, cluster)).create();
  }

  private static Stream<String> others() {
    return IntStream.range(0, OTHERS).mapToObj(it -> "other-" + it);
  }

  private HBaseClusterStatus status(String cluster) {
    return Optional.ofNullable(Clusters.get(client, namespace, cluster).getStatus())
        .orElseGet(HBaseClusterStatus::empty);
  }

  @Test
  void hostileClusterDelaysNoOtherRolloutAndReportsFault() throws Exception {
    rollOut();
    var before = rollOut();
    startHostile();
    awaitReported();
    var meanwhile = rollOut();

    System.out.printf(
        "Rollouts of %d clusters without and with a hostile one, in ms: %s %s; peak of the"
            + " operator's memory: %d MiB%n",
        OTHERS, before, meanwhile, operator.peakBytes() >> 20);
    assertThat(median(meanwhile)).isLessThan(median(before) * 5 / 4 + 500);
    assertThat(operator.isAlive()).as("the operator, %s", operator.log()).isTrue();
    assertThat(operator.peakBytes()).isLessThan(Chart.memoryLimitBytes());
    assertThat(operator.log()).doesNotContain("OutOfMemoryError");
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
      var address = named(HostileOperator.HOSTILE, i, address(HOSTILE, i));
      servers.add(HostileServer.start(address, Ports.REGIONSERVER_HTTP, http.get(i)));
      servers.add(
          HostileServer.start(
              address, Ports.REGIONSERVER_RPC, i < rpc.size() ? rpc.get(i) : Rpc.SILENT));
    }
    create(HostileOperator.HOSTILE, Http.values().length);
    for (int i = 0; i < ALONE.size(); i++) {
      var address = named(alone(i), 0, address(ALONE_HOSTILE, i));
      servers.add(HostileServer.start(address, Ports.REGIONSERVER_RPC, ALONE.get(i)));
      create(alone(i), 1);
    }
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
                          Clusters.condition(
                              Clusters.get(client, namespace, it), "ResponsesRefused")
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

  /** Restarts the servers of all others at once; milliseconds that each takes, in order. */
  private List<Long> rollOut() {
    var since = Instant.now();
    var began = System.nanoTime();
    others().forEach(it -> restart(it, since));
    var millis = new HashMap<String, Long>();
    await("all have rolled out")
        .atMost(LONG)
        .pollInterval(Duration.ofMillis(50))
        .until(
            () -> {
              others()
                  .filter(it -> !millis.containsKey(it) && hasRolledOut(it, since))
                  .forEach(it -> millis.put(it, (System.nanoTime() - began) / 1_000_000));
              return millis.size() == OTHERS;
            });
    return millis.values().stream().sorted().toList();
  }

  private void restart(String cluster, Instant now) {
    Clusters.change(
        client,
        namespace,
        cluster,
        (HBaseCluster it) ->
            it.getMetadata()
                .setAnnotations(Map.of("hbase.offheap.io/restartedAt", now.toString())));
  }

  private boolean hasRolledOut(String cluster, Instant since) {
    var last = status(cluster).lastRollout();
    return last != null
        && Instant.parse(last.started()).isAfter(since)
        && last.servers().size() == 2;
  }

  private static long median(List<Long> sorted) {
    return sorted.get(sorted.size() / 2);
  }
}
