package io.offheap.hbase.operator.rollout;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Since when this process has seen each pod of ZooKeeper and HDFS in its state.
 *
 * <p>The times in a pod's status are by the clocks of its node and of the API server. The
 * operator's clock may differ by minutes: compared with it, a pod that was just made may look old,
 * or be made in the future. So another time in the status is the sign of another state, and how
 * long that has lasted is measured by this process. It is not stored: as for {@link Watch}, the
 * next process begins anew, and a pod waits longer, never shorter.
 *
 * @param pods what was seen, by pod
 */
public record SeenPods(Map<String, Seen> pods) {
  /** Before the first reconciliation of this process. */
  public static final SeenPods NONE = new SeenPods(Map.of());

  public SeenPods {
    pods = Map.copyOf(pods);
  }

  /**
   * A pod's state.
   *
   * @param times its times by Kubernetes
   * @param nanos when this process saw it first, by the monotonic clock
   */
  public record Seen(String times, long nanos) {
    private boolean isOf(PodState pod) {
      return times.equals(pod.times());
    }
  }

  /** After another reconciliation. */
  public SeenPods next(List<RolePods> roles, long nanos) {
    return new SeenPods(
        roles.stream()
            .flatMap(it -> it.pods().stream())
            .collect(Collectors.toMap(PodState::name, it -> seen(it, nanos), (one, other) -> one)));
  }

  private Seen seen(PodState pod, long nanos) {
    return Optional.ofNullable(pods.get(pod.name()))
        .filter(it -> it.isOf(pod))
        .orElseGet(() -> new Seen(pod.times(), nanos));
  }

  /** The same pods with how long they were seen. */
  public List<RolePods> timed(List<RolePods> roles, long nanos) {
    return roles.stream()
        .map(
            role ->
                role.withPods(
                    role.pods().stream()
                        .map(it -> it.seenFor(Duration.ofNanos(nanos - seen(it, nanos).nanos())))
                        .toList()))
        .toList();
  }
}
