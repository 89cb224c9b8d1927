package io.offheap.hbase.operator.observe;

import io.fabric8.kubernetes.api.model.Pod;
import io.offheap.hbase.operator.rollout.Rollout;
import io.offheap.hbase.operator.rollout.ServerRestart;
import io.offheap.hbase.operator.rollout.ServerRestart.Step;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Pods whose servers are drained or stopped now. They are replaced even if no restart may begin,
 * and even if they run what is declared again.
 *
 * @param drained names of the pods that are drained
 * @param stopped names of the pods that are deleted next
 */
record LeavingPods(Set<String> drained, Set<String> stopped) {
  static LeavingPods of(Optional<Rollout> rollout) {
    return new LeavingPods(pods(rollout, Step.DRAIN), pods(rollout, Step.STOP));
  }

  private static Set<String> pods(Optional<Rollout> rollout, Step step) {
    return rollout.stream()
        .flatMap(it -> it.restarts().stream())
        .filter(it -> it.step() == step && it.cause() != ServerRestart.Cause.SCALE_DOWN)
        .map(ServerRestart::pod)
        .collect(Collectors.toSet());
  }

  boolean contains(Pod pod) {
    return isDeletedNext(pod) || drained.contains(pod.getMetadata().getName());
  }

  boolean isDeletedNext(Pod pod) {
    return stopped.contains(pod.getMetadata().getName());
  }
}
