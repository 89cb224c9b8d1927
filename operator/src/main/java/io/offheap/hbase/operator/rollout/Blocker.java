package io.offheap.hbase.operator.rollout;

import java.util.Collection;
import java.util.stream.Stream;

/** What holds back the next step of a rollout. The name is a value of a metric's label. */
public sealed interface Blocker permits Precondition, WaitReason {
  /** The name, unique among the constants of one type. */
  String name();

  /** A sentence that explains the wait, for messages. */
  String text();

  /**
   * Whether the spec requests the wait: during a pause or outside of a maintenance window, and
   * while a canary is compared.
   */
  boolean isIntended();

  /** Whether an event reports it: it is neither intended nor a part of each restart. */
  boolean isReported();

  /** The names of all. */
  static Collection<String> names() {
    return Stream.<Blocker>concat(Stream.of(Precondition.values()), Stream.of(WaitReason.values()))
        .map(Blocker::name)
        .distinct()
        .toList();
  }
}
