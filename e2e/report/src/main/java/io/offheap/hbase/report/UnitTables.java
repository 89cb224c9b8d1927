package io.offheap.hbase.report;

import static io.offheap.hbase.report.Numbers.number;
import static io.offheap.hbase.report.Numbers.ratio;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.apache.commons.statistics.descriptive.Median;

/** The tables of a unit's figures: the median of each variant, and what is compared. */
record UnitTables(Unit unit, Results results) {
  /** Two variants that a column compares. */
  private record Against(Variant of, Variant than) {}

  /**
   * The last variant against the others, and what the seed changed. Of steps: each against the one
   * before it, and the last against the first.
   */
  private List<Against> against() {
    var variants = unit.variants();
    int last = variants.size() - 1;
    var against = new ArrayList<Against>();
    if (unit.hasSteps()) {
      for (int i = 1; i <= last; i++) {
        against.add(new Against(variants.get(i), variants.get(i - 1)));
      }
      against.add(new Against(variants.get(last), variants.get(0)));
      return against;
    }
    variants.subList(0, last).forEach(it -> against.add(new Against(variants.get(last), it)));
    seedOf().filter(it -> !against.contains(it)).ifPresent(against::add);
    return against;
  }

  /** What the seed's column is to be compared with. */
  private Optional<Against> seedOf() {
    return Optional.ofNullable(unit.seedOf()).map(it -> new Against(it.of(), it.than()));
  }

  private StringBuilder head(String first, String align) {
    var text = new StringBuilder("| %s |".formatted(first));
    unit.variants().forEach(variant -> text.append(" %s |".formatted(variant.letter())));
    against()
        .forEach(it -> text.append(" %s / %s |".formatted(it.of().letter(), it.than().letter())));
    seedOf()
        .ifPresent(
            it ->
                text.append(
                    " The seed's %s / %s |".formatted(it.of().letter(), it.than().letter())));
    text.append("\n| %s |".formatted(align));
    int columns = unit.variants().size() + against().size() + (unit.seedOf() == null ? 0 : 1);
    return text.append(" ---: |".repeat(columns)).append('\n');
  }

  String figures() {
    var text = head("Median", "---");
    var without = new ArrayList<String>();
    var tooFew = new ArrayList<String>();
    for (Figure figure : Figure.values()) {
      if (unit.variants().stream().allMatch(it -> results.values(figure, it).length == 0)) {
        if (figure.isOf(unit.load())) {
          (figure.isLatency() ? tooFew : without).add(figure.label());
        }
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
      text.append(seed(figure)).append('\n');
    }
    if (!tooFew.isEmpty()) {
      text.append("\nToo few operations, since ten must be beyond it: ")
          .append(String.join("; ", tooFew))
          .append(".\n");
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
      text.append(seed(threads)).append('\n');
    }
    return text.toString();
  }

  private String seed(Figure figure) {
    var seed = unit.seed() == null ? null : unit.seed().get(figure);
    return seedOf()
        .map(
            it ->
                isCompared(figure)
                    ? cell(seed, figure.better(), results.compare(figure, it.of(), it.than()))
                    : " %s |".formatted(seed == null ? "" : ratio(OptionalDouble.of(seed))))
        .orElse("");
  }

  private String seed(int threads) {
    var seed = unit.sweepSeed() == null ? null : unit.sweepSeed().get(threads);
    return seedOf()
        .map(it -> cell(seed, Figure.Better.HIGHER, results.compare(threads, it.of(), it.than())))
        .orElse("");
  }

  private static String cell(Double seed, Figure.Better better, Comparison here) {
    return seed == null
        ? "  |"
        : " %s%s |".formatted(ratio(OptionalDouble.of(seed)), mark(here, seed, better));
  }

  /** What stands behind a ratio of the seed that has more effect than the one here. */
  static String mark(Comparison here, double seed, Figure.Better better) {
    return here.result() != Comparison.Result.UNDECIDED && here.isWorseThan(seed, better)
        ? ", **here worse**"
        : "";
  }

  /**
   * Whether a person has to say why: a goal is missed, a variant is behind the one that it is
   * compared with, or what the seed changed has less effect here.
   */
  boolean needsNote() {
    return UnitSection.outcomes(unit, results).contains(Goal.Outcome.MISSED)
        || against().stream()
            .flatMap(this::comparisons)
            .anyMatch(it -> it.result() == Comparison.Result.BEHIND)
        || (figures() + sweep()).contains("**here worse**");
  }

  /** A server with half of a machine is another server. */
  private boolean isCompared(Figure figure) {
    return figure.better() != Figure.Better.NEITHER
        && (!unit.isSideBySide() || figure.isComparedSideBySide());
  }

  private Stream<Comparison> comparisons(Against it) {
    var threads = unit.load().sweep() == null ? List.<Integer>of() : unit.load().sweep();
    return Stream.concat(
        Arrays.stream(Figure.values())
            .filter(this::isCompared)
            .map(figure -> results.compare(figure, it.of(), it.than())),
        threads.stream().map(number -> results.compare(number, it.of(), it.than())));
  }

  static String claim(Comparison comparison) {
    return "%s, %s"
        .formatted(
            ratio(comparison.ratio()),
            switch (comparison.result()) {
              case AHEAD -> "ahead";
              case BEHIND -> "**behind**";
              case NO_DIFFERENCE -> "no difference";
              case UNDECIDED ->
                  comparison.reason().isEmpty()
                      ? "undecided"
                      : "undecided (%s)".formatted(comparison.reason());
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
