package io.offheap.hbase.operator.rollout;

import io.offheap.hbase.operator.rollout.ServerRestart.Cancellation;
import io.offheap.hbase.operator.rollout.ServerRestart.Cause;
import io.offheap.hbase.operator.rollout.ServerRestart.Step;
import io.offheap.hbase.operator.rollout.ServerRestart.Times;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Builds a {@link ServerRestart}, whose components are described there. The defaults are those of a
 * restart that has just begun.
 */
public final class ServerRestartBuilder {
  private final String pod;
  private String uid;
  private String server = "";
  private Cause cause = Cause.RESTART;
  private Step step = Step.DRAIN;
  private Instant since;
  private Optional<List<String>> regions = Optional.empty();
  private Optional<Instant> emptyAt = Optional.empty();
  private Optional<Cancellation> cancelled = Optional.empty();
  private boolean isCanary;
  private Times times = Times.NONE;

  ServerRestartBuilder(String pod, String uid, Instant since) {
    this.pod = pod;
    this.uid = uid;
    this.since = since;
  }

  public ServerRestartBuilder uid(String value) {
    uid = value;
    return this;
  }

  public ServerRestartBuilder server(String value) {
    server = value;
    return this;
  }

  public ServerRestartBuilder cause(Cause value) {
    cause = value;
    return this;
  }

  /** The step, and when it began. */
  public ServerRestartBuilder step(Step value, Instant begun) {
    step = value;
    since = begun;
    return this;
  }

  public ServerRestartBuilder regions(Optional<List<String>> value) {
    regions = value.map(List::copyOf);
    return this;
  }

  public ServerRestartBuilder emptyAt(Optional<Instant> value) {
    emptyAt = value;
    return this;
  }

  public ServerRestartBuilder cancelled(Optional<Cancellation> value) {
    cancelled = value;
    return this;
  }

  public ServerRestartBuilder canary(boolean value) {
    isCanary = value;
    return this;
  }

  public ServerRestartBuilder times(Times value) {
    times = value;
    return this;
  }

  /** The restart. */
  public ServerRestart build() {
    return new ServerRestart(
        pod, uid, server, cause, step, since, regions, emptyAt, cancelled, isCanary, times);
  }
}
