package io.offheap.hbase.operator.it;

import io.offheap.hbase.browser.Browser;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Each view of the page with everything that it can show, in each width and scheme; the runbook is
 * in {@link PageIT}. No API server is needed.
 */
@Tag("verify")
class PageFormsIT {
  private ExamplePage page;
  private Browser browser;

  @BeforeEach
  void start() throws IOException {
    browser = Browser.start();
    page = ExamplePage.start(browser, () -> {});
  }

  @AfterEach
  void stop() throws IOException {
    browser.close();
    page.close();
  }

  @Test
  void eachViewFitsEachWidthAndScheme() throws IOException {
    page.openList();
    PageForms.check(browser, "list-of-two");
    page.openCluster();
    browser.evaluate("document.querySelectorAll('details').forEach((it) => it.open = true)");
    PageForms.check(browser, "cluster-with-everything");
    page.submit("spec.regionServers.memory.heap", "2Gi", "3 region servers restart");
    PageForms.check(browser, "what-if", "#what-if");
    page.submit("spec.regionServers.memory.heap", "2", "The operator would refuse this spec");
    PageForms.check(browser, "what-if-refused", "#what-if");
    page.standBy("knows no such cluster");
    PageForms.check(browser, "unknown-cluster");
    page.open("/");
    page.awaitText("main", "operator-7 leads");
    PageForms.check(browser, "standby");
  }
}
