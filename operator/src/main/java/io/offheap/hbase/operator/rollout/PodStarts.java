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
 * be replaced, and if a pod that was ready is lost or ends with its node.
 *
 * <p>Nor does time count in which the managed ZooKeeper or HDFS does not serve: no server can start
 * then, and its change is not to blame. The time continues from where it was as soon as both serve.
 * A quorum serves, and so does HDFS with its name node and one data node: a pod that never
 * recovers, or never gets a node, must not leave a failing change without a deadline. Time without
 * an active master counts: a master that starts waits for region servers, and the change may keep
 * these from starting.
 *
 * <p>As for {@link Watch}, nothing of this is stored: for the next process all times begin anew,
 * and a server that had ended before may have ended in an outage.
 *
 * @param nanos when the last reconciliation was, by the monotonic clock; empty before the first
 * @param couldStart whether ZooKeeper and HDFS served in that reconciliation
 * @param starts by the pod's name
 */
public record PodStarts(Optional<Long> nanos, boolean couldStart, Map<String, Start> starts) {
  /** Before the first reconciliation of this process. */
  public static final PodStarts NONE = new PodStarts(Optional.empty(), false, Map.of());

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
   */
  public record Start(
      String uid, Duration lasted, boolean hasEnded, int restarts, Optional<Integer> hindered) {
    private boolean isOver(ServerPod pod) {
      return hasEnded
          && (!uid.equals(pod.uid())
              || pod.isSilent()
              || (pod.isEndedByNode() && pod.restarts() > restarts));
    }

    private Start next(ServerPod pod, Duration elapsed, boolean isHindered) {
      boolean isWaiting = pod.isTerminating() || pod.isWithoutNode();
      return new Start(
          pod.uid(),
          isWaiting ? lasted : lasted.plus(elapsed),
          hasEnded(pod),
          pod.restarts(),
          isHindered ? Optional.of(pod.restarts()) : hinderedOf(pod));
    }

    /** Another start of the same server, which may be in the same pod. */
    private Start again(ServerPod pod, boolean isHindered) {
      return new Start(pod.uid(), Duration.ZERO, false, pod.restarts(), hinderedOf(pod))
          .next(pod, Duration.ZERO, isHindered);
    }

    private Optional<Integer> hinderedOf(ServerPod pod) {
      return hindered.filter(it -> uid.equals(pod.uid()));
    }

    private boolean hasEnded(ServerPod pod) {
      return (hasEnded && uid.equals(pod.uid())) || pod.isReady() || pod.isChanged();
    }

    private static Start begin(ServerPod pod, boolean isHindered) {
      return new Start(pod.uid(), Duration.ZERO, false, pod.restarts(), Optional.empty())
          .next(pod, Duration.ZERO, isHindered);
    }
  }

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
    boolean isHindered = served.isEmpty();
    var elapsed = served.orElse(Duration.ZERO);
    var pods = servers.stream().collect(Collectors.toMap(ServerPod::name, Function.identity()));
    var next = new HashMap<String, Start>();
    for (String name : declared) {
      var before = Optional.ofNullable(starts.get(name));
      Optional.ofNullable(pods.get(name))
          .map(it -> next(before, it, elapsed, isHindered))
          .or(() -> before)
          .ifPresent(it -> next.put(name, it));
    }
    return new PodStarts(Optional.of(newNanos), mayStart, next);
  }

  private static Start next(
      Optional<Start> before, ServerPod pod, Duration elapsed, boolean isHindered) {
    return before
        .map(it -> it.isOver(pod) ? it.again(pod, isHindered) : it.next(pod, elapsed, isHindered))
        .orElseGet(() -> Start.begin(pod, isHindered));
  }

  /**
   * Whether a pod's server has ended too rarely since ZooKeeper or HDFS last did not serve to blame
   * its change: what waits for them in vain exits. Ends of other containers, which wait for
   * neither, are evidence.
   */
  boolean wasHindered(ServerPod pod) {
    return Optional.ofNullable(starts.get(pod.name()))
        .filter(it -> it.uid().equals(pod.uid()))
        .flatMap(Start::hindered)
        .filter(it -> pod.restarts() >= ENDS_OF_FAILURE && pod.restarts() - it < ENDS_TO_BLAME)
        .isPresent();
  }

  /** For how long a server had the chance to start; empty if its pod was not seen. */
  Optional<Duration> lasted(String pod) {
    return Optional.ofNullable(starts.get(pod)).map(Start::lasted);
  }
}
