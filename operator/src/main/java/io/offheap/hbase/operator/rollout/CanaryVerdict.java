package io.offheap.hbase.operator.rollout;

import java.util.List;

/** The result of the comparison of a canary with its peers. */
public sealed interface CanaryVerdict {
  /** The window is not over, or no canary is watched. */
  record Open() implements CanaryVerdict {}

  /** Not worse than its peers. */
  record Passed(List<String> evidence) implements CanaryVerdict {
    public Passed {
      evidence = List.copyOf(evidence);
    }
  }

  /** Worse than its peers. */
  record Worse(List<String> evidence) implements CanaryVerdict {
    public Worse {
      evidence = List.copyOf(evidence);
    }
  }

  /**
   * Its server was lost with its node, or ended in an outage of ZooKeeper or HDFS: once, that is no
   * evidence against the change.
   */
  record NodeLost(String evidence) implements CanaryVerdict {}

  /** No verdict yet; the state of the comparison has changed. */
  record Noted(Rollout.Canary canary) implements CanaryVerdict {}
}
