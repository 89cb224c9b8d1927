package io.offheap.hbase.operator.page;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.cli.PlanDiff;
import io.offheap.hbase.operator.cli.RefusedException;
import io.offheap.hbase.operator.cli.SpecEdit;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.PlanProblem;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.reconcile.PlanPreview;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;

/**
 * Plans a changed spec without declaring it, on one thread with a short queue: requests take at
 * most one core, whatever their number, and requests beyond the queue are refused at once.
 */
final class WhatIf implements AutoCloseable {
  /** Limit of a request's body, in bytes. */
  static final int LARGEST = 16 * 1024;

  private static final int MOST_ASSIGNMENTS = 20;

  /** Each queued request blocks a thread of the server, which needs others. */
  private static final int WAITING = 3;

  private static final Duration LIMIT = Duration.ofSeconds(5);

  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(4).build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .build();

  private final BiFunction<HBaseCluster, HBaseCluster, PlanPreview.Result> preview;
  private final ThreadPoolExecutor planner;

  /**
   * A request.
   *
   * @param set assignments, each {@code FIELD=VALUE}
   */
  record Request(List<String> set) {}

  /**
   * The difference.
   *
   * @param refused why the spec would be refused; empty if it would be accepted
   * @param groups the difference of each group
   * @param masters masters that would be restarted
   * @param infrastructure roles of the managed ZooKeeper and HDFS with pods that would be restarted
   */
  record Difference(
      List<Problem> refused,
      List<Group> groups,
      int masters,
      List<PlanPreview.Restarts> infrastructure) {
    static Difference refused(List<PlanProblem> problems) {
      return new Difference(
          problems.stream().map(it -> new Problem(it.field(), it.message())).toList(),
          List.of(),
          0,
          List.of());
    }
  }

  /**
   * Why a spec is refused.
   *
   * @param field path of the field to change
   * @param message the value, what is wrong with it and what it must be
   */
  record Problem(String field, String message) {}

  /** The kind of a group's difference. */
  enum State {
    same,
    changed,
    added,
    removed
  }

  /**
   * A group.
   *
   * @param restarts servers that would be restarted
   * @param oldBytes memory of a container now; 0 if the group is added
   * @param newBytes memory of a container afterwards; 0 if the group is removed
   */
  record Group(
      String name,
      State state,
      String oldHash,
      String newHash,
      long oldBytes,
      long newBytes,
      int restarts,
      List<Change> changes) {}

  /**
   * A value.
   *
   * @param oldValue null if it is added
   * @param newValue null if it is removed
   * @param online whether a running server reloads it
   * @param reason reason of the new value
   */
  record Change(
      String target, String key, String oldValue, String newValue, boolean online, String reason) {}

  /** A request without a result; with status 503 it may be repeated. */
  static final class FailedException extends Exception {
    private static final long serialVersionUID = 1L;
    private final int status;

    FailedException(int status, String message) {
      super(message);
      this.status = status;
    }

    int status() {
      return status;
    }
  }

  /**
   * A planner, which starts its thread with the first request.
   *
   * @param preview plans a cluster with the spec of another resource
   */
  WhatIf(BiFunction<HBaseCluster, HBaseCluster, PlanPreview.Result> preview) {
    this.preview = preview;
    planner =
        new ThreadPoolExecutor(
            1,
            1,
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(WAITING),
            task -> {
              var thread = new Thread(task, "what-if");
              thread.setDaemon(true);
              return thread;
            });
    planner.allowCoreThreadTimeOut(true);
  }

  /**
   * The difference that a request's assignments make to a cluster.
   *
   * @param request the request as JSON
   */
  Body difference(HBaseCluster cluster, byte[] request) throws FailedException, IOException {
    var set = assignments(request);
    return run(() -> Views.json(difference(cluster, set)));
  }

  private static List<String> assignments(byte[] request) throws FailedException, IOException {
    List<String> set;
    try {
      set =
          Optional.ofNullable(JSON.readValue(request, Request.class))
              .map(Request::set)
              .orElse(null);
    } catch (JsonProcessingException e) {
      throw new FailedException(400, "the body must be JSON: {\"set\": [\"FIELD=VALUE\"]}");
    }
    if (set == null
        || set.isEmpty()
        || set.size() > MOST_ASSIGNMENTS
        || set.stream().anyMatch(Objects::isNull)) {
      throw new FailedException(
          400, "set must have 1 to " + MOST_ASSIGNMENTS + " assignments FIELD=VALUE");
    }
    return set;
  }

  private Body run(Callable<Body> plan) throws FailedException {
    try {
      var result = planner.submit(plan);
      try {
        return result.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
      } finally {
        result.cancel(true);
        planner.purge();
      }
    } catch (RejectedExecutionException e) {
      throw new FailedException(503, "too many what-if requests are running; try again");
    } catch (TimeoutException e) {
      throw new FailedException(503, "no plan within " + LIMIT.toSeconds() + " s; try again");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedException(503, "the server is stopping");
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private Difference difference(HBaseCluster cluster, List<String> set) {
    try {
      var changed = SpecEdit.apply(cluster, set);
      var result = preview.apply(cluster, changed);
      return result instanceof PlanPreview.Planned planned
          ? new Difference(
              List.of(),
              planned.groups().stream().map(WhatIf::group).toList(),
              planned.masters(),
              planned.infrastructure())
          : Difference.refused(((PlanPreview.Refused) result).problems());
    } catch (RefusedException e) {
      return Difference.refused(e.problems());
    }
  }

  private static Group group(PlanPreview.Group group) {
    List<Change> changes =
        group.before().isEmpty() || group.after().isEmpty()
            ? List.of()
            : PlanDiff.between(group.before().get(), group.after().get()).changes().stream()
                .map(it -> change(it, group.after().get()))
                .toList();
    return new Group(
        group.name(),
        state(group, changes),
        group.before().map(MemoryPlan::hash).orElse(null),
        group.after().map(MemoryPlan::hash).orElse(null),
        group.before().map(MemoryPlan::containerMemoryBytes).orElse(0L),
        group.after().map(MemoryPlan::containerMemoryBytes).orElse(0L),
        group.restarts(),
        changes);
  }

  private static State state(PlanPreview.Group group, List<Change> changes) {
    if (group.before().isEmpty()) {
      return State.added;
    }
    if (group.after().isEmpty()) {
      return State.removed;
    }
    return changes.isEmpty() ? State.same : State.changed;
  }

  private static Change change(PlanDiff.Change change, MemoryPlan after) {
    return new Change(
        change.target().text(),
        change.key(),
        change.oldValue(),
        change.newValue(),
        change.effect() == PlanDiff.Effect.online,
        after.setting(change.target(), change.key()).map(Setting::sentence).orElse(null));
  }

  @Override
  public void close() {
    planner.shutdownNow();
  }
}
