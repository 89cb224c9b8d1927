package io.offheap.hbase.operator.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.offheap.hbase.browser.Browser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What the page's scripts read of the operator's JSON. A name has its place before it, from the
 * view on: {@code cluster.rollout.lines[].pod}.
 */
final class PageReads {
  /** Texts, comments and messages for developers. */
  private static final Pattern NO_READ =
      Pattern.compile(
          "\"(?:[^\"\\\\\n]|\\\\.)*\"|//[^\n]*|/\\*.*?\\*/|console\\.debug", Pattern.DOTALL);

  /**
   * {@code it.name}, {@code it?.name} and {@code it[name]}, but for constants of the script, which
   * have capitals; {@code { name }} and {@code { name: here }}.
   */
  private static final Pattern READ =
      Pattern.compile(
          "(?<=[\\w)\\]])(?<!\\b[A-Z_]{1,20})(?:\\??\\.[a-zA-Z_]\\w*|\\[)"
              + "|\\{(?= \\w+(?:: \\w+)?(?:, \\w+(?:: \\w+)?)* \\})");

  /** They get texts and numbers, and no part of a view; the server makes the last one. */
  private static final Set<String> WITHOUT_VIEW = Set.of("/dom.js", "/format.js", "/fields.js");

  private final Browser browser;
  private final Set<String> reads = new TreeSet<>();
  private final Set<String> names = new TreeSet<>();

  /** The characters of each script that have run, by the script's path. */
  private final Map<String, BitSet> ran = new TreeMap<>();

  private PageReads(Browser browser) {
    this.browser = browser;
  }

  /** The reads of all pages that a browser opens from now on. */
  static PageReads of(Browser browser) throws IOException {
    browser.runFirst(resource("/page/watch.js"));
    browser.startCoverage();
    return new PageReads(browser);
  }

  private static String resource(String name) throws IOException {
    try (var content = PageReads.class.getResourceAsStream(name)) {
      return new String(content.readAllBytes(), UTF_8);
    }
  }

  /** Keeps what the open page has read up to now; another page begins anew. */
  void keep() {
    var page = browser.evaluate("globalThis.readsOfPage?.() ?? {}");
    page.path("reads").forEach(it -> reads.add(it.asText()));
    page.path("names").forEach(it -> names.add(it.asText()));
    for (var script : browser.coverage()) {
      var path = script.path("url").asText().replaceFirst("^http://[^/]*", "");
      if (path.endsWith(".js") && !WITHOUT_VIEW.contains(path)) {
        ran.computeIfAbsent(path, it -> new BitSet()).or(ran(script));
      }
    }
  }

  /** An inner part comes after the one around it. */
  private static BitSet ran(JsonNode script) {
    var ran = new BitSet();
    for (var function : script.path("functions")) {
      for (var part : function.path("ranges")) {
        ran.set(
            part.path("startOffset").asInt(),
            part.path("endOffset").asInt(),
            part.path("count").asInt() > 0);
      }
    }
    return ran;
  }

  /** The views of which something was read. */
  Set<String> views() {
    return reads.stream()
        .map(it -> it.replaceFirst("[.\\[].*", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Names that were read, and that no JSON had at their place. */
  Set<String> unknown() {
    var known = names.stream().map(PageReads::typed).collect(Collectors.toSet());
    return reads.stream()
        .filter(it -> !known.contains(typed(it)))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Both rollouts are of one type, and each has parts that the other one never has. */
  private static String typed(String name) {
    return name.replace("cluster.lastRollout.", "cluster.rollout.");
  }

  /** Lines of scripts with a read that no page has made: it could be of any name, unseen. */
  List<String> notMade() throws IOException {
    var lines = new ArrayList<String>();
    for (var script : ran.entrySet()) {
      var text = resource("/page" + script.getKey());
      var code = NO_READ.matcher(text).replaceAll(it -> " ".repeat(it.group().length()));
      var read = READ.matcher(code);
      while (read.find()) {
        if (!script.getValue().get(read.start())) {
          int begin = text.lastIndexOf('\n', read.start()) + 1;
          lines.add(
              script.getKey() + ": " + text.substring(begin, text.indexOf('\n', begin)).strip());
        }
      }
    }
    return lines.stream().distinct().toList();
  }
}
