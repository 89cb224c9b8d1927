package io.offheap.hbase.operator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.browser.Browser;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The names that the page's scripts read against those that the operator's JSON has: that of a
 * cluster with everything, as the server sends it to a browser. Nothing else compares them, and a
 * name that only one side has is no error on either. No API server is needed.
 */
class PageContractIT {
  private ExamplePage page;
  private Browser browser;
  private PageReads reads;

  @BeforeEach
  void start() throws IOException {
    browser = Browser.start();
    // With a wrong name a text may never come.
    page = ExamplePage.start(browser, this::allNamesAreKnown);
    reads = PageReads.of(browser);
  }

  @AfterEach
  void stop() throws IOException {
    browser.close();
    page.close();
  }

  @Test
  void scriptsReadOnlyNamesThatTheJsonHas() throws IOException {
    page.openList();
    page.standBy("operator-7 leads");
    allNamesAreKnown();
    page.lead();
    page.openCluster();
    findSettings();
    page.submit("spec.regionServers.memory.heap", "2Gi", "3 region servers restart");
    page.submit("spec.regionServerGroups", "[{name: hdd, replicas: 1}]", "The group is new");
    page.submit("spec.masters.heap", "2Gi", "master restarts");
    page.submit(
        "spec.storage.managed.image.tag", "next", "ZooKeeper and HDFS restart one pod at a time");
    page.submit("spec.regionServers.memory.heap", "2", "The operator would refuse this spec");
    page.standBy("knows no such cluster");

    allNamesAreKnown();
    assertThat(reads.views()).containsExactly("cluster", "history", "list", "what-if");
    assertThat(reads.notMade())
        .as("reads that were not made: give the example, or this test, what they need")
        .isEmpty();
  }

  private void allNamesAreKnown() {
    reads.keep();
    assertThat(reads.unknown()).as("names that no JSON has").isEmpty();
  }

  /** What the scripts read only if a person uses the forms. */
  private void findSettings() {
    browser.evaluate(
        """
        {
          const text = document.getElementById("filter-text");
          text.value = "xmx";
          text.dispatchEvent(new Event("input"));
          const from = document.getElementById("filter-from");
          from.value = "declared";
          from.dispatchEvent(new Event("change"));
          from.form.requestSubmit();
          const add = [...document.querySelectorAll("button")].find((it) => it.innerText === "Add a field");
          add.click();
          document.querySelector("[aria-label='Remove field 2']").click();
        }
        """);
  }

  /** As a script reads a name after Java has renamed it. */
  @Test
  void readOfAnUnknownNameAndReadThatIsNotMadeAreFound() throws IOException {
    page.openCluster();
    browser.evaluate(
        """
        fetch("/api/clusters/shop/demo").then((it) => it.json())
          .then((it) => it.rollout.lines[0].host)
        """);
    reads.keep();

    assertThat(reads.unknown()).containsExactly("cluster.rollout.lines[].host");
    assertThat(reads.notMade()).anyMatch(it -> it.startsWith("/whatif.js: "));
  }
}
