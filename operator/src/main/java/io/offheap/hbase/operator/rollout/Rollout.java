package io.offheap.hbase.operator.rollout;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The stored state of a rollout. It is written before it is acted on, so that any process continues
 * where another ended.
 *
 * @param started when it began
 * @param before balancer and normalizer as they were before they were switched off; empty while
 *     they are as others left them
 * @param restarts region servers that are being restarted
 * @param master the master that is being restarted
 * @param canary the server that is compared with its peers
 * @param notBefore no restart of a region server begins before, as the last one could not be
 *     drained
 * @param finished the restarts that are over, the last ones first
 * @param passed the canaries that were no worse than their peers, the last ones first
 */
public record Rollout(
    Instant started,
    Optional<Switches> before,
    List<ServerRestart> restarts,
    Optional<MasterRestart> master,
    Optional<Canary> canary,
    Optional<Instant> notBefore,
    List<Finished> finished,
    List<Passed> passed) {
  /** As many of those that are over are remembered. */
  private static final int FINISHED = 20;

  public Rollout {
    restarts = List.copyOf(restarts);
    finished = List.copyOf(finished);
    passed = List.copyOf(passed);
  }

  /** HBase's balancer and normalizer, on or off. */
  public record Switches(boolean balancer, boolean normalizer) {}

  /**
   * The restart of a master.
   *
   * @param pod its pod
   * @param uid uid of the pod that is to go
   * @param server its server name where it was the active one: another must take over
   * @param since when its restart began
   */
  public record MasterRestart(String pod, String uid, Optional<String> server, Instant since) {}

  /**
   * The first server of a group with a change.
   *
   * @param group its group
   * @param pod its pod
   * @param since since when it is watched: when it had its regions back, or when it was found to
   *     have the change by other hands
   * @param uid uid of the pod that serves with the change; empty while none has been seen to
   * @param restarts how often that pod's container had been restarted then
   */
  public record Canary(String group, String pod, Instant since, String uid, int restarts) {
    /** A pod that serves is compared from now on. */
    static Canary serving(ServerPod pod, Instant now) {
      return new Canary(pod.group(), pod.name(), now, pod.uid(), pod.restarts());
    }

    /** A pod that has the change by other hands, and is yet to be seen to serve with it. */
    static Canary found(ServerPod pod, Instant now) {
      return new Canary(pod.group(), pod.name(), now, "", 0);
    }

    /** Whether it is the same comparison. */
    boolean isSame(Canary other) {
      return group.equals(other.group) && pod.equals(other.pod) && since.equals(other.since);
    }

    boolean hasServed() {
      return !uid.isEmpty();
    }
  }

  /**
   * A canary whose group may follow.
   *
   * @param canary what was compared
   * @param evidence by which figures
   */
  public record Passed(Canary canary, List<String> evidence) {
    public Passed {
      evidence = List.copyOf(evidence);
    }
  }

  /**
   * A restart that is over.
   *
   * @param pod the server's pod
   * @param cause why it was restarted
   * @param outcome how it ended
   * @param regions regions that it had
   * @param times how long each step took
   */
  public record Finished(
      String pod,
      ServerRestart.Cause cause,
      Outcome outcome,
      int regions,
      ServerRestart.Times times) {}

  /** How a restart ended. */
  public enum Outcome {
    RESTARTED,
    SCALED_DOWN,
    DRAIN_TIMED_OUT,
    NOT_WANTED;

    static Outcome of(ServerRestart.Cancellation cancelled) {
      return switch (cancelled) {
        case DRAIN_TIMED_OUT -> DRAIN_TIMED_OUT;
        case NOT_WANTED -> NOT_WANTED;
      };
    }

    /** Whether the server was restarted or removed, thus the rollout has advanced. */
    boolean isComplete() {
      return this == RESTARTED || this == SCALED_DOWN;
    }
  }

  static Rollout begin(Instant now) {
    return new Rollout(
        now,
        Optional.empty(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        List.of(),
        List.of());
  }

  /**
   * A rollout whose state was lost, except for the states to restore: servers may have regions
   * again, and none is waited for.
   *
   * @param switches balancer and normalizer as they were
   * @param servers server names by pod
   */
  public static Rollout leftBehind(
      Optional<Switches> switches, Map<String, String> servers, Instant now) {
    return begin(now)
        .withBefore(switches)
        .withRestarts(
            servers.entrySet().stream()
                .map(it -> ServerRestart.leftBehind(it.getKey(), it.getValue(), now))
                .toList());
  }

  Rollout withBefore(Optional<Switches> switches) {
    return new Rollout(started, switches, restarts, master, canary, notBefore, finished, passed);
  }

  Rollout withRestarts(List<ServerRestart> others) {
    return new Rollout(started, before, others, master, canary, notBefore, finished, passed);
  }

  Rollout plus(ServerRestart restart) {
    return withRestarts(Stream.concat(restarts.stream(), Stream.of(restart)).toList());
  }

  Rollout withMaster(Optional<MasterRestart> restart) {
    return new Rollout(started, before, restarts, restart, canary, notBefore, finished, passed);
  }

  Rollout withCanary(Optional<Canary> watched) {
    return new Rollout(started, before, restarts, master, watched, notBefore, finished, passed);
  }

  Rollout withNotBefore(Optional<Instant> time) {
    return new Rollout(started, before, restarts, master, canary, time, finished, passed);
  }

  Rollout plus(Finished restart) {
    return new Rollout(
        started, before, restarts, master, canary, notBefore, last(restart, finished), passed);
  }

  /** Its canary is not worse than its peers. */
  Rollout withPassed(Passed over) {
    return new Rollout(
        started,
        before,
        restarts,
        master,
        Optional.empty(),
        notBefore,
        finished,
        last(over, passed));
  }

  private static <T> List<T> last(T latest, List<T> others) {
    return Stream.concat(Stream.of(latest), others.stream()).limit(FINISHED).toList();
  }

  /** The restart of a pod's server. */
  public Optional<ServerRestart> restartOf(String pod) {
    return restarts.stream().filter(it -> it.pod().equals(pod)).findFirst();
  }

  /** Whether something is out of its place: a server, a master, or a canary's group. */
  public boolean isUnderWay() {
    return !restarts.isEmpty() || master.isPresent() || canary.isPresent();
  }
}
