package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** Another image of the managed ZooKeeper and HDFS. */
@ExtendWith(ApiServer.class)
class InfrastructureImagesIT {
  private static final String RENEWED =
      Clusters.SMALLEST
          .replace("zookeeper: {managed: {}}", "zookeeper: {managed: {image: {tag: new}}}")
          .replace("storage: {managed: {}}", "storage: {managed: {image: {tag: newer}}}");

  private WatchedNamespace hb;

  @BeforeEach
  void start(ApiServer.Running server, TestInfo test) throws Exception {
    hb = WatchedNamespace.start(server, test);
  }

  @AfterEach
  void stop() {
    hb.close();
  }

  @Test
  void restartsPodsOfZooKeeperAndHdfsAlone() {
    hb.createReady("hb", Clusters.SMALLEST);
    hb.awaitQuiet();
    var before = images();
    var servers = uids();

    hb.declare("hb", RENEWED);

    await("renewed")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(images())
                    .containsEntry("zookeeper", ":new")
                    .containsEntry("namenode", ":newer")
                    .containsEntry("datanode", ":newer"));
    hb.awaitReady("hb");
    hb.awaitQuiet();
    assertThat(uids()).isEqualTo(servers);
    assertThat(images().get("regionserver")).isEqualTo(before.get("regionserver"));

    // Left out again, nothing restarts.
    var all = pods().stream().map(it -> it.getMetadata().getUid()).toList();
    hb.declare("hb", Clusters.SMALLEST);
    await("planned")
        .atMost(LONG)
        .until(
            () ->
                hb.get("hb")
                    .getMetadata()
                    .getGeneration()
                    .equals(hb.get("hb").getStatus().observedGeneration()));
    hb.awaitQuiet();
    assertThat(pods().stream().map(it -> it.getMetadata().getUid()).toList()).isEqualTo(all);
  }

  @Test
  void refusesImageWithoutTagAndDigest() {
    assertThatThrownBy(
            () ->
                hb.create("hb", RENEWED.replace("{tag: new}", "{}").replace("{tag: newer}", "{}")))
        .hasMessageContaining("image must have a tag or a digest");
  }

  private List<Pod> pods() {
    return hb.client().pods().inNamespace(hb.name()).list().getItems();
  }

  private List<String> uids() {
    return pods().stream()
        .filter(it -> component(it).equals("regionserver"))
        .map(it -> it.getMetadata().getUid())
        .toList();
  }

  /** The tag of the pods of each role. */
  private Map<String, String> images() {
    return pods().stream()
        .collect(
            Collectors.toMap(
                InfrastructureImagesIT::component,
                it -> it.getSpec().getContainers().get(0).getImage().replaceFirst("^[^:]*", ""),
                (first, second) -> first.equals(second) ? first : first + second));
  }

  private static String component(Pod pod) {
    return pod.getMetadata().getLabels().get("app.kubernetes.io/component");
  }
}
