package io.offheap.hbase.operator.rollout;

import java.util.Comparator;
import java.util.List;

/**
 * Decides which pod of ZooKeeper or HDFS restarts next: one at a time, and the next only when the
 * last one serves.
 *
 * <ol>
 *   <li>No restart may begin while the cluster is paused.
 *   <li>The StatefulSet's controller must have seen the new template; a pod deleted before would
 *       get the old one.
 *   <li>No pod may be terminating or missing, and each pod that is up to date must serve: one
 *       disturbance at a time.
 *   <li>An outdated pod that does not serve restarts first: its restart loses nothing, and its
 *       failure may be the reason for the change.
 *   <li>Else, while a maintenance window is open, the outdated pod with the highest ordinal
 *       restarts, as in Kubernetes' rolling update.
 * </ol>
 *
 * <p>Each reconciliation decides anew from the observed state, so an operator that was stopped
 * between two restarts continues where it was.
 */
public sealed interface RestartDecision {

  /** No pod is outdated. */
  record Done() implements RestartDecision {}

  /** This pod must be deleted now. */
  record Restart(String pod) implements RestartDecision {}

  /**
   * No pod may be deleted yet.
   *
   * @param reason what holds the restart back
   * @param role the role of the pods that must restart
   * @param pod the pod concerned; may be empty
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
    POD_TERMINATING("a pod is stopping"),
    POD_MISSING("a pod is missing"),
    POD_NOT_SERVING("a restarted pod does not serve yet"),
    OUTSIDE_WINDOW("no maintenance window is open");

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
   * @param role the pods' role, for messages
   * @param pods the pods that exist
   * @param replicas how many pods are declared
   * @param templateObserved whether the StatefulSet's controller has seen the current template
   * @param rules the declared rules of restarts
   */
  static RestartDecision of(
      String role,
      List<PodState> pods,
      int replicas,
      boolean templateObserved,
      RolloutRules rules) {
    if (pods.stream().noneMatch(PodState::outdated)) {
      return new Done();
    }
    if (rules.isPaused()) {
      return new Wait(Reason.PAUSED, role, "");
    }
    if (!templateObserved) {
      return new Wait(Reason.TEMPLATE_NOT_OBSERVED, role, "");
    }
    for (PodState pod : pods) {
      if (pod.terminating()) {
        return new Wait(Reason.POD_TERMINATING, role, pod.name());
      }
    }
    if (pods.size() < replicas) {
      return new Wait(Reason.POD_MISSING, role, "");
    }
    for (PodState pod : pods) {
      if (!pod.outdated() && !pod.ready()) {
        return new Wait(Reason.POD_NOT_SERVING, role, pod.name());
      }
    }
    return pods.stream()
        .filter(PodState::outdated)
        .max(Comparator.comparing(PodState::ready).reversed().thenComparing(PodState::ordinal))
        .<RestartDecision>map(
            pod ->
                pod.ready() && !rules.isWindowOpen()
                    ? new Wait(Reason.OUTSIDE_WINDOW, role, pod.name())
                    : new Restart(pod.name()))
        .orElseGet(Done::new);
  }
}
