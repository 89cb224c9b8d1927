package io.offheap.hbase.report;

import java.util.Locale;

/**
 * What others reported, and the comparison of two variants that shows whether it holds here.
 *
 * @param source an issue of HBase, or a talk
 * @param says what it reports, in its own numbers
 * @param unit name of the unit that has the two variants
 * @param figure that is compared
 * @param threads of the unit's sweep, whose operations a second are compared in place of a figure;
 *     null where it is a figure
 */
record SeedClaim(
    String source,
    String says,
    String unit,
    Figure figure,
    Integer threads,
    Variant of,
    Variant than) {

  /** Returns the two variants' ratio, and what may be claimed of it. */
  Comparison in(Results results) {
    return threads == null ? results.compare(figure, of, than) : results.compare(threads, of, than);
  }

  /** Returns the row of its table. */
  String row(Unit measured, String here) {
    return "| %s | %s | [%s](#%s): %s, %s / %s | %s |\n"
        .formatted(
            source,
            says,
            measured.title(),
            anchor(measured.title()),
            threads == null
                ? figure.label()
                : "operations a second of %d threads".formatted(threads),
            of.letter(),
            than.letter(),
            here);
  }

  /** Returns the anchor that a page gives a heading. */
  private static String anchor(String heading) {
    return heading.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9 -]", "").replace(' ', '-');
  }
}
