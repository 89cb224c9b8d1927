package io.offheap.hbase.report;

/** How much of the report is measured. */
enum MeasuredSet {
  WHOLE,
  /** A few units in under 20 minutes; what they show is indicative. */
  QUICK,
  /** Each unit once, as small as it works; it shows that the measurement works. */
  SMOKE
}
