package io.offheap.hbase.operator.rollout;

import java.util.List;

/**
 * The pods of a role of ZooKeeper or HDFS.
 *
 * @param role its name in messages
 * @param pods the pods that exist
 * @param replicas declared pods
 * @param isTemplateObserved whether the StatefulSet's controller has seen the current template
 */
public record RolePods(String role, List<PodState> pods, int replicas, boolean isTemplateObserved) {
  public RolePods {
    pods = List.copyOf(pods);
  }

  /** The same role with other pods. */
  RolePods withPods(List<PodState> others) {
    return new RolePods(role, others, replicas, isTemplateObserved);
  }

  boolean isOutdated() {
    return pods.stream().anyMatch(PodState::outdated);
  }

  boolean lacksPods() {
    return pods.size() < replicas;
  }
}
