package io.offheap.hbase.operator.reconcile;

import io.fabric8.kubernetes.api.model.Pod;
import io.offheap.hbase.operator.api.HBaseClusterStatus.RegionServer;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.hbase.RegionServerReport;
import io.offheap.hbase.operator.observe.Observation;
import io.offheap.hbase.operator.rollout.Rollout;
import io.offheap.hbase.operator.rollout.ServerRestart;
import java.util.List;
import java.util.Optional;

/** The region servers of a cluster, as status has them. */
final class RegionServerStatuses {
  private RegionServerStatuses() {}

  /**
   * All region servers' pods, by group and ordinal.
   *
   * @param rollout what is remembered of a rollout
   */
  static List<RegionServer> of(Observation observed, Optional<Rollout> rollout) {
    return observed
        .regionServerPodsInOrder()
        .map(pod -> regionServer(observed, pod, rollout))
        .toList();
  }

  private static RegionServer regionServer(
      Observation observed, Pod pod, Optional<Rollout> rollout) {
    var name = pod.getMetadata().getName();
    var report =
        Optional.ofNullable(observed.reports().get(name)).filter(it -> Observation.isReady(pod));
    return new RegionServer(
        name,
        report.map(RegionServerReport::serverName).orElse(null),
        Observation.annotation(pod, Labels.PLAN_HASH).orElse(null),
        report.map(RegionServerReport::regions).orElse(null),
        state(observed, pod, rollout));
  }

  private static RegionServer.State state(
      Observation observed, Pod pod, Optional<Rollout> rollout) {
    if (pod.getMetadata().getDeletionTimestamp() != null) {
      return RegionServer.State.Stopping;
    }
    if (!Observation.isReady(pod)) {
      return RegionServer.State.Starting;
    }
    var step =
        rollout.flatMap(it -> it.restartOf(pod.getMetadata().getName())).map(ServerRestart::step);
    if (step.filter(ServerRestart.Step.DRAIN::equals).isPresent()) {
      return RegionServer.State.Draining;
    }
    return observed.isOutdated(pod) ? RegionServer.State.Outdated : RegionServer.State.Serving;
  }
}
