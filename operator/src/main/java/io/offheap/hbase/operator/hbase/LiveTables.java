package io.offheap.hbase.operator.hbase;

import io.offheap.hbase.operator.plan.TableBlocks;
import java.util.List;
import java.util.Set;

/**
 * The column families of a running cluster, as it just said.
 *
 * @param families those of all user tables, by name
 * @param unsampled names of those whose cells are not known, as their table has not answered yet
 * @param isComplete whether that is all; a cluster may have more than are kept here
 */
public record LiveTables(List<TableBlocks> families, Set<String> unsampled, boolean isComplete) {
  public LiveTables {
    unsampled = Set.copyOf(unsampled);
    families = List.copyOf(families);
  }
}
