package io.offheap.hbase.operator.rollout;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A region server's turn: from its being emptied to its having its regions back.
 *
 * @param pod its pod
 * @param uid uid of the pod that is to go
 * @param server server name of the process in that pod; empty where none lives
 * @param cause why it has its turn
 * @param step where it stands
 * @param since when that step began
 * @param regions encoded names of the regions to bring back, once they are known
 * @param emptyAt when a look first found it empty
 * @param cancelled why the server is not stopped and gets its regions back as it is
 * @param isCanary whether it is the first of its group with a change
 * @param times how long each step took that is over
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

  /** Why a server has its turn. */
  public enum Cause {
    /** It is outdated, or its restart was asked for. */
    RESTART("it is to be restarted"),
    /** It is more than are declared. */
    SCALE_DOWN("it is more than are declared"),
    /** Somebody else deleted or evicted its pod. */
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

  /** Where a turn stands; a step is remembered before anything of it is done. */
  public enum Step {
    /** It gets no region, and those that it has are moved away. */
    DRAIN("is drained"),
    /** Its pod is deleted. */
    STOP("stops"),
    /** Its new pod starts. */
    START("starts"),
    /** It gets regions again, first those that it had. */
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
    /** The server is declared again, or another server must get the change first. */
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

  static ServerRestart begin(
      ServerPod pod, String server, Cause cause, Step step, boolean isCanary, Instant now) {
    return new ServerRestart(
        pod.name(),
        pod.uid(),
        server,
        cause,
        step,
        now,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        isCanary,
        Times.NONE);
  }

  /** A server that somebody drained who does not remember it any more. */
  public static ServerRestart leftBehind(String pod, String server, Instant now) {
    return new ServerRestart(
        pod,
        "",
        server,
        Cause.RESTART,
        Step.RETURN,
        now,
        Optional.empty(),
        Optional.empty(),
        Optional.of(Cancellation.NOT_WANTED),
        false,
        Times.NONE);
  }

  ServerRestart to(Step next, Instant now) {
    return new ServerRestart(
        pod,
        uid,
        server,
        cause,
        next,
        now,
        regions,
        Optional.empty(),
        cancelled,
        isCanary,
        timesUntil(now));
  }

  Times timesUntil(Instant now) {
    // A clock that is set back takes no time back.
    return now.isBefore(since) ? times : times.plus(step, Duration.between(since, now));
  }

  /** Another process or pod has taken the place of the one that had its turn. */
  ServerRestart of(String otherUid, String otherServer) {
    return new ServerRestart(
        pod,
        otherUid,
        otherServer,
        cause,
        step,
        since,
        regions,
        emptyAt,
        cancelled,
        isCanary,
        times);
  }

  ServerRestart withRegions(List<String> names) {
    return new ServerRestart(
        pod,
        uid,
        server,
        cause,
        step,
        since,
        Optional.of(List.copyOf(names)),
        emptyAt,
        cancelled,
        isCanary,
        times);
  }

  ServerRestart withEmptyAt(Optional<Instant> look) {
    return new ServerRestart(
        pod, uid, server, cause, step, since, regions, look, cancelled, isCanary, times);
  }

  /** The pod that is there is replaced, however far the turn was. */
  ServerRestart stopping(String presentUid, Instant now) {
    return new ServerRestart(
        pod,
        presentUid,
        server,
        cause,
        Step.STOP,
        now,
        regions,
        Optional.empty(),
        Optional.empty(),
        isCanary,
        timesUntil(now));
  }

  /** What it is to get now, it is the first to get. */
  ServerRestart asCanary() {
    return new ServerRestart(
        pod, uid, server, cause, step, since, regions, emptyAt, cancelled, true, times);
  }

  /** It is not stopped, and gets its regions back. */
  ServerRestart cancel(Cancellation why, Instant now) {
    return new ServerRestart(
            pod,
            uid,
            server,
            cause,
            step,
            since,
            regions,
            emptyAt,
            Optional.of(why),
            isCanary,
            times)
        .to(Step.RETURN, now);
  }

  /** Whether the server is not stopped. */
  boolean isCancelled() {
    return cancelled.isPresent();
  }

  /** Regions to bring back, none while they are not known. */
  public List<String> toBringBack() {
    return regions.orElse(List.of());
  }
}
