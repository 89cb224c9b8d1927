package io.offheap.hbase.operator.page;

import io.fabric8.kubernetes.api.model.Condition;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The state of a cluster.
 *
 * @param word its name on the page
 * @param tone its colour
 * @param detail the operator's message; may be empty
 */
record ClusterState(String word, Tone tone, String detail) {
  /** Whether a person must act. */
  enum Tone {
    good,
    busy,
    bad,
    unknown
  }

  static ClusterState of(HBaseClusterStatus status) {
    if (conditions(status).isEmpty()) {
      return new ClusterState("Not read yet", Tone.unknown, "no operator has read this resource");
    }
    var planned = condition(status, "Planned");
    if (planned.isPresent() && !isTrue(planned)) {
      return new ClusterState("Refused", Tone.bad, message(planned));
    }
    var rolledBack = condition(status, "RolledBack");
    if (isTrue(rolledBack)) {
      return new ClusterState("Rolled back", Tone.bad, message(rolledBack));
    }
    if (status.rollout() != null) {
      return new ClusterState(
          "Rolling out", Tone.busy, Objects.requireNonNullElse(status.rollout().waitingFor(), ""));
    }
    var ready = condition(status, "Ready");
    return isTrue(ready)
        ? new ClusterState("Ready", Tone.good, "")
        : new ClusterState("Not ready", Tone.bad, message(ready));
  }

  static List<Condition> conditions(HBaseClusterStatus status) {
    return Objects.requireNonNullElse(status.conditions(), List.of());
  }

  private static Optional<Condition> condition(HBaseClusterStatus status, String type) {
    return conditions(status).stream().filter(it -> type.equals(it.getType())).findFirst();
  }

  private static boolean isTrue(Optional<Condition> condition) {
    return condition.map(Condition::getStatus).filter("True"::equals).isPresent();
  }

  private static String message(Optional<Condition> condition) {
    return condition.map(Condition::getMessage).orElse("");
  }
}
