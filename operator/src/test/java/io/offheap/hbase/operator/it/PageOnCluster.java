package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.offheap.hbase.browser.Browser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The page of an installed operator during a rollout of a real HBase, opened by {@code kubectl hbc
 * page}. Its pictures are those of the docs. {@code e2e/bin/suite page} runs it with the kind
 * cluster; it is no {@code *IT}, since {@code make it} has no such cluster.
 *
 * <p>{@code page.pictures} is the folder of the pictures.
 */
class PageOnCluster {
  private static final String NAMESPACE = "page";
  private static final Duration READY_WITHIN = Duration.ofMinutes(10);
  private static final Duration ROLLOUT_WITHIN = Duration.ofMinutes(8);
  private static final Pattern FORWARDS =
      Pattern.compile("Forwarding from 127\\.0\\.0\\.1:(\\d+) .*");

  private final Path pictures = Path.of(System.getProperty("page.pictures", "target/page"));
  private Browser browser;
  private Process forward;

  @BeforeEach
  void start() throws Exception {
    kubectl("create", "namespace", NAMESPACE);
    kubectl("apply", "-n", NAMESPACE, "-f", "../examples/demo.yaml");
    kubectl(
        "wait",
        "-n",
        NAMESPACE,
        "--for=condition=Ready",
        "--timeout=" + READY_WITHIN.toSeconds() + "s",
        "hbc/demo");
    browser = Browser.start();
    browser.setView(1280, "light");
  }

  @AfterEach
  void stop() throws Exception {
    if (browser != null) {
      browser.close();
    }
    if (forward != null) {
      forward.descendants().forEach(ProcessHandle::destroy);
      forward.destroy();
    }
    kubectl("delete", "namespace", NAMESPACE, "--wait=false");
  }

  private static void kubectl(String... arguments) throws Exception {
    var command = new ArrayList<>(List.of("kubectl"));
    command.addAll(List.of(arguments));
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor())
        .as("%s", command)
        .isZero();
  }

  /** The page's address, from the plugin's output. */
  private String open() throws IOException {
    forward =
        new ProcessBuilder(
                "src/plugin/kubectl-hbc",
                "page",
                "--port",
                "0",
                "--operator-namespace",
                "hbase-offheap")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    var output = new BufferedReader(new InputStreamReader(forward.getInputStream(), UTF_8));
    for (var line = output.readLine(); line != null; line = output.readLine()) {
      var forwards = FORWARDS.matcher(line);
      if (forwards.matches()) {
        return "http://localhost:" + forwards.group(1);
      }
    }
    throw new IOException("the port was not forwarded");
  }

  private void awaitText(Duration within, String... texts) {
    await("text").atMost(within).untilAsserted(() -> assertThat(browser.text()).contains(texts));
  }

  @Test
  void showsRolloutOfRealCluster() throws Exception {
    var origin = open();
    browser.open(origin + "/");
    awaitText(LONG, NAMESPACE + "/demo", "Ready");
    browser.screenshot(pictures.resolve("page-list.png"));
    browser.open(origin + "/cluster?namespace=" + NAMESPACE + "&name=demo");
    awaitText(LONG, "No rollout is under way", "demo-regionserver-1", "hbase.bucketcache.size");

    kubectl(
        "patch",
        "hbc/demo",
        "-n",
        NAMESPACE,
        "--type=merge",
        "-p",
        "{\"spec\": {\"regionServers\": {\"memory\": {\"offHeap\": \"480Mi\"}}}}");

    awaitText(ROLLOUT_WITHIN, "1 of 2 region servers restarted");
    browser.screenshot(pictures.resolve("page-rollout.png"));
    awaitText(ROLLOUT_WITHIN, "The last rollout ended", "2 region servers in", "RolloutFinished");
    browser.setView(390, "dark");
    browser.screenshot(pictures.resolve("page-phone.png"));
    assertThat(browser.problems()).isEmpty();
    assertThat(browser.requests()).isNotEmpty().allMatch(it -> it.startsWith(origin + "/"));
  }
}
