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

  private static Optional<Double> value(Arm arm, Figure figure) {
    return Optional.ofNullable(arm.figures().get(figure));
  }

  /** Returns the figure of both variants, where both have it. */
  Optional<Comparison.Pair> pair(Figure figure, Variant of, Variant than) {
    return arm(of)
        .flatMap(arm -> value(arm, figure))
        .flatMap(
            value ->
                arm(than)
                    .flatMap(arm -> value(arm, figure))
                    .map(other -> new Comparison.Pair(value, other)));
  }

  /** Returns the figure of both servers of a round of equal variants, where both have it. */
  Optional<Comparison.Pair> equalPair(Figure figure) {
    if (!equal || arms.size() != 2) {
      return Optional.empty();
    }
    return value(arms.get(0), figure)
        .flatMap(
            first -> value(arms.get(1), figure).map(second -> new Comparison.Pair(first, second)));
  }

  Optional<Arm> arm(Variant variant) {
    return arms.stream().filter(arm -> arm.variant() == variant).findFirst();
  }

  Round withoutEden() {
    return new Round(equal, commit, ended, arms.stream().map(Arm::withoutEden).toList());
  }
}
