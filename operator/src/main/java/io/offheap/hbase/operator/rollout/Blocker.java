package io.offheap.hbase.operator.rollout;

import java.util.Collection;
import java.util.stream.Stream;

/** What holds the next step of a rollout back. Its name is a value of a metric's label. */
public sealed interface Blocker permits Precondition, WaitReason {
  /** The name, unique among the constants of one type. */
  String name();

  /** What it means that the rollout is held back by this, as a sentence for people. */
  String text();

  /** Whether it may last for hours, in which nothing of a rollout must be left in the cluster. */
  boolean isLasting();

  /**
   * Whether the spec asks for the wait: for as long as a pause or a closed window lasts, and while
   * a canary is compared.
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
