package io.offheap.hbase.e2e;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** Ends the operator once in each step of a rollout, over as many rollouts as it takes. */
final class OperatorAbsence {
  private static final Duration WITHIN = Duration.ofMinutes(10);

  private final RolloutCluster cluster;
  private final OperatorReplicas operators;
  private final Set<Step> left = EnumSet.allOf(Step.class);

  /** Where a rollout can be interrupted. */
  enum Step {
    DRAIN,
    STOP,
    START,
    RETURN,
    /** The canary has its regions back and is compared with its peers. */
    COMPARE
  }

  OperatorAbsence(RolloutCluster cluster, OperatorReplicas operators) {
    this.cluster = cluster;
    this.operators = operators;
  }

  /** Steps in which the operator has not ended yet. */
  Set<Step> left() {
    return left;
  }

  boolean isComplete() {
    return left.isEmpty();
  }

  /**
   * Waits for a step that is left, and ends the operator in it. The step is no longer left that the
   * status had when the operator had ended.
   *
   * @param since the time at which the rollout was declared, by the operator's clock
   * @return whether there was one; else none is left, or the rollout is over
   */
  boolean beginsInNextStep(Instant since) {
    if (left.isEmpty()) {
      return false;
    }
    var resource =
        await("one of " + left)
            .atMost(WITHIN)
            .pollInterval(Duration.ofMillis(200))
            .ignoreException(IllegalStateException.class)
            .until(
                cluster::resource, it -> !steps(it, left).isEmpty() || cluster.isOver(it, since));
    if (steps(resource, left).isEmpty()) {
      return false;
    }
    operators.end();
    var ended = steps(cluster.resource(), EnumSet.allOf(Step.class));
    System.out.printf("the operator ended in %s of %s%n", ended, cluster.restarting());
    left.removeAll(ended);
    return true;
  }

  private static Set<Step> steps(JsonNode resource, Set<Step> wanted) {
    var steps = EnumSet.noneOf(Step.class);
    var rollout = resource.path("status").path("rollout");
    for (JsonNode server : rollout.path("servers")) {
      steps.add(Step.valueOf(server.path("step").asText().toUpperCase(Locale.ROOT)));
    }
    if (rollout.path("servers").isEmpty() && rollout.path("canary").has("uid")) {
      steps.add(Step.COMPARE);
    }
    steps.retainAll(wanted);
    return steps;
  }
}
