package io.offheap.hbase.operator.report;

import io.fabric8.kubernetes.api.model.Condition;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.log.LogLine;
import io.offheap.hbase.operator.status.ConditionType;
import io.offheap.hbase.operator.status.Reason;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Logs each change of a condition's status or reason that a pass is about to write. Of a refusal
 * another message is a change too: it names the problems. A write that comes too late is decided
 * and logged again.
 */
public final class ConditionLog {
  private static final Logger LOG = LoggerFactory.getLogger(ConditionLog.class);

  /** If these do not hold, a person must check the cluster. */
  private static final Set<String> WANTED =
      names(
          ConditionType.Planned, ConditionType.Ready, ConditionType.TablesFit, ConditionType.Tuned);

  /** Nor must one of these be present. */
  private static final Set<String> UNWANTED =
      names(ConditionType.RolledBack, ConditionType.ResponsesRefused);

  private ConditionLog() {}

  private static Set<String> names(ConditionType... types) {
    return Arrays.stream(types).map(Enum::name).collect(Collectors.toUnmodifiableSet());
  }

  public static void changes(HBaseCluster cluster, HBaseClusterStatus next) {
    var before =
        Optional.ofNullable(cluster.getStatus())
            .map(HBaseClusterStatus::conditions)
            .orElse(List.of());
    for (Condition now : next.conditions()) {
      var was = find(before, now.getType());
      if (was.filter(it -> isSame(it, now)).isEmpty()) {
        var line = line(cluster, now.getType()).with("status", now.getStatus());
        line.with("reason", now.getReason())
            .with("was", was.map(it -> it.getStatus() + "/" + it.getReason()).orElse(""))
            .with("message", now.getMessage());
        LOG.atLevel(isTrouble(now) ? Level.WARN : Level.INFO).log("{}", line);
      }
    }
    before.stream()
        .filter(it -> find(next.conditions(), it.getType()).isEmpty())
        .forEach(
            it ->
                LOG.info(
                    "{}",
                    line(cluster, it.getType())
                        .with("status", "")
                        .with("was", it.getStatus() + "/" + it.getReason())));
  }

  private static LogLine line(HBaseCluster cluster, String type) {
    return LogLine.of("ConditionChanged")
        .cluster(cluster.getMetadata().getNamespace(), cluster.getMetadata().getName())
        .with("type", type);
  }

  private static boolean isSame(Condition was, Condition now) {
    return Objects.equals(was.getStatus(), now.getStatus())
        && Objects.equals(was.getReason(), now.getReason())
        && (!isRefusal(now) || Objects.equals(was.getMessage(), now.getMessage()));
  }

  private static boolean isRefusal(Condition condition) {
    return condition.getType().equals(ConditionType.Planned.name())
        && "False".equals(condition.getStatus());
  }

  private static boolean isTrouble(Condition condition) {
    return WANTED.contains(condition.getType())
        ? "False".equals(condition.getStatus())
        : UNWANTED.contains(condition.getType())
            || Reason.Failing.name().equals(condition.getReason());
  }

  private static Optional<Condition> find(List<Condition> conditions, String type) {
    return conditions.stream().filter(it -> it.getType().equals(type)).findFirst();
  }
}
