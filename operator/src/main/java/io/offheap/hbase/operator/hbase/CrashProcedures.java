package io.offheap.hbase.operator.hbase;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Caches the master's procedures of crashed servers. They are requested when a server may have
 * crashed, otherwise every few seconds: while a server with ten thousand regions is drained, each
 * response has megabytes.
 */
final class CrashProcedures {
  /** Only a server that starts or stops creates such a procedure. */
  private static final Duration AGE = Duration.ofSeconds(5);

  private volatile Optional<Cached> last = Optional.empty();

  private record Cached(Instant requestedAt, Set<String> live, ServerCrashes crashes) {}

  /**
   * Returns the cached state if it is recent enough, otherwise requests it.
   *
   * @param requestedAt when the view was requested
   * @param live live servers of the view
   * @param hasOneDeparted whether a server has just left the list of live servers: its procedure
   *     may start later
   * @param request requests the procedures from the master
   */
  CompletableFuture<ServerCrashes> get(
      Instant requestedAt,
      Set<String> live,
      boolean hasOneDeparted,
      Supplier<CompletableFuture<String>> request) {
    var known =
        last.filter(it -> !hasOneDeparted && it.live().equals(live) && isRecent(it, requestedAt));
    return known.isPresent()
        ? CompletableFuture.completedFuture(known.get().crashes())
        : request
            .get()
            .thenApply(ServerCrashes::of)
            .thenApply(
                it -> {
                  last = Optional.of(new Cached(requestedAt, Set.copyOf(live), it));
                  return it;
                });
  }

  /** A cached state with a later time was stored before the clock was set back. */
  private static boolean isRecent(Cached cached, Instant requestedAt) {
    var age = Duration.between(cached.requestedAt(), requestedAt);
    return !age.isNegative() && age.compareTo(AGE) < 0;
  }
}
