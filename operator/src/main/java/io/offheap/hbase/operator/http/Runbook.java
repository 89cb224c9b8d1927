package io.offheap.hbase.operator.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * {@code docs/runbook.md} of this version as a page that the links of its alerts lead to: text, and
 * a heading with an anchor for each alert.
 */
final class Runbook {
  static final String TYPE = "text/html; charset=utf-8";

  private static final String HEADING = "## ";

  private Runbook() {}

  static String page() throws IOException {
    try (var text = Runbook.class.getResourceAsStream("/runbook.md")) {
      return new String(text.readAllBytes(), UTF_8)
          .lines()
          .map(Runbook::html)
          .collect(
              Collectors.joining(
                  "\n",
                  "<!doctype html><html lang=\"en\"><title>Runbook</title>"
                      + "<body style=\"white-space: pre-wrap; max-width: 60em\">",
                  "</body></html>\n"));
    }
  }

  private static String html(String line) {
    var escaped = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    if (!escaped.startsWith(HEADING)) {
      return escaped;
    }
    var title = escaped.substring(HEADING.length());
    return "<h2 id=\"%s\">%s</h2>".formatted(title.toLowerCase(Locale.ROOT), title);
  }
}
