package io.offheap.hbase.operator.declare;

import io.offheap.hbase.operator.plan.TableBlocks;
import java.util.List;
import java.util.OptionalLong;

/**
 * What the running cluster has that a plan is made for.
 *
 * @param tables its column families
 * @param workingSetBytes data that a region server's clients read again and again, where measured
 */
public record Live(List<TableBlocks> tables, OptionalLong workingSetBytes) {
  /** Nothing is known: there is no cluster yet, or none that answers. */
  public static final Live NOTHING = new Live(List.of(), OptionalLong.empty());

  public Live {
    tables = List.copyOf(tables);
  }
}
