package io.offheap.hbase.operator.rollout;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The restart or removal of a region server: from its drain until it has its regions back.
 *
 * @param pod its pod
 * @param uid uid of the pod that is replaced
 * @param server server name of the process in that pod; empty if none is live
 * @param cause why it is restarted
 * @param step the current step
 * @param since when that step began
 * @param regions encoded names of the regions to move back, once they are known
 * @param emptyAt when a view first showed it without regions
 * @param cancelled why the restart was cancelled: the server still runs and gets its regions back
 * @param isCanary whether it is the first of its group with a change
 * @param times how long each ended step took
 */
public record ServerRestart(
    String pod,
    String uid,
    String server,
    Cause cause,
    Step step,
    Instant since,
    Optional<List<String>> regions,
    Optional<Instant> emptyAt,
    Optional<Cancellation> cancelled,
    boolean isCanary,
    Times times) {

  /** Why a server is restarted. */
  public enum Cause {
    /** It is outdated, or its restart was requested. */
    RESTART("it must be restarted"),
    /** It exceeds the declared number of servers. */
    SCALE_DOWN("it exceeds the declared number of servers"),
    /** Its pod was deleted or evicted from outside. */
    POD_DELETED("its pod was deleted or evicted");

    private final String text;

    Cause(String text) {
      this.text = text;
    }

    /** For people. */
    public String text() {
      return text;
    }
  }

  /** A step of a restart, which is stored before its first action. */
  public enum Step {
    /** It gets no region, and its regions are moved away. */
    DRAIN("is drained"),
    /** Its pod is deleted. */
    STOP("stops"),
    /** Its new pod starts. */
    START("starts"),
    /** Its regions are moved back, and it may get others again. */
    RETURN("gets its regions back");

    private final String text;

    Step(String text) {
      this.text = text;
    }

    /** For people. */
    public String text() {
      return text;
    }
  }

  /** Why a restart is cancelled: the server is not stopped and gets its regions back. */
  public enum Cancellation {
    /** The server could not be drained in time. Its restart is tried again later. */
    DRAIN_TIMED_OUT,
    /**
     * The server is declared again, another server must get the change first, or the API server
     * refuses the pod that would follow.
     */
    NOT_WANTED
  }

  /** How long each step took. */
  public record Times(Duration drain, Duration stop, Duration start, Duration bringBack) {
    static final Times NONE = new Times(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);

    Times plus(Step step, Duration more) {
      return switch (step) {
        case DRAIN -> new Times(drain.plus(more), stop, start, bringBack);
        case STOP -> new Times(drain, stop.plus(more), start, bringBack);
        case START -> new Times(drain, stop, start.plus(more), bringBack);
        case RETURN -> new Times(drain, stop, start, bringBack.plus(more));
      };
    }
  }

  /** A restart that begins. */
  public static ServerRestartBuilder of(String pod, String uid, Instant now) {
    return new ServerRestartBuilder(pod, uid, now);
  }

  static ServerRestart begin(
      ServerPod pod, String server, Cause cause, Step step, boolean isCanary, Instant now) {
    return of(pod.name(), pod.uid(), now)
        .server(server)
        .cause(cause)
        .step(step, now)
        .canary(isCanary)
        .build();
  }

  /** A server that an operator drained, and whose restart's state was lost. */
  public static ServerRestart leftBehind(String pod, String server, Instant now) {
    return of(pod, "", now)
        .server(server)
        .step(Step.RETURN, now)
        .cancelled(Optional.of(Cancellation.NOT_WANTED))
        .build();
  }

  private ServerRestartBuilder toBuilder() {
    return of(pod, uid, since)
        .server(server)
        .cause(cause)
        .step(step, since)
        .regions(regions)
        .emptyAt(emptyAt)
        .cancelled(cancelled)
        .canary(isCanary)
        .times(times);
  }

  ServerRestart to(Step next, Instant now) {
    return toBuilder().step(next, now).emptyAt(Optional.empty()).times(timesUntil(now)).build();
  }

  Times timesUntil(Instant now) {
    // A clock that was set back must not reduce a time.
    return now.isBefore(since) ? times : times.plus(step, Duration.between(since, now));
  }

  /** The pod's process was replaced by another one. */
  ServerRestart withServer(String other) {
    return toBuilder().server(other).build();
  }

  ServerRestart withRegions(List<String> names) {
    return toBuilder().regions(Optional.of(names)).build();
  }

  ServerRestart withEmptyAt(Optional<Instant> time) {
    return toBuilder().emptyAt(time).build();
  }

  /** The present pod is replaced, whatever the step. */
  ServerRestart stopping(String presentUid, Instant now) {
    return to(Step.STOP, now).toBuilder().uid(presentUid).cancelled(Optional.empty()).build();
  }

  /** The server is the first to get the change. */
  ServerRestart asCanary() {
    return toBuilder().canary(true).build();
  }

  /** The server is not stopped, and gets its regions back. */
  ServerRestart cancel(Cancellation why, Instant now) {
    return to(Step.RETURN, now).toBuilder().cancelled(Optional.of(why)).build();
  }

  /** Whether the server is not stopped. */
  boolean isCancelled() {
    return cancelled.isPresent();
  }

  /** Regions to move back; none before they are known. */
  public List<String> toBringBack() {
    return regions.orElse(List.of());
  }
}
