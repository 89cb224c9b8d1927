package io.offheap.hbase.operator.declare;

import io.offheap.hbase.operator.plan.TableBlocks;
import io.offheap.hbase.operator.plan.Tuned;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What the running cluster has that a plan is made for.
 *
 * @param tables its column families
 * @param workingSetBytes data that a region server's clients read again and again, where measured
 * @param tuned values that tuning chose, by group
 */
public record Live(
    List<TableBlocks> tables, OptionalLong workingSetBytes, Map<String, List<Tuned>> tuned) {
  /** Nothing is known: there is no cluster yet, or none that answers. */
  public static final Live NOTHING = new Live(List.of(), OptionalLong.empty(), Map.of());

  public Live {
    tables = List.copyOf(tables);
    tuned = Map.copyOf(tuned);
  }
}
