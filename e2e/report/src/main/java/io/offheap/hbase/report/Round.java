package io.offheap.hbase.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Optional;

/**
 * Servers that were measured one after the other.
 *
 * @param equal whether all are of the same variant
 * @param commit that was measured
 * @param ended when, in UTC
 * @param arms in the order in which they ran
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

  /** Returns the value of both variants, where both have it. */
  Optional<Comparison.Pair> pair(Value value, Variant of, Variant than) {
    return arm(of)
        .flatMap(value::of)
        .flatMap(
            first -> arm(than).flatMap(value::of).map(other -> new Comparison.Pair(first, other)));
  }

  /** Returns the value of both servers of a round of equal variants, where both have it. */
  Optional<Comparison.Pair> equalPair(Value value) {
    if (!equal || arms.size() != 2) {
      return Optional.empty();
    }
    return value
        .of(arms.get(0))
        .flatMap(first -> value.of(arms.get(1)).map(second -> new Comparison.Pair(first, second)));
  }

  Optional<Arm> arm(Variant variant) {
    return arms.stream().filter(arm -> arm.variant() == variant).findFirst();
  }

  Round withoutPlots() {
    return new Round(equal, commit, ended, arms.stream().map(Arm::withoutPlots).toList());
  }
}
