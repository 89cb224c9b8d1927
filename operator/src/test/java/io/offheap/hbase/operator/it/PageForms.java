package io.offheap.hbase.operator.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.browser.Browser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A view of the page in each of its forms: wide and as on a phone, light and dark. */
final class PageForms {
  /** The folder of the pictures, which are kept for inspection. */
  private static final Path PICTURES = Path.of("target", "page");

  private PageForms() {}

  /**
   * Checks each form of the view that a browser shows: no serious finding of axe, no content wider
   * than the window.
   *
   * @param name the view's name, for its pictures
   */
  static void check(Browser browser, String name) throws IOException {
    check(browser, name, "html");
  }

  /**
   * The same where the rest of the view is as it was at the check before: axe, whose contrasts of
   * all texts take most of the time, has one part of it.
   *
   * @param part a selector
   */
  static void check(Browser browser, String name, String part) throws IOException {
    for (var scheme : List.of("light", "dark")) {
      for (int width : new int[] {1280, 390}) {
        browser.setView(width, scheme);
        assertThat(seriousFindings(browser, part))
            .as("%s, %d wide, %s", name, width, scheme)
            .isEmpty();
        assertThat(browser.evaluate("document.documentElement.scrollWidth").asInt())
            .isLessThanOrEqualTo(width);
        browser.screenshot(PICTURES.resolve(name + "-" + width + "-" + scheme + ".png"));
      }
    }
    browser.setView(1280, "light");
  }

  private static List<String> seriousFindings(Browser browser, String part) throws IOException {
    // Only a page that was opened since the last check does not have it.
    if (browser.evaluate("globalThis.axe === undefined").asBoolean()) {
      browser.evaluate(axe());
    }
    var found =
        browser.evaluate(
            """
            axe.run("%s", { resultTypes: ["violations"], selectors: false }).then((it) => it.violations
              .filter((of) => of.impact === "serious" || of.impact === "critical")
              .map((of) => of.id + ": " + of.nodes.map((node) => node.html).join(" ")))
            """
                .formatted(part));
    var findings = new ArrayList<String>();
    found.forEach(it -> findings.add(it.asText()));
    return findings;
  }

  /** From the npm registry, kept in the cache. */
  private static String axe() throws IOException {
    var process =
        new ProcessBuilder("../e2e/bin/axe").redirectError(ProcessBuilder.Redirect.INHERIT);
    try {
      var script = process.start();
      var file = new String(script.getInputStream().readAllBytes(), UTF_8).strip();
      assertThat(script.waitFor()).isZero();
      return Files.readString(Path.of(file));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }
}
