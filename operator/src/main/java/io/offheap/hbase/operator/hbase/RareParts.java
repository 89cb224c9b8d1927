package io.offheap.hbase.operator.hbase;

import static java.util.stream.Collectors.toUnmodifiableSet;

import io.offheap.hbase.operator.rollout.HBaseView;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.AsyncAdmin;

/**
 * The parts of a view that change only by a command, or with a server that starts or stops: whether
 * the normalizer is on, and which servers are draining or have crashed. Each is a request to the
 * master. Of a cluster at rest they are requested once a minute, and at once when another master is
 * active, another server is live, or a command has ended.
 *
 * <p>A view with kept parts has their time as its own ({@code HBaseView.requestedAt}), so that no
 * step of a rollout takes it for one that was requested after the step began.
 *
 * <p>A read that has run into its deadline may get its responses later. They change nothing once
 * the next read has begun: they are older than what that one finds.
 */
final class RareParts {
  /**
   * Kept parts are less than this older than the request of the view that has them: less than six
   * periods of views. A view counts until it is 15 s old ({@code RolloutSnapshot.fresh}), so its
   * parts may be 70 s old, and the procedures 5 s more ({@link CrashProcedures}). All that by the
   * operator's clock: if it was set back meanwhile by less than their age, they are older by as
   * much.
   */
  private static final Duration AGE = Duration.ofSeconds(55);

  /** No command takes longer; a later end was stored before the clock was set back. */
  private static final Duration LONGEST_COMMAND = Duration.ofMinutes(1);

  /** Longest time from the end of a server to the start of its crash procedure. */
  private static final Duration LONGEST_UNTIL_PROCEDURE = Duration.ofSeconds(5);

  private final CrashProcedures procedures = new CrashProcedures();
  private volatile Map<String, Instant> departed = Map.of();
  private volatile Optional<Kept> last = Optional.empty();
  private long reads;

  /**
   * The parts.
   *
   * @param requestedAt when they were requested, or earlier
   * @param draining names of the servers that get no region
   * @param crashed names of the servers whose regions are still being reassigned
   */
  record Parts(
      Instant requestedAt, boolean isNormalizerOn, Set<String> draining, Set<String> crashed) {}

  /**
   * A read of a view.
   *
   * @param number a later read has a higher one
   * @param requestedAt when it began
   * @param restSince at rest, when the last command ended; otherwise empty. It may be to come:
   *     while a command of the process before may take effect, or where the clock was set back
   */
  record Read(long number, Instant requestedAt, Optional<Instant> restSince) {
    /** Whether no command has ended since the parts were requested. */
    private boolean isOfSameRest(Read parts) {
      return restSince
          .filter(it -> parts.restSince.equals(restSince))
          .filter(
              it -> parts.requestedAt.isAfter(it) || it.isAfter(requestedAt.plus(LONGEST_COMMAND)))
          .isPresent();
    }
  }

  /**
   * The master's response that belongs to the parts.
   *
   * @param read the read that has requested it
   * @param master name of the active master
   * @param live names of the live region servers
   */
  record Servers(Read read, Optional<String> master, Set<String> live) {
    Instant requestedAt() {
      return read.requestedAt();
    }

    boolean areSame(Servers other) {
      return master.isPresent() && master.equals(other.master) && live.equals(other.live);
    }
  }

  private record Kept(Servers servers, Parts parts) {}

  /** The parts that do not depend on the list of live servers, while they are being requested. */
  record Requested(
      CompletableFuture<Boolean> isNormalizerOn, CompletableFuture<Set<String>> draining) {
    static Requested from(AsyncAdmin admin) {
      var normalizer = admin.isNormalizerEnabled();
      // A master that is still starting refuses this request, and so the view fails.
      var draining =
          admin
              .listDecommissionedRegionServers()
              .thenApply(it -> names(ServerBounds.check("draining servers", it)));
      return new Requested(normalizer, draining);
    }
  }

  /** A read of a view begins: {@link Read}. */
  synchronized Read begin(Instant now, Optional<Instant> restSince) {
    reads++;
    return new Read(reads, now, restSince);
  }

  /** The kept parts, if they still hold; none but at rest. */
  Optional<Parts> kept(Servers now) {
    return last.filter(it -> it.servers().areSame(now))
        .filter(it -> departed.isEmpty() && it.parts().crashed().isEmpty())
        .filter(it -> now.read().isOfSameRest(it.servers().read()))
        .map(Kept::parts)
        .filter(it -> isRecent(it, now.requestedAt()));
  }

  /** Parts with a later time were requested before the clock was set back. */
  private static boolean isRecent(Parts parts, Instant now) {
    var age = Duration.between(parts.requestedAt(), now);
    return !age.isNegative() && age.compareTo(AGE) < 0;
  }

  /**
   * Requests the procedures of crashed servers, and completes the parts.
   *
   * @param before the last view
   */
  CompletableFuture<Parts> complete(
      Requested requested, AsyncAdmin admin, Servers now, Optional<HBaseView> before) {
    var crashed =
        procedures
            .get(now.requestedAt(), now.live(), !departed.isEmpty(), admin::getProcedures)
            .thenApply(it -> crashed(now, before, it));
    return CompletableFuture.allOf(requested.isNormalizerOn(), requested.draining(), crashed)
        .thenApply(
            all -> {
              var parts =
                  new Parts(
                      now.requestedAt(),
                      requested.isNormalizerOn().join(),
                      requested.draining().join(),
                      crashed.join());
              keep(new Kept(now, parts));
              return parts;
            });
  }

  private synchronized void keep(Kept parts) {
    if (isNewest(parts.servers())) {
      last = Optional.of(parts);
    }
  }

  /**
   * The master removes a server from its list of live servers a moment before it starts the
   * procedure, so a server that has just left counts as crashed unless its procedure has ended.
   */
  private synchronized Set<String> crashed(
      Servers now, Optional<HBaseView> before, ServerCrashes crashes) {
    var times = new HashMap<>(departed);
    before.stream()
        .flatMap(view -> view.servers().stream())
        .forEach(it -> times.putIfAbsent(it.name(), now.requestedAt()));
    times.keySet().removeAll(now.live());
    // The clock was set back since. How long ago the server left is not known: it may be a moment.
    times.replaceAll((server, at) -> at.isAfter(now.requestedAt()) ? now.requestedAt() : at);
    times.values().removeIf(it -> it.isBefore(now.requestedAt().minus(LONGEST_UNTIL_PROCEDURE)));
    if (isNewest(now)) {
      departed = times;
    }
    var crashed = new HashSet<>(times.keySet());
    crashed.removeAll(crashes.finished());
    crashed.addAll(crashes.unfinished());
    return crashed;
  }

  private boolean isNewest(Servers response) {
    return response.read().number() == reads;
  }

  private static Set<String> names(List<ServerName> servers) {
    return servers.stream().map(ServerName::getServerName).collect(toUnmodifiableSet());
  }
}
