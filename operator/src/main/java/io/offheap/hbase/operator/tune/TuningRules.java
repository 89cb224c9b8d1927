package io.offheap.hbase.operator.tune;

import java.time.Duration;
import java.util.Set;

/**
 * How a person wants tuning done.
 *
 * @param mode who decides
 * @param window how long a group is looked at before a change, and again after it
 * @param warmUp how long after its start a server's metrics are not judged: a young process
 *     compiles its code and fills its caches
 * @param coolDown how long nothing is changed after a change was judged
 * @param changesADay how many changes are applied in 24 hours; what is taken back counts, but is
 *     never held up
 * @param disabled rules that are not asked
 */
public record TuningRules(
    TuningMode mode,
    Duration window,
    Duration warmUp,
    Duration coolDown,
    int changesADay,
    Set<RuleName> disabled) {
  public TuningRules {
    disabled = Set.copyOf(disabled);
  }
}
