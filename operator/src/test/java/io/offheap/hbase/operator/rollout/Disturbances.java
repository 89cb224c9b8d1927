package io.offheap.hbase.operator.rollout;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What happened to pods of a {@link Simulation}, and which rollbacks it is evidence for. */
final class Disturbances {
  /** The longest back-off of a process that has waited for ZooKeeper or HDFS, and its start. */
  private static final Duration START_AFTER_OUTAGE = Duration.ofSeconds(70);

  private final Simulation world;
  private final List<Disturbed> disturbances = new ArrayList<>();

  private record Disturbed(Instant at, String pod, Kind kind) {}

  /** What happened to a pod. */
  enum Kind {
    CRASH,
    NODE,
    SILENCE
  }

  Disturbances(Simulation world) {
    this.world = world;
  }

  private void add(String pod, Kind kind) {
    world.note(() -> kind + " of " + pod);
    disturbances.add(new Disturbed(world.now(), pod, kind));
  }

  /** A pod ceases to exist with its node. */
  void lose(String pod) {
    add(pod, Kind.NODE);
    world.kubernetes().lose(pod);
  }

  /** The node of a pod does not report for a time. */
  void silence(String pod, boolean isServerLost, Duration time) {
    add(pod, Kind.NODE);
    world.kubernetes().silence(pod, isServerLost, time);
  }

  /** A server or master responds to others, and not to the operator. */
  void silence(String pod) {
    add(pod, Kind.SILENCE);
    world.kubernetes().pod(pod).flatMap(it -> it.server).ifPresent(world.hbase().silent::add);
  }

  /** The kubelet evicts a pod. */
  void evict(String pod) {
    if (world.kubernetes().evict(pod)) {
      add(pod, Kind.NODE);
    }
  }

  /** The process of a pod ends. */
  void crash(String pod) {
    if (world.kubernetes().crash(pod)) {
      add(pod, Kind.CRASH);
    }
  }

  /**
   * A change that starts and performs as well as the one before is rolled back only if a server of
   * its group has ended, reported nothing, or was lost twice. No other outage of ZooKeeper or HDFS
   * is a reason, nor are the exits of processes that have waited for them. Of external ones the
   * operator has no report on an outage: a start that waits for them is overdue as any other, and
   * an end of the canary counts as one of its change. Also where other servers end or wait in the
   * same outage: a change may make those fail that take regions over. Time without an active master
   * counts against a start, whatever is its cause.
   */
  boolean explain(Decision.RolledBack back) {
    var revision = world.kubernetes().group(back.group()).revision;
    var text = String.join(", ", back.evidence());
    long crashes = count(back.group(), Kind.CRASH);
    return revision < 0
        || isOfUnseenOutage(back, text)
        || world.metrics().isWorse(back.group(), revision)
        || (text.contains("restarted") && (crashes > 0 || hasEndedUnwatched(back.group(), text)))
        || (text.contains("not alive") && crashes > 0)
        || (text.contains("no metrics") && isSilenced(back.group(), text))
        // While HBase does not respond, a server that is ready has not failed to start.
        || (back.reason().equals("NotServing") && crashes > 0)
        || (back.reason().equals("NotServing") && !world.hbase().hasActiveMaster())
        || (back.reason().equals("CannotStart") && hasEndedTwice(back.group(), text))
        || (back.reason().equals("NodeLost") && losses(back.group(), text) > 1);
  }

  /**
   * The server that was judged could not start for want of external ZooKeeper or HDFS, or ended
   * because it could not write its log.
   */
  private boolean isOfUnseenOutage(Decision.RolledBack back, String text) {
    var kubernetes = world.kubernetes();
    boolean isStart = back.reason().equals("NotServing");
    return world.infrastructure().isExternal()
        && (isStart
            ? kubernetes.wasKeptWaiting(text, world.now().minus(START_AFTER_OUTAGE))
            : text.contains("restarted")
                && kubernetes.endsInOutages(back.group(), text, world.now()) > 0);
  }

  /** A server that was silenced before its group's last change is silent all the same. */
  private boolean isSilenced(String group, String text) {
    return count(group, Kind.SILENCE) > 0
        || world.kubernetes().of(group).stream()
            .filter(it -> text.startsWith(it.name + " "))
            .flatMap(it -> it.server.stream())
            .anyMatch(world.hbase().silent::contains);
  }

  /** An end in an outage that was over when the operator began looks like any other one. */
  private boolean hasEndedUnwatched(String group, String text) {
    return world.kubernetes().endsInOutages(group, text, world.operatorSince()) > 0;
  }

  private long losses(String group, String text) {
    return count(group, Kind.NODE) + world.kubernetes().endsInOutages(group, text, world.now());
  }

  /** Whether the process of the pod in a text has ended twice, not with its node or in outages. */
  private boolean hasEndedTwice(String group, String text) {
    return world.kubernetes().of(group).stream()
        .filter(it -> text.startsWith(it.name + " "))
        .anyMatch(it -> it.endsApartFromOutages() > 1 && !it.isEndedByNode);
  }

  private long count(String group, Kind kind) {
    var since = world.kubernetes().group(group).since;
    return disturbances.stream()
        .filter(it -> it.kind() == kind && !it.at().isBefore(since))
        .filter(it -> SimulatedKubernetes.isOf(group, it.pod()))
        .count();
  }
}
