package io.offheap.hbase.operator.rollout;

import java.util.Comparator;
import java.util.List;

/**
 * Which pod of ZooKeeper or of HDFS restarts next: one at a time, and the next only when the last
 * serves.
 *
 * <ol>
 *   <li>No restart may begin while the cluster is paused.
 *   <li>The StatefulSet's controller must have seen the new template; a pod deleted before would
 *       come back as it was.
 *   <li>No pod may be terminating, none may be missing, and none that is up to date may be without
 *       serving: one disturbance at a time.
 *   <li>An outdated pod that does not serve goes first: it loses nothing, and it may be the reason
 *       for the change.
 *   <li>Else, while a maintenance window is open, the highest ordinal among the outdated goes, as
 *       Kubernetes itself does it.
 * </ol>
 *
 * <p>Each reconciliation decides anew from the observed state, so an operator that was stopped
 * between two restarts continues where it was.
 */
public sealed interface RestartDecision {

  /** Every pod is as it should be, or was never there. */
  record Done() implements RestartDecision {}

  /** This pod is to be deleted now. */
  record Restart(String pod) implements RestartDecision {}

  /** Nothing may be deleted yet. */
  record Wait(Reason reason, String subject) implements RestartDecision {}

  /** What holds a restart back. */
  enum Reason {
    PAUSED("the cluster is paused"),
    TEMPLATE_NOT_OBSERVED("the StatefulSet's controller has not seen the new template"),
    POD_TERMINATING("a region server is stopping"),
    POD_MISSING("a region server has not come back"),
    POD_NOT_SERVING("a restarted region server does not serve yet"),
    OUTSIDE_WINDOW("no maintenance window is open");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    /** For people. */
    public String text() {
      return text;
    }

    /** Whether a person declared that no restart begins now. */
    public boolean isDeclared() {
      return this == PAUSED || this == OUTSIDE_WINDOW;
    }
  }

  /**
   * Decides.
   *
   * @param pods the pods that exist
   * @param replicas how many there should be
   * @param templateObserved whether the StatefulSet's controller works by the current template
   * @param rules what a person declared about restarts
   */
  static RestartDecision of(
      List<PodState> pods, int replicas, boolean templateObserved, RolloutRules rules) {
    if (pods.stream().noneMatch(PodState::outdated)) {
      return new Done();
    }
    if (rules.isPaused()) {
      return new Wait(Reason.PAUSED, "");
    }
    if (!templateObserved) {
      return new Wait(Reason.TEMPLATE_NOT_OBSERVED, "");
    }
    for (PodState pod : pods) {
      if (pod.terminating()) {
        return new Wait(Reason.POD_TERMINATING, pod.name());
      }
    }
    if (pods.size() < replicas) {
      return new Wait(Reason.POD_MISSING, "");
    }
    for (PodState pod : pods) {
      if (!pod.outdated() && !pod.ready()) {
        return new Wait(Reason.POD_NOT_SERVING, pod.name());
      }
    }
    return pods.stream()
        .filter(PodState::outdated)
        .max(Comparator.comparing(PodState::ready).reversed().thenComparing(PodState::ordinal))
        .<RestartDecision>map(
            pod ->
                pod.ready() && !rules.isWindowOpen()
                    ? new Wait(Reason.OUTSIDE_WINDOW, pod.name())
                    : new Restart(pod.name()))
        .orElseGet(Done::new);
  }
}
