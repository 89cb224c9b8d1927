package io.offheap.hbase.operator.rollout;

import java.util.Collection;
import java.util.Locale;
import java.util.stream.Stream;

/** What holds back the next step of a rollout. */
public sealed interface Blocker permits Precondition, WaitReason {
  /** The constant's name. */
  String name();

  /** Its value of a metric's label; unique among the constants of one type. */
  default String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** A sentence that explains the wait, for messages. */
  String text();

  /**
   * Whether the spec requests the wait: during a pause or outside of a maintenance window, and
   * while a canary is compared.
   */
  boolean isIntended();

  /** Whether an event reports it: it is neither intended nor a part of each restart. */
  boolean isReported();

  /** The labels of all. */
  static Collection<String> labels() {
    return Stream.<Blocker>concat(Stream.of(Precondition.values()), Stream.of(WaitReason.values()))
        .map(Blocker::label)
        .distinct()
        .toList();
  }
}
