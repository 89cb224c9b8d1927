package io.offheap.hbase.operator.observe;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.offheap.hbase.operator.rollout.PodTrouble;
import io.offheap.hbase.operator.rollout.PodTrouble.Kind;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Kubernetes' reports about a pod that does not serve. */
public final class PodTroubles {
  private static final Set<String> NO_IMAGE =
      Set.of("ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull");
  private static final Set<String> NO_CONTAINER =
      Set.of("CreateContainerConfigError", "CreateContainerError", "RunContainerError");

  private static final int EXITS = 2;

  /** Limits of lines and characters of Kubernetes' messages, for a readable condition. */
  private static final int LINES = 5;

  private static final int LENGTH = 600;

  private PodTroubles() {}

  static Optional<PodTrouble> of(Pod pod) {
    var status = Optional.ofNullable(pod.getStatus());
    return status
        .flatMap(PodTroubles::unscheduled)
        .or(
            () ->
                status.stream()
                    .flatMap(PodTroubles::containers)
                    .flatMap(it -> of(it).stream())
                    .findFirst());
  }

  static Stream<ContainerStatus> containers(PodStatus status) {
    return Stream.concat(
        status.getInitContainerStatuses().stream(), status.getContainerStatuses().stream());
  }

  private static Optional<PodTrouble> unscheduled(PodStatus status) {
    return status.getConditions().stream()
        .filter(it -> it.getType().equals("PodScheduled") && it.getStatus().equals("False"))
        .map(
            it ->
                new PodTrouble(
                    Kind.NO_NODE,
                    "has no node: " + shortened(Optional.ofNullable(it.getMessage()).orElse(""))))
        .findFirst();
  }

  static Optional<PodTrouble> of(ContainerStatus container) {
    var state = Optional.ofNullable(container.getState());
    var waiting = state.map(ContainerState::getWaiting);
    var reason = waiting.map(it -> it.getReason()).orElse("");
    var message = waiting.map(it -> it.getMessage()).map(PodTroubles::shortened).orElse("");
    if (NO_IMAGE.contains(reason)) {
      return Optional.of(
          new PodTrouble(Kind.NO_IMAGE, "cannot pull its image: " + reason + ", " + message));
    }
    if (NO_CONTAINER.contains(reason)) {
      return Optional.of(
          new PodTrouble(Kind.NO_CONTAINER, "has no container: " + reason + ", " + message));
    }
    return exits(container, state);
  }

  private static Optional<PodTrouble> exits(
      ContainerStatus container, Optional<ContainerState> state) {
    var ended = state.map(ContainerState::getTerminated);
    var before = Optional.ofNullable(container.getLastState()).map(ContainerState::getTerminated);
    int exits = ServerContainer.ends(container);
    return ended
        .or(() -> before)
        .filter(it -> exits >= EXITS && !Boolean.TRUE.equals(container.getReady()))
        .map(it -> new PodTrouble(Kind.EXITS, exited(exits, it)));
  }

  private static String exited(int exits, ContainerStateTerminated last) {
    var words = LogExcerpt.of(Optional.ofNullable(last.getMessage()).orElse(""));
    return "has ended "
        + exits
        + " times, last with exit code "
        + last.getExitCode()
        + Optional.ofNullable(last.getReason()).map(it -> " (" + it + ")").orElse("")
        + (words.isEmpty() ? "" : ": " + words);
  }

  /** The last lines of a message of Kubernetes. */
  static String shortened(String text) {
    var lines = LogExcerpt.lines(text).toList();
    var last =
        lines.stream().skip(Math.max(0, lines.size() - LINES)).collect(Collectors.joining(" | "));
    return last.length() <= LENGTH ? last : "..." + last.substring(last.length() - LENGTH);
  }
}
