package io.offheap.hbase.report;

/** How much of the report is measured. */
enum MeasuredSet {
  WHOLE,
  /** One unit in under 20 minutes; what it shows is indicative. */
  QUICK,
  /** Each unit once and one shape, as small as they work; it shows that the measurement works. */
  SMOKE
}
