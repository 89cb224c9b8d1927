package io.offheap.hbase.operator.api;

import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;

/**
 * Builds an {@link HBaseClusterStatus}. Fields that are not set are absent, and there are no
 * conditions by default.
 */
public final class HBaseClusterStatusBuilder {
  private Long observedGeneration;
  private List<Condition> conditions = List.of();
  private Integer replicas;
  private String selector;
  private Integer readyServers;
  private Integer desiredServers;
  private List<HBaseClusterStatus.RegionServer> regionServers;
  private HBaseClusterStatus.MemoryPlanStatus memoryPlan;
  private List<HBaseClusterStatus.Group> groups;
  private HBaseClusterStatus.LiveStatus live;
  private HBaseClusterSpec appliedSpec;
  private HBaseClusterStatus.Images images;
  private HBaseClusterStatus.LastGood lastGood;
  private RolloutStatus rollout;
  private RolloutStatus.Finished lastRollout;
  private List<RolloutStatus.RolledBack> rolledBack;
  private List<RolloutStatus.Proven> proven;
  private TuningStatus tuning;

  public HBaseClusterStatusBuilder observedGeneration(Long value) {
    observedGeneration = value;
    return this;
  }

  public HBaseClusterStatusBuilder conditions(List<Condition> value) {
    conditions = value;
    return this;
  }

  public HBaseClusterStatusBuilder replicas(Integer value) {
    replicas = value;
    return this;
  }

  public HBaseClusterStatusBuilder selector(String value) {
    selector = value;
    return this;
  }

  /** Region servers that serve, and that are declared. */
  public HBaseClusterStatusBuilder servers(Integer ready, Integer desired) {
    readyServers = ready;
    desiredServers = desired;
    return this;
  }

  public HBaseClusterStatusBuilder regionServers(List<HBaseClusterStatus.RegionServer> value) {
    regionServers = value;
    return this;
  }

  public HBaseClusterStatusBuilder memoryPlan(HBaseClusterStatus.MemoryPlanStatus value) {
    memoryPlan = value;
    return this;
  }

  public HBaseClusterStatusBuilder groups(List<HBaseClusterStatus.Group> value) {
    groups = value;
    return this;
  }

  public HBaseClusterStatusBuilder live(HBaseClusterStatus.LiveStatus value) {
    live = value;
    return this;
  }

  public HBaseClusterStatusBuilder appliedSpec(HBaseClusterSpec value) {
    appliedSpec = value;
    return this;
  }

  public HBaseClusterStatusBuilder images(HBaseClusterStatus.Images value) {
    images = value;
    return this;
  }

  public HBaseClusterStatusBuilder lastGood(HBaseClusterStatus.LastGood value) {
    lastGood = value;
    return this;
  }

  public HBaseClusterStatusBuilder rollout(RolloutStatus value) {
    rollout = value;
    return this;
  }

  public HBaseClusterStatusBuilder lastRollout(RolloutStatus.Finished value) {
    lastRollout = value;
    return this;
  }

  public HBaseClusterStatusBuilder rolledBack(List<RolloutStatus.RolledBack> value) {
    rolledBack = value;
    return this;
  }

  public HBaseClusterStatusBuilder proven(List<RolloutStatus.Proven> value) {
    proven = value;
    return this;
  }

  public HBaseClusterStatusBuilder tuning(TuningStatus value) {
    tuning = value;
    return this;
  }

  /** The status. */
  public HBaseClusterStatus build() {
    return new HBaseClusterStatus(
        observedGeneration,
        conditions,
        replicas,
        selector,
        readyServers,
        desiredServers,
        regionServers,
        memoryPlan,
        groups,
        live,
        appliedSpec,
        images,
        lastGood,
        rollout,
        lastRollout,
        rolledBack,
        proven,
        tuning);
  }
}
