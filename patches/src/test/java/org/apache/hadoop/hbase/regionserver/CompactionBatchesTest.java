package org.apache.hadoop.hbase.regionserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import io.offheap.hbase.patches.FailsOnStock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Patch "Compaction: whole batches past the block size limit": HBASE-29742. */
class CompactionBatchesTest {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] VALUE = new byte[100];
  private static final int ROWS = 3;
  private static final int COLUMNS = 1000;
  private static final int BATCH = 10;
  private static final int LIMIT = 32 << 10;
  private static final AtomicInteger CALLS = new AtomicInteger();
  private static final AtomicInteger CELLS = new AtomicInteger();

  @TempDir java.nio.file.Path folder;

  private HRegion region;

  /** Counts what the compaction requests of its scanner, and gets. */
  public static class Counts implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public InternalScanner preCompact(
        ObserverContext<RegionCoprocessorEnvironment> context,
        Store store,
        InternalScanner scanner,
        ScanType type,
        CompactionLifeCycleTracker tracker,
        CompactionRequest request) {
      return new Counting(scanner);
    }
  }

  private record Counting(InternalScanner scanner) implements InternalScanner, Shipper {
    @Override
    public boolean next(List<Cell> result, ScannerContext context) throws IOException {
      CALLS.incrementAndGet();
      boolean more = scanner.next(result, context);
      assertThat(result).hasSizeLessThanOrEqualTo(BATCH);
      CELLS.addAndGet(result.size());
      return more;
    }

    @Override
    public void shipped() throws IOException {
      ((Shipper) scanner).shipped();
    }

    @Override
    public void close() throws IOException {
      scanner.close();
    }
  }

  private void open() throws IOException {
    Configuration conf = HBaseConfiguration.create();
    var root = new Path(folder.toUri().toString());
    conf.set(HConstants.HBASE_DIR, root.toString());
    // A log on a local file system.
    conf.setBoolean(CommonFSUtils.UNSAFE_STREAM_CAPABILITY_ENFORCE, false);
    conf.set(WALFactory.WAL_PROVIDER, "filesystem");
    conf.setLong(HConstants.COMPACTION_SCANNER_SIZE_MAX, LIMIT);
    conf.setInt(HConstants.COMPACTION_KV_MAX, BATCH);
    conf.setFloat(HConstants.HFILE_BLOCK_CACHE_SIZE_KEY, 0);
    conf.setBoolean(CacheConfig.CACHE_BLOCKS_ON_WRITE_KEY, false);
    var family = ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setBlocksize(2048).build();
    var table =
        TableDescriptorBuilder.newBuilder(TableName.valueOf("t")).setColumnFamily(family).build();
    var info = RegionInfoBuilder.newBuilder(table.getTableName()).build();
    region = HBaseTestingUtility.createRegionAndWAL(info, root, conf, table);
    // Without a region server it has none.
    var host = new RegionCoprocessorHost(region, mock(RegionServerServices.class), conf);
    region.setCoprocessorHost(host);
    host.load(Counts.class, Coprocessor.PRIORITY_USER, conf);
  }

  @AfterEach
  void close() throws IOException {
    if (region != null) {
      HBaseTestingUtility.closeRegionAndWAL(region);
    }
  }

  private static byte[] number(int number) {
    return Bytes.toBytes(String.format("%08d", number));
  }

  /** In three files, the columns of one between those of the others. */
  private void fill() throws IOException {
    for (int file = 0; file < 3; file++) {
      for (int row = 0; row < ROWS; row++) {
        var put = new Put(number(row));
        for (int column = file; column < COLUMNS; column += 3) {
          put.addColumn(FAMILY, number(column), VALUE);
        }
        region.put(put);
      }
      region.flush(true);
    }
  }

  private void compact() throws IOException {
    CALLS.set(0);
    CELLS.set(0);
    region.compact(true);
    assertThat(region.getStore(FAMILY).getStorefilesCount()).isEqualTo(1);
  }

  private int cells() throws IOException {
    int count = 0;
    List<Cell> cells = new ArrayList<>();
    try (var scanner = region.getScanner(new Scan())) {
      boolean more;
      do {
        more = scanner.next(cells);
        count += cells.size();
        cells.clear();
      } while (more);
    }
    return count;
  }

  @FailsOnStock
  @Test
  void aCompactionLargerThanTheLimitStillGetsWholeBatches() throws IOException {
    open();
    fill();
    assertThat(region.getStore(FAMILY).getStorefilesSize()).isGreaterThan(8L * LIMIT);
    compact();
    assertThat(CELLS).hasValue(ROWS * COLUMNS);
    assertThat(cells()).isEqualTo(ROWS * COLUMNS);
    // The end of a row, and the limit, may each make a batch a smaller one.
    int batches = ROWS * COLUMNS / BATCH;
    assertThat(CALLS.get()).isBetween(batches, batches + batches / 5);
  }

  /** What it is for: a call that finds nothing to keep returns all the same. */
  @Test
  void aCallThatDropsEverythingEndsAtTheLimit() throws IOException {
    open();
    fill();
    long size = region.getStore(FAMILY).getStorefilesSize();
    for (int row = 0; row < ROWS; row++) {
      region.delete(new Delete(number(row)));
    }
    region.flush(true);
    compact();
    assertThat(CELLS).hasValue(0);
    assertThat(cells()).isZero();
    assertThat((long) CALLS.get()).isBetween(size / LIMIT / 2, 4 * size / LIMIT);
  }
}
