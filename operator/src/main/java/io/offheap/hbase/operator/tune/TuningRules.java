package io.offheap.hbase.operator.tune;

import java.time.Duration;
import java.util.Set;

/**
 * How a person wants tuning done.
 *
 * @param mode who decides
 * @param window how long a group is looked at before a change, and again after it
 * @param coolDown how long nothing is changed after a change was judged
 * @param changesADay how many changes are applied in 24 hours; what is taken back counts, but is
 *     never held up
 * @param disabled rules that are not asked
 */
public record TuningRules(
    TuningMode mode, Duration window, Duration coolDown, int changesADay, Set<RuleName> disabled) {
  public TuningRules {
    disabled = Set.copyOf(disabled);
  }
}
