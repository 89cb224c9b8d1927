package io.offheap.hbase.report;

import java.util.Locale;
import java.util.OptionalDouble;

/**
 * What others reported, and the comparison of two variants that shows whether it holds here.
 *
 * @param source an issue of HBase, or a talk
 * @param says what it reports, in its own numbers
 * @param unit name of the unit that has the two variants
 * @param figure that is compared
 * @param threads of the unit's sweep, whose operations a second are compared in place of a figure;
 *     null where it is a figure
 * @param ratio theirs, of the same two and the same figure; of a range, its end that is nearer to 1
 */
record SeedClaim(
    String source,
    String says,
    String unit,
    Figure figure,
    Integer threads,
    Variant of,
    Variant than,
    double ratio) {

  /** Returns the two variants' ratio, and what may be claimed of it. */
  private Comparison in(Results results) {
    return threads == null ? results.compare(figure, of, than) : results.compare(threads, of, than);
  }

  /** Returns the comparison in words, with a mark where the effect here is a smaller one. */
  String here(Results results) {
    var comparison = in(results);
    var better = threads == null ? figure.better() : Figure.Better.HIGHER;
    return UnitTables.claim(comparison) + UnitTables.mark(comparison, ratio, better);
  }

  /** Returns the row of its table. */
  String row(Unit measured, String here) {
    return "| %s | %s | [%s](#%s): %s, %s / %s | %s | %s |\n"
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
            Numbers.ratio(OptionalDouble.of(ratio)),
            here);
  }

  /** Returns the anchor that a page gives a heading. */
  private static String anchor(String heading) {
    return heading.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9 -]", "").replace(' ', '-');
  }
}
