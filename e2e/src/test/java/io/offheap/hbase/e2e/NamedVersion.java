package io.offheap.hbase.e2e;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A version of three numbers that a document gives to a product.
 *
 * @param product HBase, Hadoop, HDFS or ZooKeeper
 * @param number the version
 */
record NamedVersion(String product, String number) {
  private static final String PRODUCT = "\\b(HBase|Hadoop|HDFS|ZooKeeper)";
  private static final Pattern NUMBER =
      Pattern.compile("(?<![\\w.])\\d+\\.\\d+\\.\\d+(?![\\w.]*\\d)");

  /** A product's name and, after nothing but punctuation, a version of it or two of them. */
  private static final Pattern IN_SENTENCE =
      Pattern.compile(
          PRODUCT
              + "(?:'s)?(?: client)?[\\s:`(]+("
              + NUMBER
              + ")(?:-hadoop3)?(?: (?:to|and|or) ("
              + NUMBER
              + "))?");

  private static final Pattern IN_ARTIFACT = Pattern.compile("(\\d+\\.\\d+\\.\\d+)-hadoop3");

  /** All of a text in Markdown: in sentences, in artifacts' versions and in tables. */
  static List<NamedVersion> in(String markdown) {
    var named = new ArrayList<NamedVersion>();
    IN_SENTENCE
        .matcher(markdown)
        .results()
        .forEach(
            match ->
                Stream.of(2, 3)
                    .filter(group -> match.group(group) != null)
                    .forEach(
                        group -> named.add(new NamedVersion(match.group(1), match.group(group)))));
    IN_ARTIFACT
        .matcher(markdown)
        .results()
        .forEach(match -> named.add(new NamedVersion("HBase", match.group(1))));
    named.addAll(inTables(markdown));
    return named;
  }

  /** Versions in columns, or after the first cell of rows, that have a product's name alone. */
  private static List<NamedVersion> inTables(String markdown) {
    var named = new ArrayList<NamedVersion>();
    String[] header = {};
    for (String line : markdown.lines().toList()) {
      if (!line.startsWith("|")) {
        header = new String[0];
        continue;
      }
      var cells = line.substring(1).split("\\|", -1);
      if (header.length == 0) {
        header = cells;
        continue;
      }
      for (int i = 0; i < cells.length; i++) {
        var product = i < header.length && isProduct(header[i]) ? header[i] : cells[0];
        if (isProduct(product)) {
          NUMBER
              .matcher(cells[i])
              .results()
              .forEach(match -> named.add(new NamedVersion(product.strip(), match.group())));
        }
      }
    }
    return named;
  }

  private static boolean isProduct(String cell) {
    return cell.strip().matches(PRODUCT);
  }
}
