package io.offheap.hbase.operator.it;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Finds the metrics of a PromQL query. */
final class Promql {
  /** Strings, matchers, windows, and lists of labels. */
  private static final Pattern NO_METRIC =
      Pattern.compile(
          "\"[^\"]*\"|\\{[^{}]*}|\\[[^\\[\\]]*]"
              + "|\\b(?:by|without|on|ignoring|group_left|group_right)\\s*\\([^()]*\\)");

  private static final Pattern NAME =
      Pattern.compile("(?<![\\w:.])[a-zA-Z_:][\\w:]*(?!\\s*\\(|\\w)");
  private static final Set<String> OPERATORS =
      Set.of("and", "or", "unless", "bool", "offset", "inf", "nan", "by", "without", "le");

  private Promql() {}

  static Set<String> metrics(String query) {
    // Strings first: a matcher's value may hold a brace.
    var rest = query.replaceAll("\"(?:[^\"\\\\]|\\\\.)*\"", "\"\"");
    var names = new TreeSet<String>();
    NAME.matcher(NO_METRIC.matcher(rest).replaceAll(" "))
        .results()
        .map(it -> it.group())
        .filter(it -> !OPERATORS.contains(it))
        .forEach(names::add);
    return names;
  }
}
