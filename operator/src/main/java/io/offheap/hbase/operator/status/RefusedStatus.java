package io.offheap.hbase.operator.status;

import static io.offheap.hbase.operator.status.ConditionType.Progressing;
import static io.offheap.hbase.operator.status.ConditionType.Ready;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatusBuilder;

/** The status of a refused cluster without objects. */
public final class RefusedStatus {
  private RefusedStatus() {}

  /**
   * With the reason in the existing condition {@code Planned}.
   *
   * @param selector selects the pods of the default group
   */
  public static HBaseClusterStatus of(
      HBaseCluster cluster, String selector, Conditions conditions) {
    conditions.add(Ready, false, Reason.NotPlanned, "nothing was made; see condition Planned");
    conditions.add(
        Progressing,
        false,
        conditions.refusal().orElse(Reason.NotPlanned),
        "the resource is refused; see condition Planned");
    return new HBaseClusterStatusBuilder()
        .observedGeneration(cluster.getMetadata().getGeneration())
        .conditions(conditions.list())
        .replicas(0)
        .selector(selector)
        .build();
  }
}
