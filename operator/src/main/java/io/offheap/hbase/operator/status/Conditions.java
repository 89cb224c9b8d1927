package io.offheap.hbase.operator.status;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.plan.Texts;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Builds conditions; the transition time changes only with a condition's status. */
public final class Conditions {
  private static final int LONGEST_MESSAGE = 32_768;

  private final HBaseCluster cluster;
  private final Clock clock;
  private final List<Condition> conditions = new ArrayList<>();

  public Conditions(HBaseCluster cluster, Clock clock) {
    this.cluster = cluster;
    this.clock = clock;
  }

  public Conditions add(ConditionType type, boolean holds, Reason reason, String message) {
    var status = holds ? "True" : "False";
    var since =
        previous(type)
            .filter(before -> before.getStatus().equals(status))
            .map(Condition::getLastTransitionTime)
            .orElseGet(() -> clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
    conditions.add(
        new ConditionBuilder()
            .withType(type.name())
            .withStatus(status)
            .withReason(reason.name())
            .withMessage(Texts.cut(message, LONGEST_MESSAGE))
            .withObservedGeneration(cluster.getMetadata().getGeneration())
            .withLastTransitionTime(since)
            .build());
    return this;
  }

  /** Keeps a condition unchanged. */
  public Conditions keep(ConditionType type) {
    previous(type).ifPresent(conditions::add);
    return this;
  }

  /** Whether the status before has a condition that is of the present spec. */
  boolean hadOfGeneration(ConditionType type) {
    return previous(type).filter(this::isOfGeneration).isPresent();
  }

  private boolean isOfGeneration(Condition condition) {
    return Objects.equals(cluster.getMetadata().getGeneration(), condition.getObservedGeneration());
  }

  /** Whether the status before has a condition. */
  boolean hadBefore(ConditionType type) {
    return previous(type).isPresent();
  }

  /** Keeps those unchanged of which none was added. */
  public Conditions keepOthers(ConditionType... types) {
    for (var type : types) {
      if (conditions.stream().noneMatch(it -> type.name().equals(it.getType()))) {
        keep(type);
      }
    }
    return this;
  }

  /** Why the resource is refused; empty where it is applied as declared. */
  Optional<Reason> refusal() {
    return conditions.stream()
        .filter(it -> ConditionType.Planned.name().equals(it.getType()))
        .filter(it -> "False".equals(it.getStatus()))
        .map(it -> Reason.valueOf(it.getReason()))
        .findFirst();
  }

  public List<Condition> list() {
    return List.copyOf(conditions);
  }

  private Optional<Condition> previous(ConditionType type) {
    return Optional.ofNullable(cluster.getStatus())
        .map(status -> status.conditions())
        .flatMap(all -> all.stream().filter(it -> type.name().equals(it.getType())).findFirst());
  }
}
