package io.offheap.hbase.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Servers that were measured one after the other.
 *
 * @param equal whether all are of the same variant
 * @param commit that was measured
 * @param ended when, in UTC
 * @param arms in the order in which they ran; the first one may be of the last one's variant
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Round(boolean equal, String commit, String ended, List<Arm> arms) {

  /** A value of an arm; empty where it has none. */
  interface Value {
    Optional<Double> of(Arm arm);

    static Value of(Figure figure) {
      return arm -> Optional.ofNullable(arm.figures().get(figure));
    }

    /** Returns the throughput with a number of threads. */
    static Value ofThreads(int threads) {
      return arm -> Optional.ofNullable(arm.sweep()).map(sweep -> sweep.get(threads));
    }
  }

  /**
   * Returns the value of both variants, where both have it. One whose server ended is as bad as can
   * be: it is not left out.
   */
  Optional<Comparison.Pair> pair(Figure.Better better, Value value, Variant of, Variant than) {
    return valueOf(better, value, of)
        .flatMap(
            first -> valueOf(better, value, than).map(other -> new Comparison.Pair(first, other)));
  }

  private Optional<Double> valueOf(Figure.Better better, Value value, Variant variant) {
    double worst = better == Figure.Better.HIGHER ? 0 : Double.POSITIVE_INFINITY;
    return arm(variant).flatMap(arm -> arm.hasEnded() ? Optional.of(worst) : value.of(arm));
  }

  /**
   * Returns the value of two servers of the same variant, where both have it: of a round of equal
   * variants, or of one that begins with the variant that ends it.
   */
  Optional<Comparison.Pair> equalPair(Value value) {
    if (!hasEqualPair()) {
      return Optional.empty();
    }
    return value
        .of(arms.get(0))
        .flatMap(
            first ->
                value
                    .of(arms.get(arms.size() - 1))
                    .map(other -> new Comparison.Pair(first, other)));
  }

  boolean hasEqualPair() {
    return arms.size() > 1 && arms.get(0).variant() == arms.get(arms.size() - 1).variant();
  }

  boolean has(Variant variant) {
    return arm(variant).isPresent();
  }

  /** Returns the server of a variant; of two, the last one, as the first is for the noise alone. */
  Optional<Arm> arm(Variant variant) {
    return arms.stream().filter(arm -> arm.variant() == variant).reduce((first, second) -> second);
  }

  /** The values over time are of each variant once. */
  Round withoutPlotsOfNoise() {
    var kept = new ArrayList<>(arms);
    if (hasEqualPair()) {
      kept.set(0, arms.get(0).withoutPlots());
    }
    return new Round(equal, commit, ended, List.copyOf(kept));
  }

  Round withoutPlots() {
    return new Round(equal, commit, ended, arms.stream().map(Arm::withoutPlots).toList());
  }
}
