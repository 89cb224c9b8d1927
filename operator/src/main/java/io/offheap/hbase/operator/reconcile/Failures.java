package io.offheap.hbase.operator.reconcile;

import static io.offheap.hbase.operator.status.ConditionType.Progressing;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.AggregatedOperatorException;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.status.Conditions;
import io.offheap.hbase.operator.status.Reason;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The status of a pass that failed. */
final class Failures {
  /** Failed attempts, 1.5 s apart, that are not reported. */
  private static final int UNREPORTED_ATTEMPTS = 4;

  private Failures() {}

  /** Whether status reports a failure already. */
  static boolean isReported(HBaseCluster cluster) {
    return Optional.ofNullable(cluster.getStatus()).map(HBaseClusterStatus::conditions).stream()
        .flatMap(List::stream)
        .anyMatch(
            it ->
                it.getType().equals(Progressing.name())
                    && it.getReason().equals(Reason.Failing.name()));
  }

  /** A status, but for the condition {@code Progressing}, which reports the failure. */
  static HBaseClusterStatus status(
      HBaseCluster cluster, HBaseClusterStatus before, Exception error, Clock clock) {
    var failing =
        new Conditions(cluster, clock).add(Progressing, true, Reason.Failing, text(error)).list();
    var conditions =
        new ArrayList<>(
            before.conditions().stream()
                .filter(it -> !it.getType().equals(Progressing.name()))
                .toList());
    conditions.addAll(failing);
    return before.withConditions(List.copyOf(conditions));
  }

  private static String text(Exception error) {
    return messages(error).distinct().sorted().collect(Collectors.joining("\n"));
  }

  private static Stream<String> messages(Throwable error) {
    if (error instanceof AggregatedOperatorException several) {
      return several.getAggregatedExceptions().values().stream().flatMap(Failures::messages);
    }
    if (error instanceof KubernetesClientException refusal && refusal.getStatus() != null) {
      return Stream.of(refusal.getStatus().getMessage());
    }
    return error.getCause() == null ? Stream.of(error.toString()) : messages(error.getCause());
  }

  /** Whether so many attempts have failed that the failure is reported. */
  static boolean isReported(Context<HBaseCluster> context) {
    return context
        .getRetryInfo()
        .filter(it -> it.getAttemptCount() > UNREPORTED_ATTEMPTS)
        .isPresent();
  }
}
