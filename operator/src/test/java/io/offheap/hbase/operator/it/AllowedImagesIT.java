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

/** The chart's policy on images, by an API server of its own: the policy is for all namespaces. */
class AllowedImagesIT {
  private static final String NAMESPACE = "allowed-images";
  private static final String REFUSED =
      "spec.image.repository is old/hbase; one of a/b, c is right";

  private static ApiServer.Running server;
  private static KubernetesClient client;

  /** Made before there was a policy, with an image that it does not list. */
  @BeforeAll
  static void installAfterAClusterRuns() throws IOException {
    server = ApiServer.startAnother();
    client = server.client();
    server.createNamespace(NAMESPACE);
    create("running", "{repository: old/hbase, tag: '1'}");
    create("untagged", "{repository: old/hbase}");
    create("default", "{}");
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

  @Test
  void refusesAnImageThatIsNotListed() {
    assertThatThrownBy(() -> create("new", "{repository: old/hbase}"))
        .hasMessageContaining(REFUSED);
    assertThatCode(() -> create("listed", "{repository: a/b}")).doesNotThrowAnyException();
    assertThatThrownBy(() -> patch("listed", image("old/hbase", null)))
        .hasMessageContaining(REFUSED);
    assertThatThrownBy(() -> patch("default", image("old/hbase", null)))
        .hasMessageContaining(REFUSED);
  }

  /** Its annotations pause and restart it, and without its finalizers it is never deleted. */
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
  void refusesAnotherVersionOfAnImageThatIsNotListed() {
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

  private static String image(String repository, String tag) {
    return "{\"spec\":{\"image\":{\"repository\":\"%s\"%s}}}"
        .formatted(repository, tag == null ? "" : ",\"tag\":\"" + tag + "\"");
  }
}
