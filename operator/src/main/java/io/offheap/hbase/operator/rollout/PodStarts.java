package io.offheap.hbase.operator.rollout;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * For how long the pods of the declared region servers have had the chance to start, as this
 * process has seen.
 *
 * <p>A restart may come to its start long before its pod can: the pod waits for a node, a full
 * quota prevents it, or it is being deleted on a node that is silent. Such time does not count. The
 * time of pods that follow one another, of which none was ready, is added up: pods that are evicted
 * one after the other would have no deadline. It begins anew after a pod that was ready or had to
 * be replaced, and if a pod that was ready is lost or evicted, or ends with its node.
 *
 * <p>Nor does time count in which the managed ZooKeeper or HDFS does not serve: no server can start
 * then, and its change is not to blame. The time continues from where it was as soon as both serve.
 * A quorum serves, and so does HDFS with its name node and one data node: a pod that never
 * recovers, or never gets a node, must not leave a failing change without a deadline. Time without
 * an active master counts: a master that starts waits for region servers, and the change may keep
 * these from starting.
 *
 * <p>A server that was ready may end in such an outage: one that cannot write its log stops. Its
 * start begins anew then. The end counts as one of an outage that this process saw at that time or
 * at most {@link #AFTER_OUTAGE} before. What takes long to be reported, as a pod that hangs, takes
 * servers long to notice as well: what ends before Kubernetes reports an outage is not excused.
 *
 * <p>As for {@link Watch}, nothing of this is stored: for the next process all times begin anew,
 * and a server that had ended before may have ended in an outage.
 *
 * @param nanos when the last reconciliation was, by the monotonic clock; empty before the first
 * @param couldStart whether ZooKeeper and HDFS served in that reconciliation
 * @param outage when this process last saw that they did not serve, by the same clock
 * @param starts by the pod's name
 */
public record PodStarts(
    Optional<Long> nanos, boolean couldStart, Optional<Long> outage, Map<String, Start> starts) {
  /** Before the first reconciliation of this process. */
  public static final PodStarts NONE =
      new PodStarts(Optional.empty(), false, Optional.empty(), Map.of());

  /** A server that has lost its log tries for a while to begin another one. */
  private static final Duration AFTER_OUTAGE = Duration.ofMinutes(1);

  /** So often the process of a pod that fails ({@link PodTrouble.Kind#EXITS}) has ended. */
  private static final int ENDS_OF_FAILURE = 2;

  /** Two processes have then begun after the outage: the first one to end may have begun in it. */
  private static final int ENDS_TO_BLAME = ENDS_OF_FAILURE + 1;

  public PodStarts {
    starts = Map.copyOf(starts);
  }

  /**
   * The start of a server.
   *
   * @param uid uid of its last pod
   * @param lasted for how long it had the chance
   * @param hasEnded whether that pod was ready, or must be replaced
   * @param restarts how often the process in that pod has ended
   * @param hindered how often it had ended when ZooKeeper or HDFS last did not serve, or were not
   *     watched; empty if they have served all the time
   * @param outage how often it had ended after its last end in, or right after, an outage; empty if
   *     this process saw none
   */
  public record Start(
      String uid,
      Duration lasted,
      boolean hasEnded,
      int restarts,
      Optional<Integer> hindered,
      Optional<Integer> outage) {
    private boolean isOver(ServerPod pod, Seen seen) {
      return hasEnded
          && (!isOf(pod)
              || pod.isSilent()
              || pod.isEvicted()
              || (pod.isEndedByNode() && pod.restarts() > restarts)
              || (seen.isAroundOutage() && pod.restarts() > restarts));
    }

    private Start next(ServerPod pod, Duration elapsed, Seen seen) {
      boolean isWaiting = pod.isTerminating() || pod.isWithoutNode() || pod.isEvicted();
      return new Start(
          pod.uid(),
          isWaiting ? lasted : lasted.plus(elapsed),
          hasEnded(pod),
          pod.restarts(),
          seen.isHindered() ? Optional.of(pod.restarts()) : hindered.filter(it -> isOf(pod)),
          seen.isAroundOutage() && isOf(pod) && pod.restarts() > restarts
              ? Optional.of(pod.restarts())
              : outage.filter(it -> isOf(pod)));
    }

    /** Another start of the same server, which may be in the same pod. */
    private Start again(ServerPod pod, Seen seen) {
      return new Start(uid, Duration.ZERO, false, restarts, hindered, outage)
          .next(pod, Duration.ZERO, seen);
    }

    private boolean isOf(ServerPod pod) {
      return uid.equals(pod.uid());
    }

    private boolean hasEnded(ServerPod pod) {
      return (hasEnded && isOf(pod)) || pod.isReady() || pod.isChanged();
    }

    private static Start begin(ServerPod pod, Seen seen) {
      return new Start(
              pod.uid(), Duration.ZERO, false, pod.restarts(), Optional.empty(), Optional.empty())
          .next(pod, Duration.ZERO, seen);
    }
  }

  /**
   * What a reconciliation has seen of ZooKeeper and HDFS.
   *
   * @param isHindered whether a server may not have been able to start since the last one
   * @param isAroundOutage whether they do not serve, or did not {@link #AFTER_OUTAGE} ago
   */
  private record Seen(boolean isHindered, boolean isAroundOutage) {}

  /**
   * After another reconciliation.
   *
   * @param servers the region servers' pods that exist
   * @param declared names of the region servers' pods that are declared
   * @param mayStart whether the managed ZooKeeper and HDFS serve; true for external ones
   * @param newNanos when it is, by the monotonic clock
   */
  public PodStarts next(
      List<ServerPod> servers, Set<String> declared, boolean mayStart, long newNanos) {
    // In both reconciliations: an outage may have begun right after the last one, or ended right
    // before this one, or lie in time without a reconciliation. If it counted, it could roll a
    // good change back; without it, a rollback is late by the time between two reconciliations, a
    // second during a rollout.
    var served =
        nanos
            .filter(it -> couldStart && mayStart)
            .map(it -> Duration.ofNanos(newNanos - it))
            .filter(it -> !Watch.isBreak(it));
    var last = mayStart ? outage : Optional.of(newNanos);
    var seen =
        new Seen(
            served.isEmpty(),
            last.filter(it -> newNanos - it <= AFTER_OUTAGE.toNanos()).isPresent());
    var elapsed = served.orElse(Duration.ZERO);
    var pods = servers.stream().collect(Collectors.toMap(ServerPod::name, Function.identity()));
    var next = new HashMap<String, Start>();
    for (String name : declared) {
      var before = Optional.ofNullable(starts.get(name));
      Optional.ofNullable(pods.get(name))
          .map(it -> next(before, it, elapsed, seen))
          .or(() -> before)
          .ifPresent(it -> next.put(name, it));
    }
    return new PodStarts(Optional.of(newNanos), mayStart, last, next);
  }

  private static Start next(Optional<Start> before, ServerPod pod, Duration elapsed, Seen seen) {
    return before
        .map(it -> it.isOver(pod, seen) ? it.again(pod, seen) : it.next(pod, elapsed, seen))
        .orElseGet(() -> Start.begin(pod, seen));
  }

  /**
   * Whether a pod's server has ended too rarely since ZooKeeper or HDFS last did not serve to blame
   * its change: what waits for them in vain exits. Ends of other containers, which wait for
   * neither, are evidence.
   */
  boolean wasHindered(ServerPod pod) {
    return startOf(pod)
        .flatMap(Start::hindered)
        .filter(it -> pod.restarts() >= ENDS_OF_FAILURE && pod.restarts() - it < ENDS_TO_BLAME)
        .isPresent();
  }

  /**
   * Whether this process saw the last end of a pod's server, and an outage of ZooKeeper or HDFS at
   * that time or shortly before.
   */
  boolean hasEndedInOutage(ServerPod pod) {
    return startOf(pod).flatMap(Start::outage).filter(it -> pod.restarts() <= it).isPresent();
  }

  private Optional<Start> startOf(ServerPod pod) {
    return Optional.ofNullable(starts.get(pod.name())).filter(it -> it.isOf(pod));
  }

  /** For how long a server had the chance to start; empty if its pod was not seen. */
  Optional<Duration> lasted(String pod) {
    return Optional.ofNullable(starts.get(pod)).map(Start::lasted);
  }
}
