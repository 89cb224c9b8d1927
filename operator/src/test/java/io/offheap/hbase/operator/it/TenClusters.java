package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.hbase.HostileServer;
import io.offheap.hbase.operator.hbase.HostileServer.Rpc;
import io.offheap.hbase.operator.render.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * An operator with the chart's memory and ten clusters, in a namespace of its own. The operator
 * polls them over the network: each has a server that responds as an HBase at rest.
 */
final class TenClusters implements AutoCloseable {
  static final int CLUSTERS = 10;

  private static final int REPLICAS = 2;

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

  private final List<HostileServer> servers = new ArrayList<>();
  private final KubernetesClient client;
  private final String namespace;
  private final StatefulSetSimulator simulator;
  private final OperatorChild operator;

  private TenClusters(
      KubernetesClient client,
      String namespace,
      StatefulSetSimulator simulator,
      OperatorChild operator) {
    this.client = client;
    this.namespace = namespace;
    this.simulator = simulator;
    this.operator = operator;
  }

  /**
   * Starts them.
   *
   * @param network the second number of their servers' addresses
   * @param hosts where the names of hosts are kept
   * @param more further lines of it
   */
  static TenClusters start(
      ApiServer.Running server, String namespace, int network, Path hosts, List<String> more)
      throws IOException {
    server.createNamespace(namespace);
    Files.write(hosts, hosts(namespace, network, more));
    var operator =
        OperatorChild.start(
            server,
            ApiServer.OPERATOR,
            Map.of("WATCH_NAMESPACES", namespace),
            HostileOperator.class,
            Stream.concat(
                    Chart.jvmOptions().stream(),
                    Stream.of(
                        // The memory of a container of this size.
                        "-XX:MaxRAM=" + Chart.memoryLimitBytes(), "-Djdk.net.hosts.file=" + hosts))
                .toList());
    var simulator = new StatefulSetSimulator(server.client(), namespace);
    var started = new TenClusters(server.client(), namespace, simulator, operator);
    for (int i = 0; i < CLUSTERS; i++) {
      var address = named(namespace, cluster(i), 0, address(network, i));
      started.servers.add(HostileServer.start(address, Ports.REGIONSERVER_RPC, Rpc.HONEST));
    }
    names().forEach(it -> started.create(it, REPLICAS));
    return started;
  }

  /** Waits until each has a last good plan. */
  void awaitGood() {
    names().forEach(it -> Clusters.awaitReady(client, namespace, it));
    await("last good plans")
        .atMost(LONG)
        .until(() -> names().allMatch(it -> status(it).lastGood() != null));
  }

  private static List<String> hosts(String namespace, int network, List<String> more)
      throws IOException {
    var lines = new ArrayList<>(List.of("127.0.0.1 localhost"));
    lines.add("127.0.0.1 " + InetAddress.getLocalHost().getHostName());
    for (int i = 0; i < CLUSTERS; i++) {
      for (int ordinal = 0; ordinal < REPLICAS; ordinal++) {
        lines.add(
            address(network, i).getHostAddress() + " " + host(namespace, cluster(i), ordinal));
      }
    }
    lines.addAll(more);
    return lines;
  }

  /** The name of a region server's host. */
  static String host(String namespace, String cluster, int ordinal) {
    var service = cluster + "-regionserver";
    return service + "-" + ordinal + "." + service + "." + namespace + ".svc";
  }

  /** An address of this machine. */
  static InetAddress address(int network, int number) throws IOException {
    return InetAddress.getByAddress(new byte[] {127, (byte) network, 0, (byte) (number + 1)});
  }

  /** An address with the name of a region server's host. */
  static InetAddress named(String namespace, String cluster, int ordinal, InetAddress address)
      throws IOException {
    return InetAddress.getByAddress(host(namespace, cluster, ordinal), address.getAddress());
  }

  private static String cluster(int number) {
    return "other-" + number;
  }

  private static Stream<String> names() {
    return IntStream.range(0, CLUSTERS).mapToObj(TenClusters::cluster);
  }

  /** Creates one more cluster in their namespace. */
  void create(String cluster, int replicas) {
    var yaml = RESOURCE.replace("REPLICAS", Integer.toString(replicas));
    client.resource(Clusters.parse(yaml, namespace, cluster)).create();
  }

  OperatorChild operator() {
    return operator;
  }

  private HBaseClusterStatus status(String cluster) {
    return Optional.ofNullable(Clusters.get(client, namespace, cluster).getStatus())
        .orElseGet(HBaseClusterStatus::empty);
  }

  /** Begins a restart of all servers of the ten. */
  void restart(Instant since) {
    names().forEach(it -> restart(it, since));
  }

  private void restart(String cluster, Instant now) {
    Clusters.annotate(client, namespace, cluster, "hbase.offheap.io/restartedAt", now.toString());
  }

  /** Those of the ten whose servers have all been restarted, by a rollout since a time. */
  List<String> rolledOut(Instant since) {
    return names().filter(it -> hasRolledOut(it, since)).toList();
  }

  private boolean hasRolledOut(String cluster, Instant since) {
    var last = status(cluster).lastRollout();
    return last != null
        && Instant.parse(last.started()).isAfter(since)
        && last.servers().size() == REPLICAS;
  }

  @Override
  public void close() throws IOException {
    servers.forEach(HostileServer::close);
    operator.close();
    simulator.close();
  }
}
