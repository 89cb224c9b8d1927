package io.offheap.hbase.operator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.browser.Browser;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The page in a real Chromium, with the operator on a real API server: what a person does with it
 * while a cluster serves.
 */
@ExtendWith(ApiServer.class)
class PageIT {
  private static ClusterPage page;
  private static Browser browser;

  @BeforeAll
  static void start(ApiServer.Running server) throws IOException {
    server.createNamespace("page-of-cluster");
    page = ClusterPage.start(server, "page-of-cluster");
    browser = page.browser();
  }

  @AfterAll
  static void stop() throws IOException {
    page.close();
  }

  @Test
  void listAndRunbookFitEachWidthAndScheme() throws IOException {
    page.openList();
    PageForms.check(browser, "list");
    browser.open(page.origin() + "/runbook#hbaserolloutheld");
    page.awaitText("HBaseRolloutHeld");
    PageForms.check(browser, "runbook");
    assertThat(browser.problems()).isEmpty();
  }

  @Test
  void keyboardReachesAllInPageOrder() {
    page.openList();

    assertThat(focusAfterTab()).isEqualTo("Skip to the content");
    assertThat(focusAfterTab()).isEqualTo("HBase off-heap");
    assertThat(focusAfterTab()).isEqualTo("Runbook");
    assertThat(focusAfterTab()).as("the table, to scroll it").startsWith("All clusters");
    assertThat(focusAfterTab()).isEqualTo(page.namespace() + "/hb");
    assertThat(browser.evaluate("getComputedStyle(document.activeElement).outlineStyle").asText())
        .isEqualTo("solid");
    browser.press("Enter");

    page.awaitText("Region servers", "Memory and plan");
    assertThat(browser.evaluate("location.search").asText()).contains("name=hb");
  }

  private String focusAfterTab() {
    browser.press("Tab");
    return browser
        .evaluate(
            "document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText")
        .asText();
  }

  /** The operator plans as in a reconciliation and writes nothing. */
  @Test
  void showsDifferenceOfAnotherSpec() {
    page.openCluster();
    var writes = page.hb().writes().size();
    browser.evaluate("document.getElementById('field-0').focus()");
    browser.type("spec.regionServers.memory.heap");
    browser.press("Tab");
    browser.type("2Gi");
    browser.press("Enter");

    page.awaitText(
        "3 region servers restart, canary first.", "Values of group default that change", "Xmx");

    browser.evaluate("document.getElementById('value-0').value = ''");
    browser.evaluate("document.getElementById('value-0').focus()");
    browser.type("2");
    browser.press("Enter");

    page.awaitText("The operator would refuse this spec", "spec.regionServers.memory.heap");
    assertThat(page.hb().resource().getSpec().regionServers().memory().heap().toString())
        .isEqualTo("1Gi");
    assertThat(page.hb().writes()).hasSize(writes);
    assertThat(browser.problems()).isEmpty();
  }
}
