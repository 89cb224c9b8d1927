package io.offheap.hbase.operator.hbase;

import io.offheap.hbase.operator.plan.TableBlocks;
import java.util.List;
import java.util.Set;

/**
 * The column families of a running cluster, as read from it.
 *
 * @param families families of all user tables, by name
 * @param unsampled names of families without a cell sample, because their table has not responded
 *     yet
 * @param isComplete whether these are all families; the number that is stored is limited
 */
public record LiveTables(List<TableBlocks> families, Set<String> unsampled, boolean isComplete) {
  public LiveTables {
    unsampled = Set.copyOf(unsampled);
    families = List.copyOf(families);
  }
}
