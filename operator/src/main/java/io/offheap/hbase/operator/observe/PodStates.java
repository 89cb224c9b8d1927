package io.offheap.hbase.operator.observe;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateRunning;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.deploy.Role;
import io.offheap.hbase.operator.rollout.PodState;
import io.offheap.hbase.operator.rollout.PodState.Phase;
import io.offheap.hbase.operator.rollout.PodTrouble;
import io.offheap.hbase.operator.rollout.PodTrouble.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The states of pods, as Kubernetes reports them. */
final class PodStates {
  /**
   * A process that ran for longer had started. Without this, two restarts of its node, months ago,
   * would count as a pod that cannot start as soon as it waits for its quorum.
   */
  private static final Duration LONGEST_FAILED_START = Duration.ofMinutes(2);

  private static final Set<String> READY = Set.of("Ready", "ContainersReady");

  private PodStates() {}

  /** Whether Kubernetes reports a pod as ready, and it is not being deleted. */
  static boolean isReady(Pod pod) {
    return pod.getMetadata().getDeletionTimestamp() == null
        && pod.getStatus() != null
        && pod.getStatus().getConditions().stream()
            .anyMatch(it -> it.getType().equals("Ready") && it.getStatus().equals("True"));
  }

  static PodState of(Pod pod, Role role, boolean isOutdated, Instant now) {
    return new PodState(
        pod.getMetadata().getName(),
        Labels.ordinalOf(pod),
        isOutdated,
        phase(pod, role, now),
        times(pod, role),
        gracePeriod(pod).negated(),
        isReady(pod) ? Optional.empty() : trouble(pod));
  }

  /** Whether a pod of a role does not serve and cannot start, for another reason than a node. */
  static boolean cannotStart(Pod pod, Role role, Instant now) {
    return phase(pod, role, now) == Phase.CANNOT_START;
  }

  private static Duration gracePeriod(Pod pod) {
    return Optional.ofNullable(pod.getMetadata().getDeletionGracePeriodSeconds())
        .map(Duration::ofSeconds)
        .orElse(Duration.ZERO);
  }

  private static Phase phase(Pod pod, Role role, Instant now) {
    if (pod.getMetadata().getDeletionTimestamp() != null) {
      return Phase.TERMINATING;
    }
    if (serves(pod, role)) {
      return Phase.SERVING;
    }
    if (own(pod, role).anyMatch(it -> cannotStart(it, now))) {
      return Phase.CANNOT_START;
    }
    return isLoading(pod, role) ? Phase.LOADING : Phase.DOWN;
  }

  /**
   * Whether a process of the name node runs that has not served yet: Kubernetes counts a container
   * as started once its startup probe has succeeded, which requests what the readiness probe does.
   * The other roles read little: ZooKeeper that waits for its quorum, and a data node that waits
   * for the name node, look alike.
   */
  private static boolean isLoading(Pod pod, Role role) {
    return role == Role.NAMENODE
        && ServerContainer.of(pod, role)
            .filter(it -> !Boolean.TRUE.equals(it.getStarted()) && running(it).isPresent())
            .anyMatch(it -> ended(it.getLastState()).filter(PodStates::failed).isEmpty());
  }

  /**
   * Whether a process may have ended while it was loading, or soon after: the next one may do the
   * same, and each would begin the time anew. A process that ended at once had not begun to load;
   * one that ran for longer had the time to serve. After a restart of the node, both times may be
   * unknown and the same.
   */
  private static boolean failed(ContainerStateTerminated process) {
    return between(process.getStartedAt(), time(process.getFinishedAt()))
        .filter(
            it ->
                it.compareTo(LONGEST_FAILED_START) < 0 || it.compareTo(PodState.LONGEST_LOAD) >= 0)
        .isEmpty();
  }

  /**
   * Whether the process of a role serves. A pod is not ready while any of its containers is not,
   * such as a sidecar that ends at each start; but a restart would take the server away.
   */
  static boolean serves(Pod pod, Role role) {
    return isReady(pod)
        || (pod.getMetadata().getDeletionTimestamp() == null
            && !isSilent(pod)
            && ServerContainer.of(pod, role).anyMatch(it -> Boolean.TRUE.equals(it.getReady())));
  }

  /** The containers that the process of a role needs: its own, and those before it. */
  private static Stream<ContainerStatus> own(Pod pod, Role role) {
    return Stream.concat(
        Optional.ofNullable(pod.getStatus()).stream()
            .flatMap(it -> it.getInitContainerStatuses().stream()),
        ServerContainer.of(pod, role));
  }

  /**
   * A kubelet withdraws both conditions at once. Kubernetes' node controller withdraws {@code
   * Ready} alone, when the node has ceased to report.
   */
  private static boolean isSilent(Pod pod) {
    return isTrue(pod, "ContainersReady") && !isTrue(pod, "Ready");
  }

  /** What keeps a pod from serving: first its node, which may also have ended other containers. */
  static Optional<PodTrouble> trouble(Pod pod) {
    if (isSilent(pod)) {
      return Optional.of(new PodTrouble(Kind.SILENT_NODE, "is on a node that does not report it"));
    }
    return isEvicted(pod)
        ? Optional.of(new PodTrouble(Kind.EVICTED, "was ended by its node"))
        : PodTroubles.of(pod);
  }

  /**
   * Whether the kubelet has ended a pod for the node's sake: before a shutdown, or for lack of
   * memory on the node. A pod that exceeds its own limits is not marked so.
   */
  private static boolean isEvicted(Pod pod) {
    return isTrue(pod, "DisruptionTarget")
        && conditions(pod).anyMatch(it -> "TerminationByKubelet".equals(it.getReason()));
  }

  private static boolean cannotStart(ContainerStatus container, Instant now) {
    return PodTroubles.of(container)
        .filter(
            it ->
                it.kind() != Kind.EXITS
                    || Stream.of(container.getState(), container.getLastState())
                        .flatMap(state -> runtime(state, now).stream())
                        .allMatch(ran -> ran.compareTo(LONGEST_FAILED_START) < 0))
        .isPresent();
  }

  private static Optional<Duration> runtime(ContainerState state, Instant now) {
    var running = Optional.ofNullable(state).map(ContainerState::getRunning);
    return running
        // By two clocks: of a start in the future, nothing says that it was just now.
        .flatMap(it -> between(it.getStartedAt(), Optional.of(now)))
        .map(Duration::abs)
        .or(() -> ended(state).flatMap(it -> between(it.getStartedAt(), time(it.getFinishedAt()))));
  }

  private static Optional<Duration> between(String start, Optional<Instant> end) {
    return time(start).flatMap(it -> end.map(at -> Duration.between(it, at)));
  }

  /**
   * The times at which its way to serve began, or anew: its creation, the end of its readiness, its
   * server's start, its deletion. Another container's start does not count: a sidecar that ends
   * again and again would prevent for ever that a pod is restarted.
   */
  private static String times(Pod pod, Role role) {
    var metadata = pod.getMetadata();
    return Stream.of(
            Stream.of(metadata.getCreationTimestamp(), metadata.getDeletionTimestamp()),
            conditions(pod)
                .filter(it -> READY.contains(it.getType()))
                .sorted(Comparator.comparing(PodCondition::getType))
                .map(PodCondition::getLastTransitionTime),
            ServerContainer.of(pod, role)
                .flatMap(it -> running(it).stream())
                .map(ContainerStateRunning::getStartedAt))
        .flatMap(it -> it)
        .map(it -> Objects.requireNonNullElse(it, "none"))
        .collect(Collectors.joining(" "));
  }

  private static Optional<ContainerStateRunning> running(ContainerStatus container) {
    return Optional.ofNullable(container.getState()).map(ContainerState::getRunning);
  }

  private static Optional<ContainerStateTerminated> ended(ContainerState state) {
    return Optional.ofNullable(state).map(ContainerState::getTerminated);
  }

  private static Optional<Instant> time(String text) {
    return Optional.ofNullable(text).map(Instant::parse);
  }

  private static boolean isTrue(Pod pod, String type) {
    return conditions(pod)
        .anyMatch(it -> it.getType().equals(type) && it.getStatus().equals("True"));
  }

  private static Stream<PodCondition> conditions(Pod pod) {
    return Optional.ofNullable(pod.getStatus()).stream().flatMap(it -> it.getConditions().stream());
  }
}
