package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** A foreign config map that a cluster refers to. */
@ExtendWith(ApiServer.class)
class ReferencedConfigMapsIT {
  private static final String EXTERNAL =
      """
      apiVersion: hbase.offheap.io/v1alpha1
      kind: HBaseCluster
      metadata: {name: NAME, namespace: NAMESPACE}
      spec:
        zookeeper: {external: {quorum: "zk:2181"}}
        storage: {external: {rootDir: "hdfs://ns/hb", configMapRefs: [{name: hdfs-client}]}}
        regionServers:
          replicas: 1
          memory: {heap: 1Gi, offHeap: 512Mi}
      """;

  private ApiServer.Running server;
  private WatchedNamespace hb;

  @BeforeEach
  void start(ApiServer.Running running, TestInfo test) throws Exception {
    server = running;
    hb = WatchedNamespace.start(server, test);
  }

  @AfterEach
  void stop() {
    hb.close();
  }

  private ConfigMap configMap() {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName("hdfs-client")
        .withNamespace(hb.name())
        // With Helm's label.
        .addToLabels("app.kubernetes.io/managed-by", "Helm")
        .endMetadata()
        .addToData("core-site.xml", "<configuration/>")
        .build();
  }

  private void awaitPlanned(String start) {
    await("Planned " + start)
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(hb.condition("hb", "Planned"))
                    .hasValueSatisfying(it -> assertThat(it).startsWith(start)));
  }

  @Test
  void isObservedWhenCreatedAndDeleted() {
    hb.create("hb", EXTERNAL);
    awaitPlanned("False ConfigurationMissing");

    var map = hb.client().resource(configMap()).create();
    awaitPlanned("True");

    hb.client().resource(map).delete();
    awaitPlanned("False ConfigurationMissing");
    assertThat(server.auditLog().gets("configmaps", hb.name()))
        .filteredOn(it -> !it.verb().equals("get"))
        .as("a list of the clusters' own maps, and one of all maps")
        .allSatisfy(it -> assertThat(it.verb()).isEqualTo("list"))
        .hasSizeLessThanOrEqualTo(2);
  }
}
