package io.offheap.hbase.operator.reconcile;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.AggregatedOperatorException;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The failures of reconciliations that are reported, and their messages. */
final class Failures {
  /** Failed attempts, 1.5 s apart, that are not reported. */
  private static final int UNREPORTED_ATTEMPTS = 4;

  private Failures() {}

  /** The messages of a failure and its causes, one a line. */
  static String text(Exception error) {
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

  /** Whether enough attempts have failed to report the failure. */
  static boolean isReported(Context<HBaseCluster> context) {
    return context
        .getRetryInfo()
        .filter(it -> it.getAttemptCount() > UNREPORTED_ATTEMPTS)
        .isPresent();
  }
}
