package io.offheap.hbase.operator.rollout;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Decides which pod of ZooKeeper or HDFS restarts next. One decision is for all roles, since a role
 * needs the roles before it, and HBase needs all of them.
 *
 * <ol>
 *   <li>No restart may begin while the cluster is paused.
 *   <li>An outdated pod that does not serve restarts first: its restart takes nothing, and its
 *       quorum, the other roles or a rollout of HBase may wait for it. So neither another role nor
 *       a closed window nor a stored rollout holds it back. In its own role, one pod at a time gets
 *       a template that may be worse; it waits
 *       <ul>
 *         <li>until the StatefulSet's controller has seen the new template; a pod that is deleted
 *             before would get the old one;
 *         <li>while another pod cannot start with the present template: this pod would follow it,
 *             though it may serve again by itself, for example when its quorum is back. A pod that
 *             cannot start has nothing to lose;
 *         <li>while a pod is missing;
 *         <li>until each pod that does not serve has had {@link #TIME_TO_SERVE}, unless Kubernetes
 *             reports that it cannot start. A pod that was just made shows by then whether its
 *             template is good, and one that failed a probe may be back. After that it holds
 *             nothing back: it may itself wait for the outdated pod, or its node may be lost;
 *         <li>for {@link PodState#LONGEST_LOAD} while its process may be loading its files, since
 *             the next process would begin anew. It has no such time if the process before failed
 *             in it, so a pod that ends again and again does not wait for ever;
 *         <li>while its node does not report it: nothing there would stop it, and it may serve;
 *         <li>while the API server refuses the pod that would follow.
 *       </ul>
 *   <li>An outdated pod that serves restarts only while every pod of ZooKeeper and HDFS exists and
 *       serves, a maintenance window is open, and no rollout of HBase is stored: one disturbance at
 *       a time. The first role in the order of the start comes first, and in it the highest
 *       ordinal, as in Kubernetes' rolling update.
 * </ol>
 *
 * <p>Each reconciliation decides anew from the observed state, so an operator that was stopped
 * between two restarts continues where it was. A restarted pod has the current template, so it is
 * not restarted again.
 */
public sealed interface RestartDecision {
  /**
   * An image that cannot be pulled and a process that ends twice are reported by then. It is longer
   * than what fails a probe and ends by itself.
   */
  Duration TIME_TO_SERVE = Duration.ofMinutes(2);

  /** No pod is outdated. */
  record Done() implements RestartDecision {}

  /**
   * This pod must be deleted now.
   *
   * @param isServing whether it serves, so that the restart must wait for HBase
   */
  record Restart(String pod, boolean isServing) implements RestartDecision {}

  /**
   * No pod may be deleted yet.
   *
   * @param reason what holds the restart back
   * @param role the role that holds it back, or whose pods must restart
   * @param pod the pod concerned, and what is known of it; may be empty
   */
  record Wait(Reason reason, String role, String pod) implements RestartDecision {
    /** For messages: role, reason and pod. */
    public String text() {
      return role + ": " + reason.text + (pod.isEmpty() ? "" : " (" + pod + ")");
    }
  }

  /** What holds a restart back. */
  enum Reason {
    PAUSED("the cluster is paused"),
    TEMPLATE_NOT_OBSERVED("the StatefulSet's controller has not seen the new template"),
    POD_CANNOT_START("a pod cannot start with the present template"),
    POD_TERMINATING("a pod is stopping"),
    POD_MISSING("a pod is missing"),
    POD_NOT_SERVING("a pod does not serve"),
    POD_LOADING("a pod may be loading its files, and has 30 minutes for it"),
    OUTSIDE_WINDOW("no maintenance window is open"),
    ROLLOUT_UNDER_WAY("a rollout of HBase is under way"),
    POD_REFUSED("the API server refuses the pod that would follow");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    /** Whether the spec forbids restarts now. */
    public boolean isDeclared() {
      return this == PAUSED || this == OUTSIDE_WINDOW;
    }
  }

  /**
   * Decides.
   *
   * @param roles ZooKeeper and HDFS, in the order of their start
   * @param snapshot the time, the declared rules of restarts and the pods that are refused
   * @param isRolloutStored whether a rollout of HBase is under way
   */
  static RestartDecision of(
      List<RolePods> roles, RolloutSnapshot snapshot, boolean isRolloutStored) {
    var outdated = roles.stream().filter(RolePods::isOutdated).toList();
    if (outdated.isEmpty()) {
      return new Done();
    }
    if (snapshot.rules().isPaused()) {
      return new Wait(Reason.PAUSED, outdated.get(0).role(), "");
    }
    var repairs = outdated.stream().flatMap(it -> repair(it, snapshot).stream()).toList();
    return repairs.stream()
        .filter(Restart.class::isInstance)
        .findFirst()
        .or(() -> repairs.stream().findFirst())
        .or(() -> roles.stream().flatMap(it -> disturbance(it).stream()).findFirst())
        .orElseGet(() -> renewal(outdated.get(0), snapshot, isRolloutStored));
  }

  /** The restart of a role's outdated pod that does not serve, or what it waits for. */
  private static Optional<RestartDecision> repair(RolePods role, RolloutSnapshot snapshot) {
    return role.pods().stream()
        .filter(it -> it.outdated() && !it.ready() && !it.terminating() && it.isReported())
        .max(Comparator.comparing(PodState::cannotStart).thenComparing(PodState::ordinal))
        .map(
            pod ->
                unobserved(role)
                    .or(
                        () ->
                            waitFor(
                                Reason.POD_CANNOT_START,
                                role,
                                it -> !pod.cannotStart() && !it.outdated() && it.cannotStart()))
                    .or(() -> missing(role))
                    .or(() -> undecided(role))
                    .or(() -> loading(pod, role))
                    .or(() -> refused(pod, role, snapshot))
                    .orElseGet(() -> new Restart(pod.name(), false)));
  }

  /** The restart of a role's outdated pod while all pods serve, or what it waits for. */
  private static RestartDecision renewal(
      RolePods role, RolloutSnapshot snapshot, boolean isRolloutStored) {
    var pod =
        role.pods().stream()
            .filter(PodState::outdated)
            .max(Comparator.comparing(PodState::ordinal))
            .orElseThrow();
    boolean isClosed = !snapshot.rules().isWindowOpen();
    return unobserved(role)
        .or(() -> waitIf(isClosed, Reason.OUTSIDE_WINDOW, role, pod.name()))
        .or(() -> waitIf(isRolloutStored, Reason.ROLLOUT_UNDER_WAY, role, ""))
        .or(() -> refused(pod, role, snapshot))
        .orElseGet(() -> new Restart(pod.name(), true));
  }

  /** What keeps a role from serving with all its pods. */
  private static Optional<RestartDecision> disturbance(RolePods role) {
    return waitFor(Reason.POD_TERMINATING, role, PodState::terminating)
        .or(() -> missing(role))
        .or(() -> waitFor(Reason.POD_NOT_SERVING, role, it -> !it.ready()));
  }

  /** A pod that may serve soon. */
  private static Optional<RestartDecision> undecided(RolePods role) {
    Predicate<PodState> isNew = it -> it.lasted().compareTo(TIME_TO_SERVE) < 0;
    return waitFor(Reason.POD_TERMINATING, role, isNew.and(PodState::terminating))
        .or(
            () ->
                waitFor(
                    Reason.POD_NOT_SERVING,
                    role,
                    isNew.and(it -> !it.ready() && !it.cannotStart())));
  }

  /** Its restart would begin anew what it has done so far. */
  private static Optional<RestartDecision> loading(PodState pod, RolePods role) {
    boolean isLoading =
        pod.phase() == PodState.Phase.LOADING && pod.lasted().compareTo(PodState.LONGEST_LOAD) < 0;
    return waitIf(isLoading, Reason.POD_LOADING, role, pod.text());
  }

  private static Optional<RestartDecision> unobserved(RolePods role) {
    return waitIf(!role.isTemplateObserved(), Reason.TEMPLATE_NOT_OBSERVED, role, "");
  }

  private static Optional<RestartDecision> missing(RolePods role) {
    return waitIf(role.lacksPods(), Reason.POD_MISSING, role, "");
  }

  private static Optional<RestartDecision> refused(
      PodState pod, RolePods role, RolloutSnapshot snapshot) {
    return snapshot.refusalOf(pod.name()).map(it -> new Wait(Reason.POD_REFUSED, role.role(), it));
  }

  private static Optional<RestartDecision> waitFor(
      Reason reason, RolePods role, Predicate<PodState> which) {
    return role.pods().stream()
        .filter(which)
        .findFirst()
        .map(it -> new Wait(reason, role.role(), it.text()));
  }

  private static Optional<RestartDecision> waitIf(
      boolean isHeld, Reason reason, RolePods role, String pod) {
    return isHeld ? Optional.of(new Wait(reason, role.role(), pod)) : Optional.empty();
  }
}
