package io.offheap.hbase.operator.deploy;

import java.util.Map;

/**
 * The operator's own pods, which must reach those of its clusters.
 *
 * @param namespace where they are
 * @param labels labels that they have, and no other pods there
 */
public record OperatorPods(String namespace, Map<String, String> labels) {
  public OperatorPods {
    labels = Map.copyOf(labels);
  }
}
