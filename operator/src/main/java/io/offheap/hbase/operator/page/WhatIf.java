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
 * Plans for a spec that nobody has declared, on one thread with a short queue: however many
 * questions there are, they take one core at most, and what is more than the queue holds is refused
 * at once.
 */
final class WhatIf implements AutoCloseable {
  /** Bytes of a question. */
  static final int LARGEST = 16 * 1024;

  private static final int MOST_ASSIGNMENTS = 20;

  /** Each has a thread of the server that waits, of which others must remain. */
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
   * A question.
   *
   * @param set assignments, each {@code FIELD=VALUE}
   */
  record Question(List<String> set) {}

  /**
   * The difference.
   *
   * @param refused why the spec would be refused; empty where it would not
   * @param groups what would become of each group
   * @param masters masters that would be restarted
   */
  record Difference(List<Problem> refused, List<Group> groups, int masters) {
    static Difference refused(List<PlanProblem> problems) {
      return new Difference(
          problems.stream().map(it -> new Problem(it.field(), it.message())).toList(),
          List.of(),
          0);
    }
  }

  /**
   * Why a spec is refused.
   *
   * @param field path of the field to change
   * @param message the value, what is wrong with it and what it must be
   */
  record Problem(String field, String message) {}

  /** What becomes of a group. */
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
   * @param oldBytes memory of a container now; 0 where the group is added
   * @param newBytes the same afterwards; 0 where it is removed
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
   * @param oldValue null where it is added
   * @param newValue null where it is removed
   * @param online whether a running server takes it over
   * @param reason of the new value
   */
  record Change(
      String target, String key, String oldValue, String newValue, boolean online, String reason) {}

  /** The question cannot be answered; the status says whether it may be repeated. */
  static final class NotAnsweredException extends Exception {
    private static final long serialVersionUID = 1L;
    private final int status;

    NotAnsweredException(int status, String message) {
      super(message);
      this.status = status;
    }

    int status() {
      return status;
    }
  }

  /**
   * Starts no thread yet.
   *
   * @param preview plans
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
   * The difference that a question makes to a cluster.
   *
   * @param question as JSON
   */
  Body answer(HBaseCluster cluster, byte[] question) throws NotAnsweredException, IOException {
    var set = assignments(question);
    return run(() -> Views.json(difference(cluster, set)));
  }

  private static List<String> assignments(byte[] question)
      throws NotAnsweredException, IOException {
    List<String> set;
    try {
      set =
          Optional.ofNullable(JSON.readValue(question, Question.class))
              .map(Question::set)
              .orElse(null);
    } catch (JsonProcessingException e) {
      throw new NotAnsweredException(400, "the body must be JSON: {\"set\": [\"FIELD=VALUE\"]}");
    }
    if (set == null
        || set.isEmpty()
        || set.size() > MOST_ASSIGNMENTS
        || set.stream().anyMatch(Objects::isNull)) {
      throw new NotAnsweredException(
          400, "set must have 1 to " + MOST_ASSIGNMENTS + " assignments FIELD=VALUE");
    }
    return set;
  }

  private Body run(Callable<Body> plan) throws NotAnsweredException {
    try {
      var answer = planner.submit(plan);
      try {
        return answer.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
      } finally {
        answer.cancel(true);
        planner.purge();
      }
    } catch (RejectedExecutionException e) {
      throw new NotAnsweredException(503, "other questions are being answered; try again");
    } catch (TimeoutException e) {
      throw new NotAnsweredException(503, "the planner had no time for it; try again");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NotAnsweredException(503, "the server stops");
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
              List.of(), planned.groups().stream().map(WhatIf::group).toList(), planned.masters())
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
