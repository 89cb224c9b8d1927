package io.offheap.hbase.operator.observe;

import io.offheap.hbase.operator.deploy.PodDryRun.Refused;
import io.offheap.hbase.operator.deploy.PodDryRun.Response;
import java.time.Duration;
import java.util.Optional;

/**
 * The last check of the pods of a StatefulSet that are in the same state.
 *
 * @param pod name of the checked pod
 * @param hash hash of its template
 * @param missing since when it is missing, on the monotonic clock; empty where it exists
 * @param at when the API server last responded, on the monotonic clock; empty before
 * @param refusal the API server's refusal
 */
record PodCheckState(
    String pod,
    Optional<String> hash,
    Optional<Long> missing,
    Optional<Long> at,
    Optional<Refusal> refusal) {
  /** A deleted pod is normally created again within this time. */
  private static final Duration MISSING = Duration.ofSeconds(10);

  /**
   * A webhook that failed once and responds too late from then on: by other means, the pod may be
   * admitted.
   */
  private static final Duration COUNTS = Duration.ofMinutes(10);

  /**
   * The state before a check.
   *
   * @param before the state of the pods' last check, of which only what is about the same template
   *     counts
   */
  static PodCheckState before(PodCheck check, Optional<PodCheckState> before, long now) {
    var hash = check.templateHash();
    var same = before.filter(it -> it.hash().equals(hash));
    var ofPod = same.filter(it -> it.pod().equals(check.pod()));
    return check.isReplacement()
        ? new PodCheckState(
            check.pod(),
            hash,
            Optional.empty(),
            ofPod.flatMap(PodCheckState::at),
            same.flatMap(PodCheckState::refusal))
        : ofPod.orElseGet(
            () ->
                new PodCheckState(
                    check.pod(), hash, Optional.of(now), Optional.empty(), Optional.empty()));
  }

  /**
   * Whether the pod must be checked.
   *
   * @param period how long a response counts
   */
  boolean isDue(long now, Duration period) {
    return missing.filter(it -> now - it < MISSING.toNanos()).isEmpty()
        && at.filter(it -> now - it < period.toNanos()).isEmpty();
  }

  /** Whether the refusal is too old to keep a pod that serves nothing as it is. */
  boolean isStale(long now) {
    return refusal.filter(it -> now - it.last() < COUNTS.toNanos()).isEmpty();
  }

  PodCheckState with(Response response, long now) {
    return new PodCheckState(
        pod,
        hash,
        missing,
        Optional.of(now),
        response instanceof Refused refused
            ? Optional.of(Refusal.of(refused.message(), now, refusal))
            : Optional.empty());
  }

  /**
   * A refusal.
   *
   * @param message the API server's message, on one line and shortened
   * @param at when it was new, on the monotonic clock
   * @param last when the API server last refused, on the monotonic clock
   */
  record Refusal(String message, long at, long last) {
    /**
     * Time between two writes of a message that differs only in its numbers: ports, times, the used
     * part of a quota.
     */
    private static final Duration SAME_MESSAGE = Duration.ofMinutes(10);

    /** Length of the kept beginning, which names who refuses. In characters. */
    private static final int LENGTH = 600;

    static Refusal of(String text, long now, Optional<Refusal> before) {
      var line = text.replaceAll("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]+", " ").strip();
      var message = line.length() <= LENGTH ? line : line.substring(0, LENGTH) + "...";
      return before
          .filter(it -> now - it.at < SAME_MESSAGE.toNanos())
          .filter(it -> withoutNumbers(it.message).equals(withoutNumbers(message)))
          .map(it -> new Refusal(it.message, it.at, now))
          .orElseGet(() -> new Refusal(message, now, now));
    }

    private static String withoutNumbers(String message) {
      return message.replaceAll("\\S*[0-9]\\S*", "#");
    }
  }
}
