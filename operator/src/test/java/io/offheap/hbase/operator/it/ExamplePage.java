package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.browser.Browser;
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
import org.awaitility.core.ThrowingRunnable;

/**
 * The page about a cluster with everything and one that the operator has not read yet, as the
 * operator's server sends it to a browser. No API server is needed.
 */
final class ExamplePage implements AutoCloseable {
  private static final Instant NOW = Instant.parse("2026-11-24T12:05:00Z");
  private static final ResourceID ID = new ResourceID("demo", "shop");

  private final Browser browser;
  private final ThrowingRunnable failFast;
  private final PageServer server;
  private volatile boolean leads = true;

  private ExamplePage(Browser browser, ThrowingRunnable failFast) throws IOException {
    this.browser = browser;
    this.failFast = failFast;
    var cluster = everything();
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
  }

  /**
   * Starts the server.
   *
   * @param browser that opens the page
   * @param failFast throws if a text that is awaited cannot come
   */
  static ExamplePage start(Browser browser, ThrowingRunnable failFast) throws IOException {
    return new ExamplePage(browser, failFast);
  }

  private static HBaseCluster everything() throws IOException {
    try (var text = ExamplePage.class.getResourceAsStream("/page/everything.yaml")) {
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

  void open(String path) {
    browser.open("http://localhost:" + server.port() + path);
  }

  void openList() {
    open("/");
    awaitText("body", "2 clusters", "shop/demo");
    assertThat(browser.problems()).isEmpty();
  }

  void openCluster() {
    open("/cluster?namespace=shop&name=demo");
    awaitText("#rollout", "Restarts of this rollout", "The last rollout ended");
    awaitText("#tuning", "On trial", "recommends, since", "After the alert HBaseHeapShareHigh");
    awaitText("#hour", "Latest values");
    awaitText("#plan", "Settings of group ssd");
    assertThat(browser.problems()).isEmpty();
  }

  void awaitText(String part, String... texts) {
    awaitText(part, () -> {}, texts);
  }

  private void awaitText(String part, Runnable tryAgain, String... texts) {
    await("text")
        .atMost(LONG)
        .failFast("the text cannot come", failFast)
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

  /** From now on another process leads; returns when the page has a text. */
  void standBy(String text) {
    leads = false;
    awaitText("main", text);
  }

  /** From now on the process leads again. */
  void lead() {
    leads = true;
  }

  /** On a machine that does much else a plan can take longer than the page waits for it. */
  void submit(String field, String value, String text) {
    browser.evaluate("document.getElementById('field-0').value = '" + field + "'");
    browser.evaluate("document.getElementById('value-0').value = '" + value + "'");
    Runnable submit =
        () -> browser.evaluate("document.querySelector('#what-if form').requestSubmit()");
    submit.run();
    awaitText("#what-if .result", submit, text);
  }

  @Override
  public void close() {
    server.close();
  }
}
