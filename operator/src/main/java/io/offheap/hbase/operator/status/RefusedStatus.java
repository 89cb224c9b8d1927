package io.offheap.hbase.operator.status;

import static io.offheap.hbase.operator.status.ConditionType.Progressing;
import static io.offheap.hbase.operator.status.ConditionType.Ready;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatusBuilder;
import io.offheap.hbase.operator.observe.ObservedServer;
import java.util.List;
import java.util.Optional;

/** The status of a refused cluster without objects. */
public final class RefusedStatus {
  private RefusedStatus() {}

  /**
   * With the reason in the existing condition {@code Planned}.
   *
   * @param selector selects the pods of the default group
   * @param restored region servers of an HBase that has not everything back of an earlier rollout;
   *     the operator requests views of HBase only where status has region servers
   * @param keepsRollout whether the rollout of the status stays, as the source of what is restored
   */
  public static HBaseClusterStatus of(
      HBaseCluster cluster,
      String selector,
      List<ObservedServer> restored,
      boolean keepsRollout,
      Conditions conditions) {
    conditions.add(Ready, false, Reason.NotPlanned, "nothing was made; see condition Planned");
    conditions.add(
        Progressing,
        false,
        conditions.refusal().orElse(Reason.NotPlanned),
        "the resource is refused; see condition Planned"
            + (restored.isEmpty()
                ? ""
                : "; what an earlier rollout had taken from HBase is being restored"));
    return new HBaseClusterStatusBuilder()
        .observedGeneration(cluster.getMetadata().getGeneration())
        .conditions(conditions.list())
        .replicas(0)
        .selector(selector)
        .regionServers(RegionServerStatuses.of(restored))
        .rollout(
            Optional.ofNullable(cluster.getStatus())
                .filter(it -> keepsRollout)
                .map(HBaseClusterStatus::rollout)
                .orElse(null))
        .build();
  }
}
