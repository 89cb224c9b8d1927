package io.offheap.hbase.operator.reconcile;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus.LiveStatus;
import io.offheap.hbase.operator.api.TuningSpec;
import io.offheap.hbase.operator.api.TuningStatus;
import io.offheap.hbase.operator.declare.GroupPlan;
import io.offheap.hbase.operator.declare.ObservedInputs;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.declare.RolloutSettings;
import io.offheap.hbase.operator.declare.ServerGroup;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.observe.Observation;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.PlanResult;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.TableBlocks;
import io.offheap.hbase.operator.plan.Tuned;
import io.offheap.hbase.operator.plan.TunedKey;
import io.offheap.hbase.operator.rollout.RolloutResult;
import io.offheap.hbase.operator.rollout.ServerPod;
import io.offheap.hbase.operator.status.FittedPlans;
import io.offheap.hbase.operator.status.TunedValues;
import io.offheap.hbase.operator.status.TuningStatuses;
import io.offheap.hbase.operator.tune.Evidence;
import io.offheap.hbase.operator.tune.Reading;
import io.offheap.hbase.operator.tune.Rules;
import io.offheap.hbase.operator.tune.ServerWindow;
import io.offheap.hbase.operator.tune.Tuner;
import io.offheap.hbase.operator.tune.TuningInput;
import io.offheap.hbase.operator.tune.TuningInput.Rollout;
import io.offheap.hbase.operator.tune.TuningMode;
import io.offheap.hbase.operator.tune.TuningSettings;
import io.offheap.hbase.operator.tune.TuningState;
import io.offheap.hbase.operator.tune.TuningStep;
import io.offheap.hbase.operator.tune.TuningStep.Activity;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The tuning's part of a reconciliation: runs {@link Tuner} for each group of region servers, with
 * the servers' metrics. The decision is stored in status; the next reconciliation plans with it,
 * and the plan is rolled out like any other, canary first.
 *
 * <p>Only one group has a trial at a time. The only region server of a cluster is not restarted
 * without approval, since the cluster is down during the restart: there {@code Auto} means {@code
 * Recommend}.
 */
final class TuningPass {
  private static final Tuner TUNER = new Tuner(Rules.all());

  private static final Set<String> WAITS =
      Set.of(Activity.WAITING_FOR_ROLLOUT.text(), Activity.WAITING_FOR_SPEC.text());

  /** A quarter of the default window. At rest, there is no other reconciliation. */
  static final Duration LONGEST_PERIOD = Duration.ofSeconds(150);

  private static final Duration SHORTEST_PERIOD = Duration.ofSeconds(5);

  /** The first reading after a window completes it, and the next reconciliation evaluates it. */
  private static final Duration MARGIN = LONGEST_PERIOD.plusSeconds(20);

  private final Plans plans;
  private final Applied applied;

  /** The group of each existing pod: a deleted pod's group is unknown. */
  private final Map<String, String> groups;

  private final Observation observed;
  private final RolloutResult rollout;
  private final Instant watchedSince;
  private final List<Reading> readings;
  private final Instant now;

  /**
   * For one reconciliation.
   *
   * @param watchedSince since when there was no break between reconciliations
   */
  TuningPass(
      Plans plans,
      Applied applied,
      Observation observed,
      RolloutResult rollout,
      Instant watchedSince) {
    this.plans = plans;
    this.applied = applied;
    this.observed = observed;
    this.rollout = rollout;
    this.watchedSince = watchedSince;
    readings = observed.hbase().readings();
    now = observed.hbase().now();
    groups =
        readings.isEmpty()
            ? Map.of()
            : observed.pods().stream()
                .collect(
                    Collectors.toMap(
                        it -> it.getMetadata().getName(),
                        Labels::groupOf,
                        (first, second) -> first));
  }

  /** The result of each group's step, by its name; none if tuning was never on. */
  Map<String, TuningStep> run(HBaseCluster cluster) {
    var spec = cluster.getSpec().tuning();
    var before = TuningStatuses.states(cluster);
    if (spec.mode() == TuningSpec.Mode.Disabled && before.isEmpty()) {
      return Map.of();
    }
    var settings = settings(spec);
    var approved = annotation(cluster, Labels.APPLY_TUNING);
    var dismissed = annotation(cluster, Labels.DISMISS_TUNING);
    var steps = new LinkedHashMap<String, TuningStep>();
    for (GroupPlan plan : applied.plans()) {
      var name = plan.group().name();
      boolean isOtherTried =
          before.entrySet().stream()
                  .anyMatch(it -> !it.getKey().equals(name) && it.getValue().trial().isPresent())
              || steps.values().stream().anyMatch(it -> it.next().trial().isPresent());
      steps.put(
          name,
          TUNER.step(
              new TuningInput(
                  settings,
                  before.getOrDefault(name, TuningState.EMPTY),
                  Optional.of(evidence(plan, spec)),
                  isOtherTried ? new Rollout.InProgress() : rollout(name),
                  approved,
                  dismissed,
                  watchedSince,
                  now)));
    }
    return steps;
  }

  private TuningSettings settings(TuningSpec spec) {
    return new TuningSettings(
        switch (spec.mode()) {
          case Disabled -> TuningMode.DISABLED;
          case Recommend -> TuningMode.RECOMMEND;
          case Auto -> isOneServer() ? TuningMode.RECOMMEND : TuningMode.AUTO;
        },
        window(spec),
        warmUp(spec),
        RolloutSettings.duration(spec.coolDown()).orElse(Duration.ofHours(1)),
        spec.changesPerDay(),
        Set.copyOf(spec.disabledRules()));
  }

  /**
   * How often the rules are evaluated without an alert, since Prometheus is optional: four times a
   * window, but every {@link #LONGEST_PERIOD} at least and every {@link #SHORTEST_PERIOD} at most.
   *
   * <p>No deadline runs at rest, so a {@link io.offheap.hbase.operator.rollout.Watch} may break
   * between two of these reconciliations; while one runs, {@link NextPass} reconciles more often.
   */
  static Duration period(TuningSpec spec) {
    var quarter = window(spec).dividedBy(4);
    return Collections.max(
        List.of(SHORTEST_PERIOD, Collections.min(List.of(LONGEST_PERIOD, quarter))));
  }

  /**
   * Whether status must keep the result from before this process: its readings do not fill a window
   * yet, and there is nothing else to report. The earlier result has more evidence.
   *
   * @param first the tuning status at this process' first observation of the cluster, if any
   * @param since when that was
   */
  static boolean isToCome(
      Map<String, TuningStep> steps,
      TuningStatus first,
      TuningSpec spec,
      Instant since,
      Instant now) {
    return first != null
        && first.groups() != null
        && now.isBefore(since.plus(window(spec)).plus(MARGIN))
        && steps.size() == first.groups().size()
        && first.groups().stream()
            .allMatch(
                group ->
                    Optional.ofNullable(group.reason()).filter(WAITS::contains).isEmpty()
                        && Optional.ofNullable(steps.get(group.name()))
                            .filter(TuningStep::isGathering)
                            .filter(it -> it.next().equals(TuningStatuses.read(group)))
                            .isPresent());
  }

  private static Duration window(TuningSpec spec) {
    return RolloutSettings.duration(spec.window()).orElse(Duration.ofMinutes(10));
  }

  private static Duration warmUp(TuningSpec spec) {
    return RolloutSettings.duration(spec.warmUp()).orElse(Duration.ofMinutes(2));
  }

  private boolean isOneServer() {
    return applied.plans().stream().mapToInt(it -> it.group().spec().replicas()).sum() == 1;
  }

  private static Optional<String> annotation(HBaseCluster cluster, String key) {
    return Optional.ofNullable(cluster.getMetadata().getAnnotations()).map(it -> it.get(key));
  }

  private Rollout rollout(String group) {
    var rolledBack =
        applied.rolledBack().stream().filter(it -> it.group().equals(group)).findFirst();
    if (rolledBack.isPresent()) {
      return new Rollout.RolledBack(rolledBack.get().reason(), rolledBack.get().evidence());
    }
    boolean isOver =
        !rollout.isActive()
            && observed.waiting().isEmpty()
            && observed.serverPods().stream().noneMatch(ServerPod::isOutdated);
    return isOver ? new Rollout.Complete() : new Rollout.InProgress();
  }

  private Evidence evidence(GroupPlan plan, TuningSpec spec) {
    var group = plan.group();
    var warmUp = warmUp(spec);
    var tuned =
        TunedValues.of(applied.live()).byGroup().getOrDefault(group.name(), List.of()).stream()
            .collect(Collectors.toMap(Tuned::key, Tuned::value));
    var byGroup =
        readings.stream()
            .filter(reading -> groups.containsKey(reading.pod()))
            .collect(
                Collectors.partitioningBy(
                    reading -> group.name().equals(groups.get(reading.pod()))));
    return new Evidence(
        plan.plan(),
        tuned,
        declared(plan.plan()),
        ServerWindow.of(byGroup.get(true), warmUp),
        ServerWindow.of(byGroup.get(false), warmUp),
        tables(),
        spec.shrinkBucketCache(),
        values -> replan(group, values));
  }

  /** The settings that no rule changes: what the resource decides wins over a tuned value. */
  static Set<String> declared(MemoryPlan plan) {
    return plan.settings().stream()
        .filter(it -> it.provenance().isDeclared())
        .map(Setting::name)
        .collect(Collectors.toSet());
  }

  private List<TableBlocks> tables() {
    return applied.live().map(FittedPlans::blocks).orElse(List.of());
  }

  private PlanResult replan(ServerGroup group, Map<TunedKey, Long> values) {
    var tuned =
        values.entrySet().stream().map(it -> new Tuned(it.getKey(), it.getValue(), "")).toList();
    var workingSet = applied.live().map(LiveStatus::workingSet).map(OptionalLong::of);
    return plans.of(
        group,
        new ObservedInputs(
            tables(), workingSet.orElse(OptionalLong.empty()), Map.of(group.name(), tuned)));
  }
}
