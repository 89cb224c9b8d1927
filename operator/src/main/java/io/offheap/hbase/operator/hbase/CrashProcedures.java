package io.offheap.hbase.operator.hbase;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The master's procedures of crashed servers, asked for when a server may have crashed, and else
 * every few seconds: while a server with ten thousand regions is emptied, each answer is megabytes.
 */
final class CrashProcedures {
  /** Nobody but a server that begins to live or is gone makes one. */
  private static final Duration AGE = Duration.ofSeconds(5);

  private volatile Optional<Answer> last = Optional.empty();

  private record Answer(Instant asked, Set<String> live, ServerCrashes crashes) {}

  /**
   * What they say, from the last answer where that will do.
   *
   * @param asked when the look began
   * @param live servers that live by it
   * @param isOneGone whether a server was found gone a moment ago: its procedure may begin later
   * @param ask asks the master
   */
  CompletableFuture<ServerCrashes> get(
      Instant asked, Set<String> live, boolean isOneGone, Supplier<CompletableFuture<String>> ask) {
    var known = last.filter(it -> !isOneGone && it.live().equals(live) && isRecent(it, asked));
    return known.isPresent()
        ? CompletableFuture.completedFuture(known.get().crashes())
        : ask.get()
            .thenApply(ServerCrashes::of)
            .thenApply(
                it -> {
                  last = Optional.of(new Answer(asked, Set.copyOf(live), it));
                  return it;
                });
  }

  /** An answer that is yet to come, a clock gave that was set back. */
  private static boolean isRecent(Answer answer, Instant asked) {
    var age = Duration.between(answer.asked(), asked);
    return !age.isNegative() && age.compareTo(AGE) < 0;
  }
}
