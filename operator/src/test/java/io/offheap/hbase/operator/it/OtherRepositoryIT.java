package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which image the managed ZooKeeper and HDFS have while HBase gets another repository. */
@ExtendWith(ApiServer.class)
@Tag("verify")
class OtherRepositoryIT {
  /** HBase is silent, so its rollout is held, and no canary has tested the repository. */
  @Test
  void anotherRepositoryReachesHBaseFirst(ApiServer.Running server, TestInfo test)
      throws Exception {
    var declared = PodImages.declaring("image: {tag: new}", "image: {tag: new}");
    try (var hb = WatchedNamespace.start(server, test)) {
      var images = new PodImages(server.client(), hb.name());
      hb.createReady("hb", Clusters.SMALLEST);
      hb.awaitQuiet();
      hb.declare("hb", declared);
      await("renewed")
          .atMost(LONG)
          .untilAsserted(
              () ->
                  assertThat(images.ofPods().values())
                      .filteredOn(it -> it.endsWith(":new"))
                      .hasSize(3));
      hb.awaitReady("hb");
      hb.awaitQuiet();
      var uids = new TreeMap<>(images.uids());
      uids.keySet().removeIf(PodImages::isHBase);
      var templates = images.ofTemplates();

      hb.declare(
          "hb", declared.replace("spec:", "spec:\n  image: {repository: wrong/hbase, tag: new}"));

      await("HBase's templates")
          .atMost(LONG)
          .untilAsserted(
              () -> assertThat(images.ofTemplates().get("master")).isEqualTo("wrong/hbase:new"));
      hb.awaitQuiet();
      assertThat(PodImages.withoutHBase(images.ofTemplates()))
          .isEqualTo(PodImages.withoutHBase(templates));
      assertThat(images.uids()).containsAllEntriesOf(uids);
    }
  }

  @Test
  void repositoryFollowsOnceHBaseServesWithIt(ApiServer.Running server, TestInfo test)
      throws Exception {
    var namespace = server.createNamespace(test);
    var images = new PodImages(server.client(), namespace);
    var yaml =
        RolledServers.RESOURCE
            .replace("zookeeper: {managed: {}}", "zookeeper: {managed: {image: {tag: '2'}}}")
            .replace("storage: {managed: {}}", "storage: {managed: {image: {tag: '2'}}}");
    try (var hb = ServingCluster.start(server, namespace, yaml)) {
      hb.declare(yaml.replace("spec:", "spec:\n  image: {repository: mirror/hbase, tag: '2'}"));

      await("all of the repository")
          .atMost(LONG)
          .until(
              () -> {
                var now = images.ofPods();
                if (PodImages.withoutHBase(now).containsValue("mirror/hbase:2")) {
                  assertThat(now).containsEntry("master", "mirror/hbase:2");
                  assertThat(now).containsEntry("regionserver", "mirror/hbase:2");
                }
                return now.values().stream().allMatch("mirror/hbase:2"::equals);
              });
      hb.awaitReady();
      assertThat(hb.hbase().lost()).isEmpty();
    }
  }
}
