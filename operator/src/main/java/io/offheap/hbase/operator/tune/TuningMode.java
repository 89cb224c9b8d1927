package io.offheap.hbase.operator.tune;

/** Who decides on a change. */
public enum TuningMode {
  /** No change is made: the plan is as declared. */
  DISABLED,
  /** A user, who approves what tuning recommends. */
  RECOMMEND,
  /** Tuning, by {@linkplain Rule#isProven() proven} rules; a user for the other rules. */
  AUTO
}
