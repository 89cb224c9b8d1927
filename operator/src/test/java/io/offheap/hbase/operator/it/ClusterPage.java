package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.offheap.hbase.browser.Browser;
import java.io.IOException;

/** The page of an operator about a cluster that serves, in a browser. */
final class ClusterPage implements AutoCloseable {
  private final String namespace;
  private final ServingCluster hb;
  private final Browser browser;

  private ClusterPage(String namespace, ServingCluster hb, Browser browser) {
    this.namespace = namespace;
    this.hb = hb;
    this.browser = browser;
  }

  /**
   * Starts the cluster, its operator and a browser.
   *
   * @param namespace an empty namespace
   */
  static ClusterPage start(ApiServer.Running server, String namespace) throws IOException {
    var hb = ServingCluster.start(server, namespace, RolledServers.RESOURCE);
    var browser = Browser.start();
    browser.setView(1280, "light");
    return new ClusterPage(namespace, hb, browser);
  }

  ServingCluster hb() {
    return hb;
  }

  Browser browser() {
    return browser;
  }

  String namespace() {
    return namespace;
  }

  String origin() {
    return "http://localhost:" + hb.operator().pagePort();
  }

  void openList() {
    browser.open(origin() + "/");
    awaitText(namespace + "/hb");
  }

  void openCluster() {
    browser.open(origin() + "/cluster?namespace=" + namespace + "&name=hb");
    awaitText("hb", "Region servers", "No rollout is under way", "Memory and plan");
  }

  void awaitText(String... texts) {
    await("text").atMost(LONG).untilAsserted(() -> assertThat(browser.text()).contains(texts));
  }

  @Override
  public void close() throws IOException {
    browser.close();
    hb.close();
  }
}
