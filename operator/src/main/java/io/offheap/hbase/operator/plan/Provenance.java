package io.offheap.hbase.operator.plan;

/** Where the value of a setting comes from. */
public enum Provenance {
  /** A formula over declared fields and constants. */
  DERIVED,
  /** A field of the resource. */
  DECLARED,
  /** A rule of tuning. */
  TUNED,
  /** A field of the resource's profile. */
  PROFILE,
  /** A formula with inputs that were read from the running cluster. */
  LIVE
}
