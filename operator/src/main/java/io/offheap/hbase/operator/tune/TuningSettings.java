package io.offheap.hbase.operator.tune;

import java.time.Duration;
import java.util.Set;

/**
 * The user's settings for tuning.
 *
 * @param mode who decides on a change
 * @param window how long metrics are collected before a change, and again after it
 * @param warmUp how long after its start a server's metrics do not count: a new process compiles
 *     its code and fills its caches
 * @param coolDown how long no change is applied after a change was kept or rolled back
 * @param changesPerDay how many changes are applied in 24 hours; a rollback counts, but is never
 *     delayed
 * @param disabled rules whose proposals are ignored
 */
public record TuningSettings(
    TuningMode mode,
    Duration window,
    Duration warmUp,
    Duration coolDown,
    int changesPerDay,
    Set<String> disabled) {
  public TuningSettings {
    disabled = Set.copyOf(disabled);
  }
}
