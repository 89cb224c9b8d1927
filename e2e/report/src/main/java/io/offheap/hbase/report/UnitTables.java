package io.offheap.hbase.report;

import static io.offheap.hbase.report.Numbers.number;
import static io.offheap.hbase.report.Numbers.ratio;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import org.apache.commons.statistics.descriptive.Median;

/** The tables of a unit's figures: the median of each variant, and what is compared. */
record UnitTables(Unit unit, Results results) {
  /** Two variants that a column compares. */
  private record Against(Variant of, Variant than) {}

  /** The last variant against the others, and what the seed of HBASE-21879 changed: the pool. */
  private List<Against> against() {
    var variants = unit.variants();
    var last = variants.get(variants.size() - 1);
    var against = new ArrayList<Against>();
    variants.subList(0, variants.size() - 1).forEach(it -> against.add(new Against(last, it)));
    if (variants.contains(Variant.C) && variants.contains(Variant.D)) {
      against.add(new Against(Variant.D, Variant.C));
    }
    return against;
  }

  private StringBuilder head(String first, String align) {
    var text = new StringBuilder("| %s |".formatted(first));
    unit.variants().forEach(variant -> text.append(" %s |".formatted(variant.letter())));
    against()
        .forEach(it -> text.append(" %s / %s |".formatted(it.of().letter(), it.than().letter())));
    text.append(" Seed, after / before |\n| %s |".formatted(align));
    return text.append(" ---: |".repeat(unit.variants().size() + against().size() + 1))
        .append('\n');
  }

  String figures() {
    var text = head("Median", "---");
    var without = new ArrayList<String>();
    for (Figure figure : Figure.values()) {
      if (unit.variants().stream().allMatch(it -> results.values(figure, it).length == 0)) {
        without.add(figure.label());
        continue;
      }
      text.append("| %s |".formatted(figure.label()));
      for (Variant variant : unit.variants()) {
        text.append(" %s |".formatted(typical(figure, variant)));
      }
      for (Against it : against()) {
        text.append(
            " %s |"
                .formatted(
                    isCompared(figure) ? claim(results.compare(figure, it.of(), it.than())) : ""));
      }
      var seed = unit.seed() == null ? null : unit.seed().get(figure);
      text.append(" %s |\n".formatted(seed(seed)));
    }
    if (!without.isEmpty()) {
      text.append("\nNo server has a value of: ").append(String.join("; ", without)).append(".\n");
    }
    return text.toString();
  }

  /** Throughput by number of threads; nothing where there is no sweep. */
  String sweep() {
    if (unit.load().sweep() == null) {
      return "";
    }
    var text = new StringBuilder("\n").append(head("Operations a second, threads", "---:"));
    for (int threads : unit.load().sweep()) {
      text.append("| %d |".formatted(threads));
      for (Variant variant : unit.variants()) {
        double[] values = results.values(Round.Value.ofThreads(threads), variant);
        text.append(
            " %s |"
                .formatted(
                    values.length == 0 ? "" : number(Median.withDefaults().evaluate(values))));
      }
      for (Against it : against()) {
        text.append(" %s |".formatted(claim(results.compare(threads, it.of(), it.than()))));
      }
      var seed = unit.sweepSeed() == null ? null : unit.sweepSeed().get(threads);
      text.append(" %s |\n".formatted(seed(seed)));
    }
    return text.toString();
  }

  private static String seed(Double seed) {
    return seed == null ? "" : ratio(OptionalDouble.of(seed));
  }

  /** A server with half of a machine is another server. */
  private boolean isCompared(Figure figure) {
    return figure.better() != Figure.Better.NEITHER
        && (!unit.isSideBySide() || figure.isComparedSideBySide());
  }

  private static String claim(Comparison comparison) {
    return "%s, %s"
        .formatted(
            ratio(comparison.ratio()),
            switch (comparison.result()) {
              case AHEAD -> "ahead";
              case BEHIND -> "**behind**";
              case NO_DIFFERENCE -> "no difference";
              case UNDECIDED -> "undecided";
            });
  }

  private String typical(Figure figure, Variant variant) {
    double[] values = results.values(figure, variant);
    if (values.length == 0) {
      return "";
    }
    if (figure == Figure.OUT_OF_MEMORY) {
      return "%.0f of %d".formatted(Arrays.stream(values).sum(), values.length);
    }
    var text = number(Median.withDefaults().evaluate(values));
    long over = Arrays.stream(values).filter(value -> value > unit.limit()).count();
    if (figure == Figure.PEAK_RESIDENT_MIB && over > 0) {
      return "%s, **over the limit in %d of %d**".formatted(text, over, values.length);
    }
    return figure.isLatency() && results.isSaturated(variant) ? text + ", **saturated**" : text;
  }
}
