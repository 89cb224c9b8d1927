package io.offheap.hbase.e2e.bench;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.declare.ObservedInputs;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.PlanResult;
import io.offheap.hbase.operator.plan.Provenance;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Tuned;
import io.offheap.hbase.operator.plan.TunedKey;
import io.offheap.hbase.operator.tune.Evidence;
import io.offheap.hbase.operator.tune.Metric;
import io.offheap.hbase.operator.tune.Reading;
import io.offheap.hbase.operator.tune.Rules;
import io.offheap.hbase.operator.tune.ServerWindow;
import io.offheap.hbase.operator.tune.Tuner;
import io.offheap.hbase.operator.tune.TuningInput;
import io.offheap.hbase.operator.tune.TuningMode;
import io.offheap.hbase.operator.tune.TuningSettings;
import io.offheap.hbase.operator.tune.TuningState;
import io.offheap.hbase.operator.tune.TuningState.EventKind;
import io.offheap.hbase.operator.tune.TuningState.Recommendation;
import io.offheap.hbase.operator.tune.TuningStep;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The collector's steps that the operator's own tuning makes of a region server under a load:
 *
 * <ol>
 *   <li>the server begins with the faults of the Xiaomi talk, marking from 12 % on and a young
 *       generation of 1 %, as if tuning had chosen them;
 *   <li>every ten seconds its metrics are read and the {@link Tuner} takes a step, with the rules
 *       for the collector alone; what waits for approval is approved;
 *   <li>where the step changes a value, the server is started anew with the new plan;
 *   <li>each change that the tuner keeps is a step; it ends when nothing was left to change for two
 *       windows, or the time is over.
 * </ol>
 *
 * <p>The operator's reconciliation, its canary and its rollout are not part of this.
 */
final class OperatorSteps {
  private static final Tuner TUNER = new Tuner(Rules.all());

  private static final Set<String> OF_THE_COLLECTOR =
      Set.of("MarkingTooEarlyOrLate", "MixedTooLong", "PrematurePromotion", "MixedBackToBack");

  private static final List<Tuned> FAULTS =
      List.of(
          new Tuned(TunedKey.IHOP, 12, "MarkingTooEarlyOrLate"),
          new Tuned(TunedKey.NEW_SIZE_PERCENT, 1, "MarkingTooEarlyOrLate"));

  private static final int CHANGES = 20;
  private static final String POD = "server-0";

  /** A region server that can be started with another plan. */
  interface Server {
    /**
     * Ends it where it runs, and starts it under its load.
     *
     * @param plan its plan
     */
    void start(MemoryPlan plan) throws IOException, InterruptedException;

    /** Waits until it is time for the next reading. */
    void pause() throws InterruptedException;

    /** Its metrics. */
    Map<Metric, Double> values() throws IOException;

    /** The time. */
    Instant now();
  }

  /**
   * A change that was kept, or the begin.
   *
   * @param text what was changed, for a person
   * @param plan with it
   */
  record Step(String text, MemoryPlan plan) {}

  private final HBaseCluster cluster;
  private final Server server;
  private final Duration window;
  private final Duration warmUp;

  private TuningState state = TuningState.of(FAULTS);
  private Instant startedAt = Instant.EPOCH;
  private final List<Reading> readings = new ArrayList<>();

  OperatorSteps(HBaseCluster cluster, Server server, Duration window, Duration warmUp) {
    this.cluster = cluster;
    this.server = server;
    this.window = window;
    this.warmUp = warmUp;
  }

  /**
   * Finds them; the first one is the begin.
   *
   * @param most time that it may take
   */
  List<Step> find(Duration most) throws IOException, InterruptedException {
    var steps = new ArrayList<Step>();
    steps.add(
        new Step(
            text(FAULTS.stream().collect(Collectors.toMap(Tuned::key, Tuned::value))), plan()));
    start();
    var end = server.now().plus(most);
    Optional<Instant> quietSince = Optional.empty();
    while (server.now().isBefore(end)) {
      server.pause();
      readings.add(new Reading(POD, name(), server.now(), server.values()));
      var step = step();
      var before = state;
      state = step.next();
      if (count(EventKind.KEPT, state) > count(EventKind.KEPT, before)) {
        var kept = state.history().get(state.history().size() - 1);
        steps.add(new Step(kept.rule() + ": " + text(kept.values()), plan()));
      }
      if (!state.values().equals(before.values())) {
        start();
      }
      boolean isQuiet = step.activity() == TuningStep.Activity.WATCHING;
      quietSince = isQuiet ? quietSince.or(() -> Optional.of(server.now())) : Optional.empty();
      var now = server.now();
      if (quietSince.filter(it -> !now.isBefore(it.plus(window.multipliedBy(2)))).isPresent()) {
        break;
      }
    }
    return List.copyOf(steps);
  }

  private static long count(EventKind kind, TuningState of) {
    return of.history().stream().filter(it -> it.kind() == kind).count();
  }

  private static String text(Map<TunedKey, Long> values) {
    return TunedKey.texts(values).entrySet().stream()
        .map(it -> it.getKey() + " " + it.getValue())
        .collect(Collectors.joining(", "));
  }

  private void start() throws IOException, InterruptedException {
    server.start(plan());
    readings.clear();
    startedAt = server.now();
  }

  private String name() {
    return "localhost,1," + startedAt.toEpochMilli();
  }

  private TuningStep step() {
    var disabled =
        Rules.all().names().stream()
            .filter(rule -> !OF_THE_COLLECTOR.contains(rule))
            .collect(Collectors.toSet());
    return TUNER.step(
        new TuningInput(
            new TuningSettings(
                TuningMode.AUTO, window, warmUp, Duration.ofSeconds(1), CHANGES, disabled),
            state,
            Optional.of(evidence()),
            new TuningInput.Rollout.Complete(),
            state.recommendation().map(Recommendation::id),
            Optional.empty(),
            // Without a break.
            Instant.EPOCH,
            server.now()));
  }

  private Evidence evidence() {
    var plan = plan();
    var declared =
        plan.settings().stream()
            .filter(it -> it.provenance() == Provenance.DECLARED)
            .map(Setting::name)
            .collect(Collectors.toSet());
    return new Evidence(
        plan,
        state.values(),
        declared,
        ServerWindow.of(readings, warmUp),
        List.of(),
        List.of(),
        false,
        values ->
            result(
                values.entrySet().stream()
                    .map(it -> new Tuned(it.getKey(), it.getValue(), ""))
                    .toList()));
  }

  private MemoryPlan plan() {
    var result = result(state.tuned());
    if (result instanceof PlanResult.Planned planned) {
      return planned.plan();
    }
    throw new IllegalStateException(result.toString());
  }

  private PlanResult result(List<Tuned> tuned) {
    var plans =
        new Plans()
            .of(cluster, new ObservedInputs(List.of(), OptionalLong.empty(), Map.of("", tuned)));
    return plans instanceof ClusterPlan.Planned planned
        ? new PlanResult.Planned(planned.groups().get(0).plan())
        : new PlanResult.Refused(((ClusterPlan.Refused) plans).problems());
  }
}
