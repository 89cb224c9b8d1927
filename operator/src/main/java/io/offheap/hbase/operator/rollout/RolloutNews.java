package io.offheap.hbase.operator.rollout;

import io.offheap.hbase.operator.rollout.Rollout.Canary;
import io.offheap.hbase.operator.rollout.Rollout.Finished;
import io.offheap.hbase.operator.rollout.Rollout.MasterRestart;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The differences between the stored and the new state of a rollout, for events and metrics.
 *
 * @param events events for people
 * @param finished restarts that ended
 * @param mastersRestarted masters whose restart ended
 * @param canariesEnded comparisons that ended
 */
public record RolloutNews(
    List<Event> events,
    List<Finished> finished,
    List<MasterRestart> mastersRestarted,
    List<Canary> canariesEnded) {
  /** A rollout has ended. */
  public static final Event FINISHED =
      normal("RolloutFinished", "balancer and normalizer are as they were");

  private static final Event STARTED =
      normal("RolloutStarted", "balancer and normalizer are off until it ends");

  public RolloutNews {
    events = List.copyOf(events);
    finished = List.copyOf(finished);
    mastersRestarted = List.copyOf(mastersRestarted);
    canariesEnded = List.copyOf(canariesEnded);
  }

  /**
   * An event for people.
   *
   * @param reason as an upper camel case word
   * @param isWarning whether its type is Warning
   * @param note what happened
   */
  public record Event(String reason, boolean isWarning, String note) {}

  /**
   * What has happened last in a stored rollout and has its time there: the beginning of the
   * rollout, the end of each restart, the step of each restart, and the restart of a master. {@link
   * #of} has an event of each of them that is new, and no other process has another one of it: one
   * that has nothing to compare with reports the same.
   *
   * <p>The other events are left out. A comparison's time changes without an event, and a cancelled
   * restart of a master keeps the time of its beginning; of their ends none is stored.
   */
  public static Map<Event, Instant> last(Rollout stored) {
    var last = new LinkedHashMap<Event, Instant>();
    last.put(STARTED, stored.started());
    last.putAll(ended(stored.finished()));
    stored.restarts().forEach(it -> last.put(event(it), it.since()));
    stored
        .master()
        .filter(it -> !it.isCancelled())
        .ifPresent(it -> last.put(event(it), it.since()));
    return last;
  }

  /** The end of each restart whose time is stored, the earliest first. */
  public static Map<Event, Instant> ended(List<Finished> restarts) {
    var ended = new LinkedHashMap<Event, Instant>();
    for (int at = restarts.size() - 1; at >= 0; at--) {
      var restart = restarts.get(at);
      restart.ended().ifPresent(time -> ended.put(event(restart), time));
    }
    return ended;
  }

  /** Compares. */
  public static RolloutNews of(Optional<Rollout> before, Optional<Rollout> after) {
    var events = new ArrayList<Event>();
    var finished = finished(before, after);
    events.addAll(begun(before, after));
    var masters = masters(before, after, events);
    var passed = canary(before, after, events);
    if (before.isPresent() && after.isEmpty()) {
      events.add(FINISHED);
    }
    return new RolloutNews(events, finished, masters, passed);
  }

  /**
   * Whether a rollout has advanced: the restart or the removal of a server was completed, or a
   * canary has passed. A cancelled restart is no advance, nor is a step of a restart: a server that
   * cannot be drained repeats the same steps.
   */
  public static boolean hasAdvanced(Optional<Rollout> before, Optional<Rollout> after) {
    var passed = after.map(Rollout::passed).orElse(List.of());
    return finished(before, after).stream().anyMatch(it -> it.outcome().isComplete())
        || (after.flatMap(Rollout::master).isEmpty()
            && before.flatMap(Rollout::master).filter(it -> !it.isCancelled()).isPresent())
        || before.flatMap(Rollout::canary).stream()
            .anyMatch(was -> passed.stream().anyMatch(it -> it.canary().isSame(was)));
  }

  private static List<Event> begun(Optional<Rollout> before, Optional<Rollout> after) {
    var known = before.map(RolloutNews::last).orElse(Map.of());
    return after.map(RolloutNews::last).orElse(Map.of()).entrySet().stream()
        .filter(it -> !it.getValue().equals(known.get(it.getKey())))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static Event event(ServerRestart restart) {
    return switch (restart.step()) {
      case DRAIN ->
          normal(
              "Draining",
              restart.pod()
                  + " is drained: "
                  + restart.cause().text()
                  + " ("
                  + restart.server()
                  + ")");
      case STOP -> normal("Stopping", restart.pod() + " is drained and stops");
      case START -> normal("Starting", restart.pod() + " starts");
      case RETURN -> returning(restart);
    };
  }

  private static Event returning(ServerRestart restart) {
    if (restart.cancelled().equals(Optional.of(ServerRestart.Cancellation.DRAIN_TIMED_OUT))) {
      return new Event(
          "DrainTimedOut",
          true,
          restart.pod() + " could not be drained in time and gets its regions back");
    }
    return normal(
        "Returning",
        restart.pod()
            + (restart.isCancelled() ? " is not restarted now; it" : "")
            + " gets "
            + restart.toBringBack().size()
            + " regions back");
  }

  private static Event event(MasterRestart master) {
    return normal(
        "RestartingMaster", master.pod() + (master.server().isPresent() ? ", the active one" : ""));
  }

  private static Event event(Canary canary) {
    return normal("CanaryStarted", canary.pod() + " is compared with its peers");
  }

  private static Event event(Finished restart) {
    return normal(
        restart.outcome() == Rollout.Outcome.SCALED_DOWN ? "ServerRemoved" : "ServerDone",
        String.format(
            Locale.ROOT,
            "%s: %d regions; seconds to drain %.1f, to stop %.1f, to serve %.1f, to return %.1f",
            restart.pod(),
            restart.regions(),
            restart.times().drain().toMillis() / 1000.0,
            restart.times().stop().toMillis() / 1000.0,
            restart.times().start().toMillis() / 1000.0,
            restart.times().bringBack().toMillis() / 1000.0));
  }

  private static List<Finished> finished(Optional<Rollout> before, Optional<Rollout> after) {
    if (before.isEmpty() || after.isEmpty()) {
      return List.of();
    }
    var ended =
        before.get().restarts().stream()
            .filter(it -> after.get().restartOf(it.pod()).isEmpty())
            .count();
    return after.get().finished().stream().limit(ended).toList();
  }

  private static List<MasterRestart> masters(
      Optional<Rollout> before, Optional<Rollout> after, List<Event> events) {
    var was = before.flatMap(Rollout::master);
    var now = after.flatMap(Rollout::master);
    if (was.isPresent() && now.isEmpty() && was.get().isCancelled()) {
      events.add(normal("MasterNotRestarted", was.get().pod() + " is not restarted now"));
      return List.of();
    }
    if (was.isPresent() && now.isEmpty()) {
      events.add(normal("MasterDone", was.get().pod()));
      return List.of(was.get());
    }
    return List.of();
  }

  private static List<Canary> canary(
      Optional<Rollout> before, Optional<Rollout> after, List<Event> events) {
    var was = before.flatMap(Rollout::canary);
    var now = after.flatMap(Rollout::canary);
    boolean hasEnded =
        was.isPresent() && now.filter(it -> it.pod().equals(was.get().pod())).isEmpty();
    if (hasEnded) {
      events.add(normal("CanaryEnded", was.get().pod() + howItEnded(was.get(), after)));
    }
    if (now.isPresent() && (was.isEmpty() || hasEnded)) {
      events.add(event(now.get()));
    }
    if (was.isPresent() && now.filter(it -> it.isLostAfter(was.get())).isPresent()) {
      events.add(
          new Event(
              "CanaryNodeLost",
              true,
              was.get().pod()
                  + " was lost, as with its node or in an outage; it is compared anew when it serves"));
    }
    return hasEnded ? List.of(was.get()) : List.of();
  }

  private static String howItEnded(Canary canary, Optional<Rollout> after) {
    return after.stream()
        .flatMap(it -> it.passed().stream())
        .filter(it -> it.canary().isSame(canary))
        .findFirst()
        .map(it -> " is no worse than its peers: " + String.join(", ", it.evidence()))
        .orElse(" is not compared with its peers any more");
  }

  private static Event normal(String reason, String note) {
    return new Event(reason, false, note);
  }
}
