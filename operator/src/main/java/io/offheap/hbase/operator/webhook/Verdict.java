package io.offheap.hbase.operator.webhook;

import java.util.Locale;

/** What became of an alert. */
enum Verdict {
  /** Its cluster is looked at. */
  LOOK,
  /** The labels {@code namespace} and {@code cluster} are not both there and names. */
  NO_CLUSTER,
  /** The operator does not watch its namespace. */
  UNWATCHED_NAMESPACE,
  /** There is no such cluster. */
  UNKNOWN_CLUSTER,
  /** Whatever it was about is over. */
  RESOLVED,
  /** It begins later than any difference between two clocks explains. */
  FUTURE,
  /** It has ended, or began so long ago that it is no news. */
  STALE,
  /** It was a reason to look a moment ago. */
  REPEATED;

  /** As it is written in metrics and answers. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
