package io.offheap.hbase.operator.declare;

import io.offheap.hbase.operator.plan.TableBlocks;
import io.offheap.hbase.operator.plan.Tuned;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Data of the running cluster that plans depend on.
 *
 * @param tables its column families
 * @param workingSetBytes working set of a region server, where measured
 * @param tuned values that tuning chose, by group
 */
public record ObservedInputs(
    List<TableBlocks> tables, OptionalLong workingSetBytes, Map<String, List<Tuned>> tuned) {
  /** No data: there is no cluster yet, or it does not respond. */
  public static final ObservedInputs NOTHING =
      new ObservedInputs(List.of(), OptionalLong.empty(), Map.of());

  public ObservedInputs {
    tables = List.copyOf(tables);
    tuned = Map.copyOf(tuned);
  }
}
