package io.offheap.hbase.operator.observe;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.deploy.RoleModel;
import io.offheap.hbase.operator.deploy.StatefulSets;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A pod whose creation is checked by a dry run, for all pods of its StatefulSet in the same state.
 *
 * @param isReplacement whether a pod of this name exists and must be restarted; else it is missing
 */
record PodCheck(RoleModel role, StatefulSet set, int ordinal, boolean isReplacement) {
  /**
   * The checks of a cluster: for each StatefulSet one of a missing pod and one of the pod to
   * restart next. None of a StatefulSet whose template its controller has not seen, nor of one that
   * is too large to be kept as a whole: its pods are then restarted without a check.
   *
   * @param scopes of each role, which outdated pods may be restarted now
   */
  static List<PodCheck> of(
      Observation observed, Function<RoleModel, RestartScope> scopes, LeavingPods leaving) {
    return observed.model().roles().stream()
        .flatMap(it -> of(observed, it, scopes.apply(it), leaving))
        .toList();
  }

  private static Stream<PodCheck> of(
      Observation observed, RoleModel role, RestartScope scope, LeavingPods leaving) {
    var set = Optional.ofNullable(observed.statefulSets().get(role.name()));
    if (set.filter(StatefulSets::hasContainers).isEmpty() || !observed.isTemplateObserved(role)) {
      return Stream.empty();
    }
    var missing = observed.missingPods(role).stream().findFirst().map(Labels::ordinalOf);
    var replaced =
        observed
            .pods(role)
            .filter(it -> it.getMetadata().getDeletionTimestamp() == null)
            .filter(it -> (observed.isOutdated(it) && isInScope(it, scope)) || leaving.contains(it))
            .max(Comparator.comparing(leaving::isDeletedNext).thenComparing(Labels::ordinalOf))
            .map(Labels::ordinalOf);
    return Stream.concat(
        missing.map(it -> new PodCheck(role, set.get(), it, false)).stream(),
        replaced.map(it -> new PodCheck(role, set.get(), it, true)).stream());
  }

  private static boolean isInScope(Pod pod, RestartScope scope) {
    return switch (scope) {
      case NONE -> false;
      case NOT_READY -> !PodStates.isReady(pod);
      case ALL -> true;
    };
  }

  /** The pod's name. */
  String pod() {
    return set.getMetadata().getName() + "-" + ordinal;
  }

  /** Whether the checked pod exists and is deleted next. */
  boolean isOfDeletedNext(LeavingPods leaving) {
    return isReplacement && leaving.stopped().contains(pod());
  }

  /** Identifies the checks of pods in the same state of one StatefulSet. */
  String key() {
    return set.getMetadata().getName() + (isReplacement ? " replaced" : " missing");
  }

  /** Hash of the StatefulSet's template. */
  Optional<String> templateHash() {
    return StatefulSets.templateHash(set);
  }

  /**
   * Names of the pods for which the result counts.
   *
   * @param isStale whether it is too old for pods that serve nothing
   */
  Stream<String> affected(Observation observed, LeavingPods leaving, boolean isStale) {
    return isReplacement
        ? observed
            .pods(role)
            .filter(it -> observed.isOutdated(it) || leaving.contains(it))
            .filter(it -> !isStale || PodStates.isReady(it))
            .map(it -> it.getMetadata().getName())
        : observed.missingPods(role).stream();
  }
}
