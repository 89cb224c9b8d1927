package io.offheap.hbase.operator.hbase;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Reads the first rows of a region for the largest common cell of each family: the 99th percentile,
 * as a single larger cell must not enlarge every buffer. Reading ends at a limit of rows, bytes or
 * seconds; rows come in parts, so that a wide row takes no more memory. The server does not cache
 * the blocks that are read, and the scan opens no stream of its own.
 */
final class RegionSample implements AdvancedScanResultConsumer {
  private static final int ROWS = 100;
  private static final int ROWS_PER_CALL = 20;
  private static final long BYTES_PER_CALL = 256 << 10;
  private static final long BYTES = 1 << 20;
  private static final Duration LONGEST = Duration.ofSeconds(5);

  private final CompletableFuture<Map<String, Long>> end = new CompletableFuture<>();
  private final Map<String, List<Long>> sizes = new HashMap<>();
  private final long started = System.nanoTime();
  private long bytes;

  private RegionSample() {}

  /** Largest common cell in bytes, by family; fails if the region does not respond. */
  static CompletableFuture<Map<String, Long>> of(
      AsyncTable<AdvancedScanResultConsumer> table, RegionInfo region) {
    var sample = new RegionSample();
    table.scan(scan(region), sample);
    return sample.end;
  }

  private static Scan scan(RegionInfo region) {
    return new Scan()
        .withStartRow(region.getStartKey())
        .withStopRow(region.getEndKey())
        .setLimit(ROWS)
        .setCaching(ROWS_PER_CALL)
        .setMaxResultSize(BYTES_PER_CALL)
        .setAllowPartialResults(true)
        .setCacheBlocks(false)
        .setReadType(Scan.ReadType.PREAD)
        // References to MOB files as they are stored, not the referenced values.
        .setAttribute("hbase.mob.scan.raw", Bytes.toBytes(true));
  }

  @Override
  public void onNext(Result[] results, ScanController controller) {
    for (Result result : results) {
      for (Cell cell : result.rawCells()) {
        long size = CellSizes.inHFile(cell);
        bytes += size;
        sizes
            .computeIfAbsent(
                Bytes.toString(CellUtil.cloneFamily(cell)), family -> new ArrayList<>())
            .add(size);
      }
    }
    if (bytes >= BYTES || isOver()) {
      controller.terminate();
    }
  }

  @Override
  public void onHeartbeat(ScanController controller) {
    if (isOver()) {
      controller.terminate();
    }
  }

  private boolean isOver() {
    return System.nanoTime() - started > LONGEST.toNanos();
  }

  @Override
  public void onError(Throwable error) {
    end.completeExceptionally(error);
  }

  @Override
  public void onComplete() {
    var common = new HashMap<String, Long>();
    sizes.forEach((family, all) -> common.put(family, CellSizes.largestCommon(all)));
    end.complete(common);
  }
}
