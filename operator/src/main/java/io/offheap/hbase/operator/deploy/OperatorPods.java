package io.offheap.hbase.operator.deploy;

import java.util.Map;

/**
 * The operator's own pods, which must reach the pods of its clusters.
 *
 * @param namespace their namespace
 * @param labels labels that only these pods have in it
 */
public record OperatorPods(String namespace, Map<String, String> labels) {
  public OperatorPods {
    labels = Map.copyOf(labels);
  }
}
