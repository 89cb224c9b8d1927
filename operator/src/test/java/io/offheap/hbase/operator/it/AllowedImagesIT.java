package io.offheap.hbase.operator.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The chart's policy on images. It has its own API server: the policy is for all namespaces. */
class AllowedImagesIT {
  private static final String NAMESPACE = "allowed-images";
  private static final String REFUSED = "spec.image.repository is old/hbase; must be one of a/b, c";

  private static ApiServer.Running server;
  private static KubernetesClient client;

  /** Created before the policy, with an image that it does not list. */
  @BeforeAll
  static void installAfterAClusterRuns() throws IOException {
    server = ApiServer.startAnother();
    client = server.client();
    server.createNamespace(NAMESPACE);
    create("running", "{repository: old/hbase, tag: '1'}");
    create("untagged", "{repository: old/hbase}");
    patchStatus("running", status("old/hbase:1", "old/hbase", "1"));
    create("default", "{}");
    create("older", "{}");
    patchStatus("older", status("older/hbase:1", "older/hbase", "1"));
    var policy =
        Chart.render(
            server,
            ApiServer.OPERATOR,
            "--show-only",
            "templates/allowedimages.yaml",
            "--set-json",
            "allowedImages=[\"a/b\",\"c\"]");
    client.load(new ByteArrayInputStream(policy.getBytes(UTF_8))).serverSideApply();
    await("the policy is in force")
        .atMost(Duration.ofSeconds(60))
        .until(AllowedImagesIT::isInForce);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static boolean isInForce() {
    try {
      client.resource(cluster("probe", "{repository: old/hbase}")).dryRun().create();
      return false;
    } catch (KubernetesClientException e) {
      return true;
    }
  }

  private static HBaseCluster cluster(String name, String image) {
    return Clusters.parse(
        Clusters.SMALLEST.replace("spec:", "spec:\n  image: " + image), NAMESPACE, name);
  }

  private static void create(String name, String image) {
    client.resource(cluster(name, image)).create();
  }

  private static void patch(String name, String merge) {
    client
        .resources(HBaseCluster.class)
        .inNamespace(NAMESPACE)
        .withName(name)
        .patch(PatchContext.of(PatchType.JSON_MERGE), merge);
  }

  private static void patchStatus(String name, String merge) {
    client
        .resources(HBaseCluster.class)
        .inNamespace(NAMESPACE)
        .withName(name)
        .subresource("status")
        .patch(PatchContext.of(PatchType.JSON_MERGE), merge);
  }

  /** A status of the operator's form, with a last good spec. */
  private static String status(String image, String repository, String tag) {
    return """
    {"status": {"images": {"defaultImage": "%1$s", "infrastructure": "%1$s"},
     "appliedSpec": {"image": {"repository": "%2$s", "tag": "%3$s"}},
     "lastGood": {"spec": {"image": {"repository": "%2$s", "tag": "%3$s"}}}}}
    """
        .formatted(image, repository, tag);
  }

  /** The operator creates pods with images from status too, so the policy checks its writers. */
  @Test
  void refusesUnlistedImageInStatus() {
    for (var status :
        List.of(
            "{\"status\":{\"images\":{\"defaultImage\":\"evil/x:1\"}}}",
            "{\"status\":{\"images\":{\"infrastructure\":\"evil/x:1\"}}}",
            "{\"status\":{\"images\":{\"defaultImage\":\"c:5000/evil:1\"}}}",
            "{\"status\":{\"images\":{\"defaultImage\":\"a/b/evil:1\"}}}")) {
      assertThatThrownBy(() -> patchStatus("default", status))
          .as(status)
          .hasMessageContaining("status.images must be of the chart's allowedImages");
    }
    for (var status :
        List.of(
            "{\"status\":{\"appliedSpec\":{\"image\":{\"repository\":\"evil/x\"}}}}",
            "{\"status\":{\"lastGood\":{\"spec\":{\"image\":{\"repository\":\"evil/x\"}}}}}")) {
      assertThatThrownBy(() -> patchStatus("default", status))
          .as(status)
          .hasMessageContaining("status.appliedSpec and status.lastGood must be");
    }
    assertThatThrownBy(() -> patchStatus("running", status("old/hbase:2", "old/hbase", "2")))
        .hasMessageContaining("allowedImages or hbaseImage");
  }

  @Test
  void permitsImagesInStatusThatTheOperatorWrites() {
    assertThatCode(
            () -> {
              patchStatus("running", status("old/hbase:1", "old/hbase", "1"));
              patchStatus(
                  "untagged", "{\"status\":{\"images\":{\"infrastructure\":\"old/hbase:7\"}}}");
              patchStatus("default", status("hbase-offheap/hbase:0.1.0", "a/b", "1"));
              patchStatus("default", status("c@sha256:" + "0".repeat(64), "c", "1"));
              patchStatus("default", "{\"status\":{\"replicas\":3}}");
            })
        .doesNotThrowAnyException();
  }

  @Test
  void refusesUnlistedImage() {
    assertThatThrownBy(() -> create("new", "{repository: old/hbase}"))
        .hasMessageContaining(REFUSED);
    assertThatCode(() -> create("listed", "{repository: a/b}")).doesNotThrowAnyException();
    assertThatThrownBy(() -> patch("listed", image("old/hbase", null)))
        .hasMessageContaining(REFUSED);
    assertThatThrownBy(() -> patch("default", image("old/hbase", null)))
        .hasMessageContaining(REFUSED);
  }

  /** Annotations for a pause or a restart, and the removal of finalizers, must be possible. */
  @Test
  void permitsChangesThatKeepTheImage() {
    for (var name : List.of("running", "untagged")) {
      assertThatCode(
              () -> {
                patch(name, "{\"metadata\":{\"annotations\":{\"x/y\":\"z\"}}}");
                patch(name, "{\"metadata\":{\"finalizers\":[\"x.io/y\"]}}");
                patch(name, "{\"metadata\":{\"finalizers\":[]}}");
                patch(name, "{\"spec\":{\"image\":{\"pullPolicy\":\"Always\"}}}");
              })
          .doesNotThrowAnyException();
    }
  }

  @Test
  void refusesAnotherVersionOfUnlistedImage() {
    var digest = "sha256:" + "0".repeat(64);
    for (var name : List.of("running", "untagged")) {
      assertThatThrownBy(() -> patch(name, image("old/hbase", "2"))).hasMessageContaining(REFUSED);
      assertThatThrownBy(
              () -> patch(name, "{\"spec\":{\"image\":{\"digest\":\"" + digest + "\"}}}"))
          .hasMessageContaining(REFUSED);
    }
    assertThatThrownBy(() -> patch("running", "{\"spec\":{\"image\":{\"tag\":null}}}"))
        .hasMessageContaining(REFUSED);
    assertThatThrownBy(() -> patch("running", image("other/hbase", "1")))
        .hasMessageContaining("spec.image.repository is other/hbase");
  }

  /** Their repository is that of HBase, so only a tag or a digest is declared. */
  @Test
  void refusesAnotherImageOfUnlistedRepositoryForZooKeeperAndHdfs() {
    for (var image : List.of("{\"tag\":\"2\"}", "{\"digest\":\"sha256:" + "0".repeat(64) + "\"}")) {
      assertThatThrownBy(() -> patch("running", ofZooKeeper(image)))
          .hasMessageContaining("for another image of ZooKeeper or HDFS it must be one of a/b, c");
      assertThatThrownBy(() -> patch("running", ofHdfs(image)))
          .hasMessageContaining("for another image of ZooKeeper or HDFS it must be one of a/b, c");
    }
  }

  @Test
  void permitsStatusOfDeclaredImagesForZooKeeperAndHdfsAlone() {
    patch("older", ofZooKeeper("{\"tag\":\"2\"}"));
    patch("older", ofHdfs("{\"tag\":\"3\"}"));

    for (var image : List.of("older/hbase:4", "older/hbase/evil:2", "evil/hbase:2", "older:2")) {
      for (var field : List.of("zookeeper", "hdfs")) {
        assertThatThrownBy(() -> patchStatus("older", images(field, image)))
            .as(field + " " + image)
            .hasMessageContaining("status.images must be of the chart's allowedImages");
      }
    }
    assertThatCode(
            () -> {
              patchStatus("older", images("zookeeper", "older/hbase:2"));
              patchStatus("older", images("hdfs", "older/hbase:3"));
              patchStatus("older", images("hdfs", "hbase-offheap/hbase:4"));
            })
        .doesNotThrowAnyException();
  }

  private static String images(String field, String image) {
    return "{\"status\":{\"images\":{\"%s\":\"%s\"}}}".formatted(field, image);
  }

  private static String ofZooKeeper(String image) {
    return "{\"spec\":{\"zookeeper\":{\"managed\":{\"image\":%s}}}}".formatted(image);
  }

  private static String ofHdfs(String image) {
    return "{\"spec\":{\"storage\":{\"managed\":{\"image\":%s}}}}".formatted(image);
  }

  private static String image(String repository, String tag) {
    return "{\"spec\":{\"image\":{\"repository\":\"%s\"%s}}}"
        .formatted(repository, tag == null ? "" : ",\"tag\":\"" + tag + "\"");
  }
}
