package io.offheap.hbase.operator.rollout;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A simulated pod, and the process of its server or master.
 *
 * <p>A process that begins waits for ZooKeeper and HDFS, and exits after five minutes without them.
 * A revision under zero does not start: an odd one exits then, an even one hangs. A process that
 * has exited is started again with back-off: at once, after 10 s, 20 s and so on up to a minute.
 * The kubelet's limit is five minutes. As that is to a real {@code startTimeout}, the simulated
 * limit and a start together are shorter than the simulated one: a server that is still in back-off
 * when its time is over would be rolled back, as {@code docs/operations.md} warns.
 */
final class SimulatedPod {
  /** As long as the image's entrypoint waits. */
  private static final int SECONDS_TO_WAIT = 300;

  private static final int SECONDS_TO_FAIL = 3;
  private static final int FIRST_BACK_OFF = 10;
  private static final int LONGEST_BACK_OFF = 60;

  /** After as many ends of its process Kubernetes is taken to report a trouble. */
  private static final int ENDS_TO_REPORT = 2;

  private static final Duration UNTIL_SILENT = Duration.ofSeconds(20);
  private static final Duration UNTIL_EVICTED = Duration.ofSeconds(60);

  final String name;
  final String uid;
  final String group;
  final int ordinal;
  final int revision;
  Optional<Instant> deleted = Optional.empty();

  /** The server name of its process, while that runs. */
  Optional<String> server = Optional.empty();

  /** How often its process has ended. */
  int ends;

  /**
   * How many of these ends were of a process that had waited too long, or could not write its log.
   */
  private int endsInOutages;

  boolean isEndedByNode;

  /** Whether its node has ended it, for ever: its controller deletes it. */
  boolean isEvicted;

  private Instant startsAt;
  private Instant readyAt;
  private boolean isPlaced;
  private boolean isWaiting = true;

  /** How often it has exited since it last started; the back-off depends on it. */
  private int exitsInARow;

  private Optional<Outage> outage = Optional.empty();

  /**
   * A time in which a pod's node does not report.
   *
   * @param wasReady whether the pod was ready before
   * @param isServerLost whether the pod's process has ended with the node
   */
  private record Outage(Instant since, Instant until, boolean wasReady, boolean isServerLost) {}

  SimulatedPod(
      String name,
      String uid,
      String group,
      int ordinal,
      int revision,
      Instant startsAt,
      Instant readyAt) {
    this.name = name;
    this.uid = uid;
    this.group = group;
    this.ordinal = ordinal;
    this.revision = revision;
    this.startsAt = startsAt;
    this.readyAt = readyAt;
  }

  /** Whether its next process is due, if a node has room for the pod. */
  boolean isDue(Instant now, boolean hasRoom) {
    return server.isEmpty() && !isEvicted && !now.isBefore(startsAt) && (hasRoom || isPlaced);
  }

  /**
   * Advances a process that is due and does not serve yet.
   *
   * @param isServed whether ZooKeeper and HDFS serve
   * @return whether it has started, and gets a server name
   */
  boolean advance(Instant now, boolean isServed) {
    // It has waited, for a node or a dependency: the time of its readiness is over, or wrong.
    boolean isLate = now.isAfter(startsAt);
    if (!isPlaced) {
      isPlaced = true;
      startsAt = now;
    }
    isWaiting &= !isServed;
    if (!isWaiting && revision > 0) {
      exitsInARow = 0;
      if (isLate) {
        readyAt = now.plusSeconds(2);
      }
      return true;
    }
    int seconds = isWaiting ? SECONDS_TO_WAIT : SECONDS_TO_FAIL;
    if ((isWaiting || revision % 2 != 0) && !now.isBefore(startsAt.plusSeconds(seconds))) {
      exit(now);
    }
    return false;
  }

  private void exit(Instant now) {
    endsInOutages += isWaiting ? 1 : 0;
    int backOff = exitsInARow == 0 ? 1 : FIRST_BACK_OFF << Math.min(exitsInARow - 1, 5);
    exitsInARow++;
    restart(now.plusSeconds(Math.min(backOff, LONGEST_BACK_OFF)), false);
  }

  /** Its process could not write its log and has ended, which is no evidence. */
  void endInOutage(Instant next) {
    endsInOutages++;
    restart(next, false);
  }

  /** How often its process has ended for another reason than an outage. */
  int endsApartFromOutages() {
    return ends - endsInOutages;
  }

  /** Its process has ended, and the next one begins at a time. */
  void restart(Instant next, boolean isByNode) {
    ends++;
    isEndedByNode = isByNode;
    isWaiting = true;
    startsAt = next;
    readyAt = next.plusSeconds(2);
  }

  /** Its node does not report for a time; whether that begins now. */
  boolean silence(Instant now, Duration time, boolean isServerLost) {
    boolean isNew = isPlaced && outage.isEmpty();
    if (isNew) {
      outage = Optional.of(new Outage(now, now.plus(time), isReady(now), isServerLost));
    }
    return isNew;
  }

  /** Its node reports again; a process that has ended with it begins at a time. */
  void report(Instant next) {
    if (outage.filter(Outage::isServerLost).isPresent()) {
      restart(next, true);
    }
    outage = Optional.empty();
  }

  boolean isUnreported() {
    return outage.isPresent();
  }

  boolean isToReport(Instant now) {
    return outage.filter(it -> !now.isBefore(it.until())).isPresent();
  }

  boolean isToBeEvicted(Instant now) {
    return outage.filter(it -> !now.isBefore(it.since().plus(UNTIL_EVICTED))).isPresent();
  }

  private boolean isSilent(Instant now) {
    return outage.filter(it -> !now.isBefore(it.since().plus(UNTIL_SILENT))).isPresent();
  }

  boolean isStarted(Instant now) {
    return server.isPresent() && !now.isBefore(readyAt);
  }

  /** As Kubernetes reports it: the last report of a node counts until the node is silent. */
  boolean isReady(Instant now) {
    return outage.map(it -> it.wasReady() && !isSilent(now)).orElse(isStarted(now));
  }

  /** What keeps it from serving, as Kubernetes reports it. */
  Optional<PodTrouble> trouble(Instant now, boolean hasRoom) {
    if (isEvicted) {
      return Optional.of(new PodTrouble(PodTrouble.Kind.EVICTED, "was ended by its node"));
    }
    if (isSilent(now) && outage.filter(Outage::wasReady).isPresent()) {
      return Optional.of(new PodTrouble(PodTrouble.Kind.SILENT_NODE, "is on a silent node"));
    }
    if (!hasRoom && !isPlaced) {
      return Optional.of(new PodTrouble(PodTrouble.Kind.NO_NODE, "0/3 nodes are available"));
    }
    return ends >= ENDS_TO_REPORT && !isReady(now)
        ? Optional.of(new PodTrouble(PodTrouble.Kind.EXITS, "has ended " + ends + " times"))
        : Optional.empty();
  }
}
