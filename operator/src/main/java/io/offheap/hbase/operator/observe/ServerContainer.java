package io.offheap.hbase.operator.observe;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.offheap.hbase.operator.deploy.Role;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The container of a pod in which the process of its role runs. Other containers, such as sidecars
 * that a pod template adds, are no evidence about the server.
 */
final class ServerContainer {
  /** What the container runtime reports of a process that ended with its node. */
  private static final int UNKNOWN_EXIT = 255;

  private ServerContainer() {}

  static Stream<ContainerStatus> of(Pod pod, Role role) {
    return Optional.ofNullable(pod.getStatus()).stream()
        .flatMap(it -> it.getContainerStatuses().stream())
        .filter(it -> role.text().equals(it.getName()));
  }

  /** How often its process has ended. */
  static int restarts(Pod pod, Role role) {
    return of(pod, role).mapToInt(ServerContainer::ends).sum();
  }

  /** An ended process counts before its restart is counted. */
  static int ends(ContainerStatus container) {
    boolean isRunning =
        Optional.ofNullable(container.getState()).map(ContainerState::getRunning).isPresent();
    int restarts = Optional.ofNullable(container.getRestartCount()).orElse(0);
    return restarts + (!isRunning && lastEnd(container).isPresent() ? 1 : 0);
  }

  /** Whether its last process ended with the node, for example in a reboot. */
  static boolean isEndedByNode(Pod pod, Role role) {
    return of(pod, role).anyMatch(it -> lastEnd(it).filter(ServerContainer::isLost).isPresent());
  }

  private static Optional<ContainerStateTerminated> lastEnd(ContainerStatus container) {
    return Stream.of(container.getState(), container.getLastState())
        .flatMap(it -> Optional.ofNullable(it).map(ContainerState::getTerminated).stream())
        .findFirst();
  }

  /** The runtime, or the kubelet, found the process ended and does not know how. */
  private static boolean isLost(ContainerStateTerminated end) {
    return "ContainerStatusUnknown".equals(end.getReason())
        || ("Unknown".equals(end.getReason())
            && Integer.valueOf(UNKNOWN_EXIT).equals(end.getExitCode()));
  }
}
