package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.offheap.hbase.browser.Browser;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** The page in a real Chromium, while its cluster gets another spec and restarts its servers. */
@ExtendWith(ApiServer.class)
class PageRolloutIT {
  private KubernetesClient client;
  private ClusterPage page;
  private Browser browser;
  private RolledServers servers;

  @BeforeEach
  void start(ApiServer.Running server, TestInfo test) throws Exception {
    client = server.client();
    page = ClusterPage.start(server, server.createNamespace(test));
    browser = page.browser();
    servers = new RolledServers(page.hb());
  }

  @AfterEach
  void stop() throws IOException {
    page.close();
  }

  @Test
  void showsRunningRollout() throws IOException {
    page.openList();
    page.awaitText("Ready", "1 cluster: all ready.", "1g");
    page.openCluster();
    assertThat(browser.text())
        .contains("hb-regionserver-2", "Serving", "hbase.bucketcache.size", "Bucket cache");
    var uids = servers.uids();

    servers.setHeap("2Gi");

    page.awaitText("of 3 region servers restarted", "Restarts of this rollout");
    servers.awaitDone(uids);
    page.awaitText("No rollout is under way", "The last rollout ended", "RolloutFinished", "2g");
    browser.evaluate("document.getElementById('last-rollout').open = true");
    page.awaitText("Restarts of the last rollout", "restarted");
    assertThat(browser.evaluate("document.getElementById('last-rollout').open").asBoolean())
        .as("opened details stay open")
        .isTrue();
    PageForms.check(browser, "cluster");
    assertThat(browser.problems()).isEmpty();
    assertThat(browser.requests()).isNotEmpty().allMatch(it -> it.startsWith(page.origin() + "/"));
  }

  @Test
  void showsContentOfResourceAsText() {
    servers.edit(
        "replicas: 3",
        "replicas: 3\n"
            + "    config: {\"<img src=x onerror=document.title='stolen'>\":"
            + " \"<script>1</script>\"}");
    page.openCluster();

    page.awaitText("<img src=x onerror=document.title='stolen'>");
    assertThat(browser.evaluate("document.title").asText()).doesNotContain("stolen");
    assertThat(
            browser.evaluate("document.querySelectorAll('main img, main script').length").asInt())
        .isZero();
    assertThat(browser.problems()).isEmpty();
  }

  /** Declaring them restarts the servers one after another; the page shows the commands. */
  @Test
  void showsHBasesOwnPagesIfDeclared() throws IOException {
    page.openCluster();
    assertThat(browser.text()).doesNotContain("port-forward");
    var uids = servers.uids();

    servers.edit(
        "masters: {replicas: 2}",
        "masters: {replicas: 2}\n  webPages: {masters: true, regionServers: true}");

    servers.awaitDone(uids);
    page.awaitText(
        "kubectl port-forward -n " + page.namespace() + " service/hb-master-pages 16010",
        "http://localhost:16030/rs-status");
    for (var name : List.of("hb-master-pages", "hb-regionserver-pages")) {
      var service = client.services().inNamespace(page.namespace()).withName(name).get();
      assertThat(service.getSpec().getType()).isEqualTo("ClusterIP");
      assertThat(service.getSpec().getClusterIP()).isNotEqualTo("None");
    }
    PageForms.check(browser, "own-pages");

    servers.edit();

    await("services are deleted")
        .atMost(LONG)
        .until(
            () ->
                client.services().inNamespace(page.namespace()).list().getItems().stream()
                    .noneMatch(it -> it.getMetadata().getName().endsWith("-pages")));
    assertThat(browser.problems()).isEmpty();
  }
}
