package io.offheap.hbase.operator.observe;

import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.hbase.LiveTables;
import io.offheap.hbase.operator.hbase.RegionServerReport;
import java.util.Optional;

/**
 * The live tables and data of the running cluster from the event sources: the plan's observed
 * input.
 *
 * @param tables its tables, if they have just been read
 * @param storeFileBytes store files of the region server with the most, in bytes; 0 without a
 *     report
 */
public record ObservedTables(Optional<LiveTables> tables, long storeFileBytes) {
  public static ObservedTables of(Context<HBaseCluster> context) {
    return new ObservedTables(
        context.getSecondaryResources(LiveTables.class).stream().findFirst(),
        context.getSecondaryResources(RegionServerReport.class).stream()
            .mapToLong(RegionServerReport::storeFileBytes)
            .max()
            .orElse(0));
  }
}
