package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** The page in a real Chromium, with the operator on a real API server. */
@ExtendWith(ApiServer.class)
class PageIT {
  private KubernetesClient client;
  private String namespace;
  private ServingCluster hb;
  private RolledServers servers;
  private Browser browser;

  @BeforeEach
  void start(ApiServer.Running server, TestInfo test) throws Exception {
    client = server.client();
    namespace = server.createNamespace(test);
    hb = ServingCluster.start(server, namespace, RolledServers.RESOURCE);
    servers = new RolledServers(hb);
    browser = Browser.start();
    browser.setView(1280, "light");
  }

  @AfterEach
  void stop() throws IOException {
    browser.close();
    hb.close();
  }

  private String origin() {
    return "http://localhost:" + hb.operator().pagePort();
  }

  private void awaitText(String... texts) {
    await("text").atMost(LONG).untilAsserted(() -> assertThat(browser.text()).contains(texts));
  }

  private void openCluster() {
    browser.open(origin() + "/cluster?namespace=" + namespace + "&name=hb");
    awaitText("hb", "Region servers", "No rollout is under way", "Memory and plan");
  }

  @Test
  void showsRunningRollout() throws IOException {
    browser.open(origin() + "/");
    awaitText(namespace + "/hb", "Ready", "1 cluster: all ready.", "1g");
    openCluster();
    assertThat(browser.text())
        .contains("hb-regionserver-2", "Serving", "hbase.bucketcache.size", "Bucket cache");
    var uids = servers.uids();

    servers.setHeap("2Gi");

    awaitText("of 3 region servers restarted", "Restarts of this rollout");
    servers.awaitDone(uids);
    awaitText("No rollout is under way", "The last rollout ended", "RolloutFinished", "2g");
    browser.evaluate("document.getElementById('last-rollout').open = true");
    awaitText("Restarts of the last rollout", "restarted");
    assertThat(browser.evaluate("document.getElementById('last-rollout').open").asBoolean())
        .as("opened details stay open")
        .isTrue();
    PageForms.check(browser, "cluster");
    assertThat(browser.problems()).isEmpty();
    assertThat(browser.requests()).isNotEmpty().allMatch(it -> it.startsWith(origin() + "/"));
  }

  @Test
  void listAndRunbookFitEachWidthAndScheme() throws IOException {
    browser.open(origin() + "/");
    awaitText(namespace + "/hb");
    PageForms.check(browser, "list");
    browser.open(origin() + "/runbook#hbaserolloutheld");
    awaitText("HBaseRolloutHeld");
    PageForms.check(browser, "runbook");
    assertThat(browser.problems()).isEmpty();
  }

  @Test
  void keyboardReachesAllInPageOrder() {
    browser.open(origin() + "/");
    awaitText(namespace + "/hb");

    assertThat(focusAfterTab()).isEqualTo("Skip to the content");
    assertThat(focusAfterTab()).isEqualTo("HBase off-heap");
    assertThat(focusAfterTab()).isEqualTo("Runbook");
    assertThat(focusAfterTab()).as("the table, to scroll it").startsWith("All clusters");
    assertThat(focusAfterTab()).isEqualTo(namespace + "/hb");
    assertThat(browser.evaluate("getComputedStyle(document.activeElement).outlineStyle").asText())
        .isEqualTo("solid");
    browser.press("Enter");

    awaitText("Region servers", "Memory and plan");
    assertThat(browser.evaluate("location.search").asText()).contains("name=hb");
  }

  private String focusAfterTab() {
    browser.press("Tab");
    return browser
        .evaluate(
            "document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText")
        .asText();
  }

  @Test
  void showsContentOfResourceAsText() {
    servers.edit(
        "replicas: 3",
        "replicas: 3\n"
            + "    config: {\"<img src=x onerror=document.title='stolen'>\":"
            + " \"<script>1</script>\"}");
    openCluster();

    awaitText("<img src=x onerror=document.title='stolen'>");
    assertThat(browser.evaluate("document.title").asText()).doesNotContain("stolen");
    assertThat(
            browser.evaluate("document.querySelectorAll('main img, main script').length").asInt())
        .isZero();
    assertThat(browser.problems()).isEmpty();
  }

  /** Declaring them restarts the servers one after another; the page shows the commands. */
  @Test
  void showsHBasesOwnPagesIfDeclared() throws IOException {
    openCluster();
    assertThat(browser.text()).doesNotContain("port-forward");
    var uids = servers.uids();

    servers.edit(
        "masters: {replicas: 2}",
        "masters: {replicas: 2}\n  webPages: {masters: true, regionServers: true}");

    servers.awaitDone(uids);
    awaitText(
        "kubectl port-forward -n " + namespace + " service/hb-master-pages 16010",
        "http://localhost:16030/rs-status");
    for (var name : List.of("hb-master-pages", "hb-regionserver-pages")) {
      var service = client.services().inNamespace(namespace).withName(name).get();
      assertThat(service.getSpec().getType()).isEqualTo("ClusterIP");
      assertThat(service.getSpec().getClusterIP()).isNotEqualTo("None");
    }
    PageForms.check(browser, "own-pages");

    servers.edit();

    await("services are deleted")
        .atMost(LONG)
        .until(
            () ->
                client.services().inNamespace(namespace).list().getItems().stream()
                    .noneMatch(it -> it.getMetadata().getName().endsWith("-pages")));
    assertThat(browser.problems()).isEmpty();
  }

  /** The operator plans as in a reconciliation and writes nothing. */
  @Test
  void showsDifferenceOfAnotherSpec() {
    openCluster();
    var writes = hb.writes().size();
    browser.evaluate("document.getElementById('field-0').focus()");
    browser.type("spec.regionServers.memory.heap");
    browser.press("Tab");
    browser.type("2Gi");
    browser.press("Enter");

    awaitText(
        "3 region servers restart, canary first.", "Values of group default that change", "Xmx");

    browser.evaluate("document.getElementById('value-0').value = ''");
    browser.evaluate("document.getElementById('value-0').focus()");
    browser.type("2");
    browser.press("Enter");

    awaitText("The operator would refuse this spec", "spec.regionServers.memory.heap");
    assertThat(hb.resource().getSpec().regionServers().memory().heap().toString()).isEqualTo("1Gi");
    assertThat(hb.writes()).hasSize(writes);
    assertThat(browser.problems()).isEmpty();
  }
}
