package io.offheap.hbase.operator.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;

/**
 * Reads the regions of a table from {@code hbase:meta}, up to a limit: HBase's own client keeps all
 * regions that a server sends, without limit.
 */
final class TableRegions implements AdvancedScanResultConsumer {
  /** A sample needs eight of them. */
  private static final int REGIONS = 10_000;

  private static final int ROWS_PER_CALL = 200;
  private static final long BYTES_PER_CALL = 256 << 10;
  private static final Duration LONGEST = Duration.ofSeconds(10);

  private final CompletableFuture<List<RegionInfo>> end = new CompletableFuture<>();
  private final List<RegionInfo> regions = new ArrayList<>();
  private final long started = System.nanoTime();
  private final TableName name;

  private TableRegions(TableName name) {
    this.name = name;
  }

  /**
   * The regions in the order of their keys; fails if the server of the meta table does not respond.
   */
  static CompletableFuture<List<RegionInfo>> of(AsyncConnection connection, TableName name) {
    var regions = new TableRegions(name);
    connection.getTable(TableName.META_TABLE_NAME).scan(scan(name), regions);
    return regions.end;
  }

  /** A region's row is the table's name, a comma, and further parts. */
  private static Scan scan(TableName name) {
    var table = name.getNameAsString();
    return new Scan()
        .withStartRow((table + ",").getBytes(UTF_8))
        .withStopRow((table + (char) (',' + 1)).getBytes(UTF_8))
        .addColumn(HConstants.CATALOG_FAMILY, HConstants.REGIONINFO_QUALIFIER)
        .setLimit(REGIONS)
        .setCaching(ROWS_PER_CALL)
        .setMaxResultSize(BYTES_PER_CALL)
        .setReadType(Scan.ReadType.PREAD);
  }

  @Override
  public void onNext(Result[] results, ScanController controller) {
    for (Result result : results) {
      var bytes = result.getValue(HConstants.CATALOG_FAMILY, HConstants.REGIONINFO_QUALIFIER);
      var region = bytes == null ? null : RegionInfo.parseFromOrNull(bytes);
      if (region != null && region.getTable().equals(name) && regions.size() < REGIONS) {
        regions.add(region);
      }
    }
    if (isOver()) {
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
    return regions.size() >= REGIONS || System.nanoTime() - started > LONGEST.toNanos();
  }

  @Override
  public void onError(Throwable error) {
    end.completeExceptionally(error);
  }

  @Override
  public void onComplete() {
    end.complete(regions);
  }
}
