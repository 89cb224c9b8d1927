package io.offheap.hbase.operator.rollout;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The stored state of a rollout. It is written before it is acted on, so that any process continues
 * where another ended.
 *
 * @param started when it began
 * @param before balancer and normalizer as they were before they were switched off; empty while the
 *     rollout has not switched them
 * @param restarts region servers that are being restarted
 * @param master the master that is being restarted
 * @param canary the server that is compared with its peers
 * @param notBefore no restart of a region server begins before this time, because a drain has timed
 *     out
 * @param finished restarts that have ended, the latest first
 * @param passed canaries that were no worse than their peers, the latest first
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
  /** How many ended restarts and passed canaries are kept. */
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
   * @param uid uid of the pod to delete; empty if it is not deleted, as the restart is cancelled
   * @param server its server name if it was the active master: another must take over
   * @param since when its restart began
   */
  public record MasterRestart(String pod, String uid, Optional<String> server, Instant since) {
    MasterRestart cancel() {
      return new MasterRestart(pod, "", Optional.empty(), since);
    }

    boolean isCancelled() {
      return uid.isEmpty();
    }
  }

  /**
   * The first server of a group with a change.
   *
   * @param group its group
   * @param pod its pod
   * @param since when the comparison began: when its regions were back, or when its pod was found
   *     to have been replaced from outside
   * @param uid uid of the pod that is compared; empty before it has served with the change, or has
   *     served again after it was deleted or lost
   * @param unlisted since when HBase does not list its server as live
   * @param unreported since when neither it nor its peers report metrics, after the window
   * @param again since when it is compared anew after such a time
   * @param restarts how often that pod's server had been restarted when the comparison began
   * @param nodeLosses how often the server was lost with its node, or ended in an outage of
   *     ZooKeeper or HDFS, since it got the change
   */
  @RecordBuilder
  public record Canary(
      String group,
      String pod,
      Instant since,
      String uid,
      Optional<Instant> unlisted,
      Optional<Instant> unreported,
      Optional<Instant> again,
      int restarts,
      int nodeLosses) {
    /** A pod that serves and is compared from now on. */
    static Canary serving(ServerPod pod, Instant now) {
      return found(pod, now).serves(pod, now);
    }

    /** A pod that was replaced from outside and has not been seen to serve. */
    static Canary found(ServerPod pod, Instant now) {
      return waiting(pod.group(), pod.name(), now);
    }

    /** A server that has not been seen to serve, without any failure. */
    public static Canary waiting(String group, String pod, Instant since) {
      return RolloutCanaryBuilder.builder()
          .group(group)
          .pod(pod)
          .since(since)
          .uid("")
          .unlisted(Optional.empty())
          .unreported(Optional.empty())
          .again(Optional.empty())
          .restarts(0)
          .nodeLosses(0)
          .build();
    }

    /** The comparison begins, or begins anew. */
    Canary serves(ServerPod current, Instant now) {
      return RolloutCanaryBuilder.builder(this)
          .since(now)
          .uid(current.uid())
          .unlisted(Optional.empty())
          .unreported(Optional.empty())
          .again(Optional.empty())
          .restarts(current.restarts())
          .build();
    }

    /**
     * Its server was lost ({@link CanaryVerdict.NodeLost}); it is compared when it serves again.
     */
    Canary lost(Instant now) {
      return RolloutCanaryBuilder.builder(replaced(now)).nodeLosses(nodeLosses + 1).build();
    }

    /** Its pod is deleted; the next one is compared anew when it serves. */
    Canary replaced(Instant now) {
      return RolloutCanaryBuilder.builder(waiting(group, pod, now)).nodeLosses(nodeLosses).build();
    }

    /** Servers report metrics again, and a further window begins. */
    Canary again(Instant now) {
      return RolloutCanaryBuilder.builder(this)
          .again(Optional.of(now))
          .unreported(Optional.empty())
          .build();
    }

    /** No server reports metrics since a time. */
    Canary withUnreported(Instant time) {
      return RolloutCanaryBuilder.builder(this).unreported(Optional.of(time)).build();
    }

    /** HBase lists its server as live again, or does not since a time. */
    Canary withUnlisted(Optional<Instant> time) {
      return RolloutCanaryBuilder.builder(this).unlisted(time).build();
    }

    /**
     * The declared servers of its group without the change: one whose pod was replaced from outside
     * has the change too.
     */
    public List<ServerPod> peers(List<ServerPod> servers, Set<String> declared) {
      return servers.stream()
          .filter(it -> it.group().equals(group) && it.isChanged())
          .filter(it -> declared.contains(it.name()) && !it.name().equals(pod))
          .toList();
    }

    /** Whether it is the same comparison. */
    boolean isSame(Canary other) {
      return group.equals(other.group) && pod.equals(other.pod) && since.equals(other.since);
    }

    boolean isLostAfter(Canary earlier) {
      return pod.equals(earlier.pod) && nodeLosses > earlier.nodeLosses;
    }

    boolean hasServed() {
      return !uid.isEmpty();
    }
  }

  /**
   * A canary that was no worse than its peers.
   *
   * @param canary the canary
   * @param evidence the compared values
   */
  public record Passed(Canary canary, List<String> evidence) {
    public Passed {
      evidence = List.copyOf(evidence);
    }
  }

  /**
   * A restart that has ended.
   *
   * @param pod the server's pod
   * @param cause why it was restarted
   * @param outcome how it ended
   * @param regions regions that it had
   * @param times how long each step took
   * @param ended when it ended; empty in a status of an earlier version
   */
  public record Finished(
      String pod,
      ServerRestart.Cause cause,
      Outcome outcome,
      int regions,
      ServerRestart.Times times,
      Optional<Instant> ended) {}

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

    /** Whether the server was restarted or removed: the rollout has advanced. */
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
   * A rollout whose state was lost, except for the switches: its servers may get regions again, and
   * no region is moved back.
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

  /** Whether a server or master is being restarted, or a canary is compared. */
  public boolean isUnderWay() {
    return !restarts.isEmpty() || master.isPresent() || canary.isPresent();
  }
}
