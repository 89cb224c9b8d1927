package io.offheap.hbase.operator.webhook;

import java.util.Locale;

/** What an alert has led to. */
enum Verdict {
  /** It triggers a reconciliation of its cluster. */
  TRIGGERED,
  /** The labels {@code namespace} and {@code cluster} are missing or no valid names. */
  NO_CLUSTER,
  /** The operator does not watch its namespace. */
  UNWATCHED_NAMESPACE,
  /** There is no such cluster. */
  UNKNOWN_CLUSTER,
  /** The alert is resolved. */
  RESOLVED,
  /** It begins later than a difference between two clocks explains. */
  FUTURE,
  /** It has ended, or began too long ago. */
  STALE,
  /** It triggered a reconciliation a short time ago. */
  REPEATED;

  /** Value in metrics and responses. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
