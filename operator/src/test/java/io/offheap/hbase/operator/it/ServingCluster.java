package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The cluster {@code hb} in a namespace of its own, with a {@link ModelHBase} in its simulated pods
 * and an operator that watches only this namespace.
 */
final class ServingCluster implements AutoCloseable {
  private static final String NAME = "hb";

  private final ApiServer.Running server;
  private final KubernetesClient client;
  private final String namespace;
  private final StatefulSetSimulator simulator;
  private final ModelHBases hbases;
  private OperatorUnderTest operator;

  private ServingCluster(ApiServer.Running server, String namespace) throws IOException {
    this.server = server;
    this.client = server.client();
    this.namespace = namespace;
    simulator = new StatefulSetSimulator(client, namespace);
    hbases = new ModelHBases(client);
    startOperator();
  }

  /**
   * Returns when the cluster serves and has a last good plan.
   *
   * @param namespace an empty namespace
   */
  static ServingCluster start(ApiServer.Running server, String namespace, String yaml)
      throws IOException {
    Clusters.create(server.client(), namespace, NAME, yaml);
    return startOver(server, namespace);
  }

  /** The same for an existing resource. */
  static ServingCluster startOver(ApiServer.Running server, String namespace) throws IOException {
    var cluster = new ServingCluster(server, namespace);
    cluster.awaitReady();
    await("last good").atMost(LONG).until(() -> cluster.status().lastGood() != null);
    // Before the model's next update, some servers or their regions are missing.
    await("HBase has all servers")
        .atMost(LONG)
        .until(() -> cluster.hbase().regionsByPod().keySet().equals(cluster.serverPods()));
    return cluster;
  }

  /** Starts a new operator for the cluster. */
  void startOperator() throws IOException {
    operator = OperatorUnderTest.start(server, hbases, namespace);
  }

  /** The same, with its writes cut off at a step. */
  void startOperator(CutAtSteps cut) throws IOException {
    operator = OperatorUnderTest.start(server, hbases, cut, namespace);
  }

  OperatorUnderTest operator() {
    return operator;
  }

  StatefulSetSimulator simulator() {
    return simulator;
  }

  ModelHBases hbases() {
    return hbases;
  }

  ModelHBase hbase() {
    return hbases.of(namespace, NAME);
  }

  HBaseCluster resource() {
    return Clusters.get(client, namespace, NAME);
  }

  HBaseClusterStatus status() {
    return resource().getStatus();
  }

  Optional<String> condition(String type) {
    return Clusters.condition(resource(), type);
  }

  void awaitReady() {
    Clusters.awaitReady(client, namespace, NAME);
  }

  /** Waits until the operator has nothing more to write. */
  void awaitQuiet() {
    server.auditLog().awaitQuiet(namespace);
  }

  /** Declares the spec of a resource. */
  void declare(String yaml) {
    Clusters.declare(client, namespace, NAME, yaml);
  }

  void annotate(String key, String value) {
    Clusters.annotate(client, namespace, NAME, key, value);
  }

  private Set<String> serverPods() {
    return pods().stream()
        .map(it -> it.getMetadata().getName())
        .filter(it -> it.startsWith(NAME + "-regionserver-"))
        .collect(Collectors.toSet());
  }

  List<Pod> pods() {
    return client.pods().inNamespace(namespace).list().getItems();
  }

  /** Uids of all pods, by their names. */
  Map<String, String> uids() {
    var uids = new TreeMap<String, String>();
    pods().forEach(it -> uids.put(it.getMetadata().getName(), it.getMetadata().getUid()));
    return uids;
  }

  List<Event> events() {
    return client.v1().events().inNamespace(namespace).list().getItems();
  }

  /** The operator's writes to the namespace. */
  List<AuditLog.Request> writes() {
    return server.auditLog().writesIn(namespace);
  }

  @Override
  public void close() {
    operator.close();
    hbases.close();
    simulator.close();
  }
}
