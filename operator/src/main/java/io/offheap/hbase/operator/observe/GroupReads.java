package io.offheap.hbase.operator.observe;

import io.offheap.hbase.operator.hbase.RegionServerReport;
import java.util.Collection;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What the region servers of a group report of the data that they read.
 *
 * @param isSettled whether all of them run the group's plan; else what they report is of another
 * @param hitRatio share of the reads of data blocks that their caches find, 0 to 1, as HBase
 *     counts: the mean of those that know it
 * @param storeFileBytes store files of the one with the most, rounded up to a power of two
 */
public record GroupReads(boolean isSettled, OptionalDouble hitRatio, OptionalLong storeFileBytes) {
  static GroupReads of(boolean isSettled, Collection<RegionServerReport> reports) {
    return new GroupReads(
        isSettled,
        reports.stream().flatMapToDouble(it -> it.hitRatio().stream()).average(),
        reports.stream().mapToLong(RegionServerReport::storeFileBytes).filter(it -> it > 0).max());
  }
}
