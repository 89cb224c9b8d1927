package io.offheap.hbase.operator.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The fields with the addresses of a cluster's data and servers are immutable: a real API server
 * refuses an edit, with the field, both values and the alternative.
 */
@ExtendWith(ApiServer.class)
class IdentityIT {
  private static final String EXTERNAL =
      """
      apiVersion: hbase.offheap.io/v1alpha1
      kind: HBaseCluster
      metadata: {name: NAME, namespace: NAMESPACE}
      spec:
        zookeeper: {external: {quorum: "zk-0:2181,zk-1:2181", znodeParent: /hbase}}
        storage: {external: {rootDir: "hdfs://ns/hbase"}}
        regionServers:
          memory: {heap: 1Gi, offHeap: 512Mi}
      """;

  private static final String MANAGED =
      Clusters.SMALLEST.replace("storage: {managed: {}}", "storage: {managed: {dataNodes: 3}}");

  private static final String NAMESPACE = "identity";

  private static KubernetesClient client;

  @BeforeAll
  static void start(ApiServer.Running server) {
    client = server.client();
    server.createNamespace(NAMESPACE);
  }

  @AfterEach
  void delete() {
    client.resources(HBaseCluster.class).inNamespace(NAMESPACE).withName("hb").delete();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"storage":{"external":{"rootDir":"hdfs://ns/other"}}}          | spec.storage.external.rootDir is hdfs://ns/other; must be hdfs://ns/hbase
          {"zookeeper":{"external":{"quorum":"zk-0:2181"}}}               | spec.zookeeper.external.quorum is zk-0:2181; must be zk-0:2181,zk-1:2181
          {"zookeeper":{"external":{"znodeParent":"/other"}}}             | spec.zookeeper.external.znodeParent is /other; must be /hbase
          {"zookeeper":{"external":{"znodeParent":null}},"storage":{"external":{"rootDir":"hdfs://ns/x"}}} | spec.storage.external.rootDir is hdfs://ns/x
          """)
  void addressOfExternalClusterIsImmutable(String spec, String words) {
    create(EXTERNAL);
    var before = spec();

    assertThatThrownBy(() -> patch(spec))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining(words)
        .hasMessageContaining("make a new HBaseCluster");
    assertThat(spec()).isEqualTo(before);
  }

  @Test
  void dataNodesCannotBeRemoved() {
    create(MANAGED);

    assertThatThrownBy(() -> patch("{\"storage\":{\"managed\":{\"dataNodes\":2}}}"))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("spec.storage.managed.dataNodes cannot become fewer");
    // The default is one.
    assertThatThrownBy(() -> patch("{\"storage\":{\"managed\":{\"dataNodes\":null}}}"))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("spec.storage.managed.dataNodes cannot become fewer");
    patch("{\"storage\":{\"managed\":{\"dataNodes\":4}}}");
    assertThat(spec().storage().managed().dataNodes()).isEqualTo(4);
  }

  private static void create(String yaml) {
    client.resource(Clusters.parse(yaml, NAMESPACE, "hb")).create();
  }

  private static HBaseClusterSpec spec() {
    return Clusters.get(client, NAMESPACE, "hb").getSpec();
  }

  private static void patch(String spec) {
    client
        .resources(HBaseCluster.class)
        .inNamespace(NAMESPACE)
        .withName("hb")
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":" + spec + "}");
  }
}
