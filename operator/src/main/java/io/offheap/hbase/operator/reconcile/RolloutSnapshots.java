package io.offheap.hbase.operator.reconcile;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.RolloutSpec;
import io.offheap.hbase.operator.declare.RolloutSettings;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.observe.Observation;
import io.offheap.hbase.operator.observe.ObservedInfrastructure;
import io.offheap.hbase.operator.observe.RestartScope;
import io.offheap.hbase.operator.rollout.CanaryVerdict;
import io.offheap.hbase.operator.rollout.HBaseCommand;
import io.offheap.hbase.operator.rollout.MaintenanceWindow;
import io.offheap.hbase.operator.rollout.PodStarts;
import io.offheap.hbase.operator.rollout.RolloutRules;
import io.offheap.hbase.operator.rollout.RolloutSnapshot;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Builds a rollout's snapshot from a reconciliation's observation. */
final class RolloutSnapshots {
  private RolloutSnapshots() {}

  static RolloutSnapshot of(
      Observation observed,
      Applied applied,
      CanaryVerdict canary,
      Map<String, String> refusedPods,
      PodStarts starts,
      Instant watchedSince) {
    var cluster = observed.model().cluster();
    var hbase = observed.hbase();
    var infrastructure = new ObservedInfrastructure(observed);
    return RolloutSnapshot.at(hbase.now())
        .watchedSince(watchedSince)
        .rules(rules(cluster, hbase.now()))
        .servers(observed.serverPods())
        .declared(observed.declaredServers())
        .masters(observed.masterPods())
        .declaredMasters(observed.masters())
        .templatesObserved(observed.areTemplatesObserved())
        .infrastructureReady(infrastructure.isReady())
        .infrastructureServes(infrastructure.doesServe())
        .hbase(hbase.view())
        .settledAt(hbase.settledAt())
        .refused(
            hbase.refused().stream()
                .filter(HBaseCommand.Move.class::isInstance)
                .map(it -> ((HBaseCommand.Move) it).encodedRegion())
                .collect(Collectors.toSet()))
        .keptDraining(HBaseCommand.Recommission.serversOf(hbase.denied()))
        .proven(applied.proven())
        .goodBefore(applied.goodBefore())
        .rolledBack(applied.rolledBackGroups())
        .halted(applied.halted())
        .refusedPods(refusedPods)
        .starts(starts)
        .canaryVerdict(canary)
        .build();
  }

  /** Which outdated pods the declared rules of restarts permit to restart. */
  static RestartScope scope(HBaseCluster cluster, Instant now) {
    var rules = rules(cluster, now);
    if (rules.isPaused()) {
      return RestartScope.NONE;
    }
    return rules.isWindowOpen() ? RestartScope.ALL : RestartScope.NOT_READY;
  }

  private static RolloutRules rules(HBaseCluster cluster, Instant now) {
    var spec = cluster.getSpec().rollout();
    var read = RolloutSettings.of(spec);
    var annotations = Optional.ofNullable(cluster.getMetadata().getAnnotations());
    return new RolloutRules(
        read.maxUnavailable(),
        read.drainTimeout(),
        read.startTimeout(),
        read.canaryWindow(),
        Boolean.TRUE.equals(spec.paused())
            || annotations.map(it -> it.get(Labels.PAUSED)).filter("true"::equals).isPresent(),
        MaintenanceWindow.isOpen(
            spec.windows().stream().map(RolloutSnapshots::window).toList(), now));
  }

  private static MaintenanceWindow window(RolloutSpec.Window window) {
    var days = window.days() == null ? Arrays.asList(RolloutSpec.Day.values()) : window.days();
    return new MaintenanceWindow(
        days.stream()
            .map(day -> DayOfWeek.valueOf(day.name().toUpperCase(Locale.ROOT)))
            .collect(Collectors.toSet()),
        LocalTime.parse(window.start()),
        RolloutSettings.duration(window.duration()).orElseThrow(),
        RolloutSettings.zone(window).orElseThrow());
  }
}
