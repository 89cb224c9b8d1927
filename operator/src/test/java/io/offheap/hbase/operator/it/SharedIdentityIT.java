package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two resources that declare one HBase. */
@ExtendWith(ApiServer.class)
class SharedIdentityIT {
  private static final String ONE = "shared-one";
  private static final String OTHER = "shared-other";

  private static final String EXTERNAL =
      """
      apiVersion: hbase.offheap.io/v1alpha1
      kind: HBaseCluster
      metadata: {name: NAME, namespace: NAMESPACE}
      spec:
        zookeeper: {external: {quorum: "QUORUM", znodeParent: /hbase}}
        storage: {external: {rootDir: "hdfs://ns/ROOT"}}
        regionServers:
          memory: {heap: 1Gi, offHeap: 512Mi}
      """;

  private static KubernetesClient client;
  private static OperatorUnderTest operator;

  @BeforeAll
  static void start(ApiServer.Running server) throws IOException {
    client = server.client();
    server.createNamespace(ONE);
    server.createNamespace(OTHER);
    operator = OperatorUnderTest.start(server, ONE, OTHER);
  }

  @AfterAll
  static void stop() {
    operator.close();
  }

  private static void create(String namespace, String name, String quorum, String root) {
    var yaml = EXTERNAL.replace("QUORUM", quorum).replace("ROOT", root);
    client.resource(Clusters.parse(yaml, namespace, name)).create();
  }

  private static void delete(String namespace, String name) {
    client.resources(HBaseCluster.class).inNamespace(namespace).withName(name).delete();
  }

  private static Optional<String> planned(String namespace, String name) {
    return Clusters.condition(Clusters.get(client, namespace, name), "Planned");
  }

  private static void awaitPlanned(String namespace, String name, String words) {
    await(name + " is " + words)
        .atMost(LONG)
        .until(() -> planned(namespace, name).filter(it -> it.contains(words)).isPresent());
  }

  /** Creation times are in whole seconds; within one, the uid decides which resource is older. */
  private static void awaitNextSecond(String namespace, String name) {
    var created = Clusters.get(client, namespace, name).getMetadata().getCreationTimestamp();
    await("the second after " + created)
        .atMost(LONG)
        .until(() -> Instant.now().isAfter(Instant.parse(created).plusSeconds(1)));
  }

  private static boolean isMade(String namespace, String name) {
    return client
            .apps()
            .statefulSets()
            .inNamespace(namespace)
            .withName(name + "-regionserver")
            .get()
        != null;
  }

  @Test
  void refusesLaterClusterUntilFirstIsDeleted() {
    create(ONE, "first", "zk-0.zk:2181,zk-1.zk:2181", "first");
    awaitPlanned(ONE, "first", "True");
    await("first is created").atMost(LONG).until(() -> isMade(ONE, "first"));

    awaitNextSecond(ONE, "first");
    create(ONE, "second", "zk-1.zk", "second");
    awaitPlanned(ONE, "second", "False SpecRefused: spec.zookeeper.external: ");
    assertThat(planned(ONE, "second").orElseThrow())
        .contains("zookeeper://zk-1.zk." + ONE + ".svc:2181/hbase")
        .contains("the HBaseCluster 'first', which is older");
    assertThat(isMade(ONE, "second")).isFalse();
    assertThat(planned(ONE, "first").orElseThrow()).startsWith("True");

    delete(ONE, "first");
    awaitPlanned(ONE, "second", "True");
    delete(ONE, "second");
  }

  @Test
  void clusterOfAnotherNamespaceIsNotNamed() {
    create(ONE, "secret", "zk.elsewhere:2181", "secret");
    awaitPlanned(ONE, "secret", "True");

    awaitNextSecond(ONE, "secret");
    create(OTHER, "later", "zk:2181", "secret");
    awaitPlanned(OTHER, "later", "False SpecRefused: spec.storage.external.rootDir: ");
    assertThat(planned(OTHER, "later").orElseThrow())
        .contains("an HBaseCluster of another namespace")
        .doesNotContain("'secret'", ONE);
    assertThat(isMade(OTHER, "later")).isFalse();
    delete(ONE, "secret");
    delete(OTHER, "later");
  }
}
