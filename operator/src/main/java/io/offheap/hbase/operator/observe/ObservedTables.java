package io.offheap.hbase.operator.observe;

import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.hbase.LiveTables;
import io.offheap.hbase.operator.hbase.RegionServerReport;
import java.util.Optional;

/**
 * The data of the running cluster, as the event sources have them: what is observed before there is
 * a plan.
 *
 * @param tables its tables, where they have just been read
 * @param storeFileBytes store files of the region server that has the most, in bytes; 0 where none
 *     has reported
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
