package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.TestClock;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.PodRights;
import io.offheap.hbase.operator.hbase.ExampleHour;
import io.offheap.hbase.operator.page.PageServer;
import io.offheap.hbase.operator.page.PageSource;
import io.offheap.hbase.operator.reconcile.PlanPreview;
import io.offheap.hbase.operator.report.Events;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The names that the page's scripts read against those that the operator's JSON has: that of a
 * cluster with everything, as the server sends it to a browser. Nothing else compares them, and a
 * name that only one side has is no error on either. No API server is needed.
 */
class PageContractIT {
  private static final Instant NOW = Instant.parse("2026-11-24T12:05:00Z");
  private static final ResourceID ID = new ResourceID("demo", "shop");

  private HBaseCluster cluster;
  private volatile boolean leads = true;
  private PageServer server;
  private Browser browser;
  private PageReads reads;

  @BeforeEach
  void start() throws IOException {
    cluster = everything();
    var clock = TestClock.at(NOW);
    // Without a client they are kept for the page alone, and the log has why.
    var events = new Events(null, "test", clock);
    events.normal(cluster, "CanaryEnded", "demo-regionserver-2 is no worse");
    events.warning(cluster, "HeldBack", "its regions are being moved away");
    events.warning(cluster, "HeldBack", "its regions are being moved away");
    server =
        new PageServer(
            0,
            new PageSource(
                () -> leads,
                () -> Optional.of("operator-7"),
                () -> leads ? Stream.of(cluster, bare()) : Stream.empty(),
                id -> leads && id.equals(ID) ? Optional.of(cluster) : Optional.empty(),
                ExampleHour.of(ID, NOW),
                events.recent(),
                (now, changed) ->
                    PlanPreview.of(now, changed, "hbase-offheap/hbase:0.1.0", PodRights.NONE),
                clock));
    browser = Browser.start();
    reads = PageReads.of(browser);
  }

  @AfterEach
  void stop() throws IOException {
    browser.close();
    server.close();
  }

  private static HBaseCluster everything() throws IOException {
    try (var text = PageContractIT.class.getResourceAsStream("/page/everything.yaml")) {
      var all = cluster(new String(text.readAllBytes(), UTF_8));
      all.setStatus(all.getStatus().toBuilder().appliedSpec(all.getSpec()).build());
      return all;
    }
  }

  /** As it is before the operator has read it. */
  private static HBaseCluster bare() {
    return cluster("metadata: {name: bare, namespace: shop}");
  }

  private static HBaseCluster cluster(String yaml) {
    return Serialization.unmarshal(yaml, HBaseCluster.class);
  }

  @Test
  void scriptsReadOnlyNamesThatTheJsonHas() throws IOException {
    openList();
    standBy("operator-7 leads");
    allNamesAreKnown();
    leads = true;
    openCluster();
    findSettings();
    submit("spec.regionServers.memory.heap", "2Gi", "3 region servers restart");
    submit("spec.regionServerGroups", "[{name: hdd, replicas: 1}]", "The group is new");
    submit("spec.masters.heap", "2Gi", "master restarts");
    submit(
        "spec.storage.managed.image.tag", "next", "ZooKeeper and HDFS restart one pod at a time");
    submit("spec.regionServers.memory.heap", "2", "The operator would refuse this spec");
    standBy("knows no such cluster");

    allNamesAreKnown();
    assertThat(reads.views()).containsExactly("cluster", "history", "list", "what-if");
    assertThat(reads.notMade())
        .as("reads that were not made: give the example, or this test, what they need")
        .isEmpty();
  }

  /** Each view, with everything that it can show; the runbook is in {@link PageIT}. */
  @Test
  void eachViewFitsEachWidthAndScheme() throws IOException {
    openList();
    PageForms.check(browser, "list-of-two");
    openCluster();
    browser.evaluate("document.querySelectorAll('details').forEach((it) => it.open = true)");
    PageForms.check(browser, "cluster-with-everything");
    submit("spec.regionServers.memory.heap", "2Gi", "3 region servers restart");
    PageForms.check(browser, "what-if");
    submit("spec.regionServers.memory.heap", "2", "The operator would refuse this spec");
    PageForms.check(browser, "what-if-refused");
    standBy("knows no such cluster");
    PageForms.check(browser, "unknown-cluster");
    browser.open("http://localhost:" + server.port() + "/");
    awaitText("main", "operator-7 leads");
    PageForms.check(browser, "standby");
  }

  private void openList() {
    browser.open("http://localhost:" + server.port() + "/");
    awaitText("body", "2 clusters", "shop/demo");
    assertThat(browser.problems()).isEmpty();
  }

  private void openCluster() {
    browser.open("http://localhost:" + server.port() + "/cluster?namespace=shop&name=demo");
    awaitText("#rollout", "Restarts of this rollout", "The last rollout ended");
    awaitText("#tuning", "On trial", "recommends, since", "After the alert HBaseHeapShareHigh");
    awaitText("#hour", "Latest values");
    awaitText("#plan", "Settings of group ssd");
    assertThat(browser.problems()).isEmpty();
  }

  private void awaitText(String part, String... texts) {
    awaitText(part, () -> {}, texts);
  }

  private void awaitText(String part, Runnable tryAgain, String... texts) {
    await("text")
        .atMost(LONG)
        // With a wrong name the text may never come.
        .failFast("a name is wrong", this::allNamesAreKnown)
        .untilAsserted(
            () -> {
              var text =
                  browser.evaluate("document.querySelector('" + part + "')?.innerText").asText();
              if (text.contains("try again")) {
                tryAgain.run();
              }
              assertThat(text).contains(texts);
            });
  }

  private void allNamesAreKnown() {
    reads.keep();
    assertThat(reads.unknown()).as("names that no JSON has").isEmpty();
  }

  private void standBy(String text) {
    leads = false;
    awaitText("main", text);
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

  /** On a machine that does much else a plan can take longer than the page waits for it. */
  private void submit(String field, String value, String text) {
    browser.evaluate("document.getElementById('field-0').value = '" + field + "'");
    browser.evaluate("document.getElementById('value-0').value = '" + value + "'");
    Runnable submit =
        () -> browser.evaluate("document.querySelector('#what-if form').requestSubmit()");
    submit.run();
    awaitText("#what-if .result", submit, text);
  }

  /** As a script reads a name after Java has renamed it. */
  @Test
  void readOfAnUnknownNameAndReadThatIsNotMadeAreFound() throws IOException {
    openCluster();
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
