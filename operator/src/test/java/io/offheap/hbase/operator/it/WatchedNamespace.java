package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.TestInfo;

/** A namespace with simulated pods and an operator that watches only this namespace. */
final class WatchedNamespace implements AutoCloseable {
  private final ApiServer.Running server;
  private final String name;
  private final StatefulSetSimulator simulator;
  private OperatorUnderTest operator;

  private WatchedNamespace(ApiServer.Running server, String name) throws IOException {
    this.server = server;
    this.name = name;
    simulator = new StatefulSetSimulator(server.client(), name);
    operator = OperatorUnderTest.start(server, name);
  }

  static WatchedNamespace start(ApiServer.Running server, TestInfo test) throws IOException {
    return new WatchedNamespace(server, server.createNamespace(test));
  }

  /** A namespace that all tests of a class share. */
  static WatchedNamespace start(ApiServer.Running server, String name) throws IOException {
    server.createNamespace(name);
    return new WatchedNamespace(server, name);
  }

  String name() {
    return name;
  }

  StatefulSetSimulator simulator() {
    return simulator;
  }

  OperatorUnderTest operator() {
    return operator;
  }

  /** Stops the operator; one that is started later has no memory of it. */
  void stopOperator() {
    operator.close();
  }

  void startOperator() throws IOException {
    operator = OperatorUnderTest.start(server, name);
  }

  /** Creates a cluster. */
  void create(String cluster, String yaml) {
    Clusters.create(client(), name, cluster, yaml);
  }

  /** Creates a cluster and waits until it is ready, and the operator has written all of it. */
  void createReady(String cluster, String yaml) {
    create(cluster, yaml);
    awaitWritten(cluster);
  }

  /**
   * Waits until a cluster is ready, and until the operator has kept that its servers serve as
   * declared. That is its last write; before it, a slow machine is quiet for seconds too.
   */
  void awaitWritten(String cluster) {
    awaitReady(cluster);
    await("proven configuration of " + cluster)
        .pollDelay(Duration.ZERO)
        .atMost(LONG)
        .until(() -> Clusters.remembered(client(), name, cluster).contains("\"proven\""));
  }

  /** Declares another spec for a cluster. */
  void declare(String cluster, String yaml) {
    Clusters.declare(client(), name, cluster, yaml);
  }

  void annotate(String cluster, String key, String value) {
    Clusters.annotate(client(), name, cluster, key, value);
  }

  HBaseCluster get(String cluster) {
    return Clusters.get(client(), name, cluster);
  }

  Optional<String> condition(String cluster, String type) {
    return Clusters.condition(get(cluster), type);
  }

  void awaitReady(String cluster) {
    Clusters.awaitReady(client(), name, cluster);
  }

  /** Waits until the operator has nothing more to write. */
  void awaitQuiet() {
    server.auditLog().awaitQuiet(name);
  }

  /** The operator's writes. */
  List<AuditLog.Request> writes() {
    return server.auditLog().writesIn(name);
  }

  /** The operator's own config map of the pods of a StatefulSet, which comes first. */
  String configMapOf(String statefulSet) {
    return Clusters.configMapsOf(client(), name, statefulSet).get(0);
  }

  KubernetesClient client() {
    return server.client();
  }

  @Override
  public void close() {
    operator.close();
    simulator.close();
  }
}
