package io.offheap.hbase.operator.hbase;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * Reads a few regions spread over a table for the largest cell of each family, one after the other
 * so that never more than one response is held.
 */
final class TableSample {
  private static final int REGIONS = 8;

  private final AsyncTable<AdvancedScanResultConsumer> table;

  private TableSample(AsyncTable<AdvancedScanResultConsumer> table) {
    this.table = table;
  }

  /** Largest cell in bytes, by family; empty if no region responded. */
  static CompletableFuture<Optional<Map<String, Long>>> of(
      AsyncConnection connection, TableName name) {
    var sample = new TableSample(connection.getTable(name));
    return TableRegions.of(connection, name)
        .thenCompose(regions -> sample.read(connection, spread(regions)))
        .exceptionally(failed -> Optional.empty());
  }

  /** Evenly spread regions, including the first. */
  static List<RegionInfo> spread(List<RegionInfo> all) {
    var regions =
        all.stream()
            .filter(it -> it.getReplicaId() == RegionInfo.DEFAULT_REPLICA_ID && !it.isSplit())
            .toList();
    int count = Math.min(REGIONS, regions.size());
    return IntStream.range(0, count)
        .mapToObj(i -> regions.get((int) ((long) i * regions.size() / count)))
        .toList();
  }

  private CompletableFuture<Optional<Map<String, Long>>> read(
      AsyncConnection connection, List<RegionInfo> regions) {
    var largest = CompletableFuture.completedFuture(Optional.<Map<String, Long>>empty());
    for (RegionInfo region : regions) {
      largest =
          largest.thenCompose(
              before ->
                  RegionSample.of(table, region)
                      .thenApply(cells -> Optional.of(larger(before.orElse(Map.of()), cells)))
                      .exceptionally(failed -> before)
                      // HBase's locator keeps the location of each region for its lifetime.
                      .whenComplete((cells, failed) -> connection.clearRegionLocationCache()));
    }
    return largest;
  }

  private static Map<String, Long> larger(Map<String, Long> one, Map<String, Long> other) {
    return Stream.of(one, other)
        .flatMap(cells -> cells.entrySet().stream())
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, Math::max));
  }
}
