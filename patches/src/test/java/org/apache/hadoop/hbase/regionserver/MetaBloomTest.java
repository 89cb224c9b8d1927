package org.apache.hadoop.hbase.regionserver;

import static org.apache.hadoop.hbase.HConstants.CATALOG_FAMILY;
import static org.apache.hadoop.hbase.HConstants.REGIONINFO_QUALIFIER;
import static org.apache.hadoop.hbase.HConstants.SERVER_QUALIFIER;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.patches.FailsOnStock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.CompoundBloomFilter;
import org.apache.hadoop.hbase.util.BloomFilterFactory;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.FSTableDescriptors;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Patch "Bloom filters: those of hbase:meta in its own order": HBASE-29907. */
class MetaBloomTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] INFO = CATALOG_FAMILY;

  @TempDir java.nio.file.Path folder;

  private final Configuration conf = HBaseConfiguration.create();
  private HRegion region;

  @AfterEach
  void close() throws IOException {
    if (region != null) {
      HBaseTestingUtility.closeRegionAndWAL(region);
    }
  }

  private void open(RegionInfo info, TableDescriptor table) throws IOException {
    var root = new Path(folder.toUri().toString());
    conf.set(HConstants.HBASE_DIR, root.toString());
    // A log on a local file system.
    conf.setBoolean(CommonFSUtils.UNSAFE_STREAM_CAPABILITY_ENFORCE, false);
    conf.set(WALFactory.WAL_PROVIDER, "filesystem");
    // Many chunks for few keys: by default one is of about 100,000.
    conf.setInt(BloomFilterFactory.IO_STOREFILE_BLOOM_BLOCK_SIZE, 512);
    region = HBaseTestingUtility.createRegionAndWAL(info, root, conf, table);
  }

  private void openMeta() throws IOException {
    var table = FSTableDescriptors.createMetaTableDescriptorBuilder(conf).build();
    assertThat(table.getColumnFamily(INFO).getBloomFilterType()).isEqualTo(BloomType.ROWCOL);
    open(RegionInfoBuilder.FIRST_META_REGIONINFO, table);
  }

  /** Of regions whose start keys are one another's beginnings, with bytes before the comma. */
  private static List<byte[]> rows() {
    List<byte[]> rows = new ArrayList<>();
    rows.add(RegionInfo.createRegionName(TABLE, HConstants.EMPTY_BYTE_ARRAY, 1, true));
    for (int first = 0; first < 64; first++) {
      rows.add(RegionInfo.createRegionName(TABLE, new byte[] {(byte) first}, 1, true));
      for (int second = 0; second < 64; second += 2) {
        byte[] start = {(byte) first, (byte) second};
        rows.add(RegionInfo.createRegionName(TABLE, start, 1, true));
      }
    }
    return rows;
  }

  private void put(byte[] row) throws IOException {
    region.put(
        new Put(row)
            .addColumn(INFO, REGIONINFO_QUALIFIER, row)
            .addColumn(INFO, SERVER_QUALIFIER, row));
  }

  private List<String> missingFromGets(List<byte[]> rows) throws IOException {
    List<String> missing = new ArrayList<>();
    for (var row : rows) {
      if (region.get(new Get(row).addColumn(INFO, SERVER_QUALIFIER)).isEmpty()) {
        missing.add(Bytes.toStringBinary(row));
      }
    }
    return missing;
  }

  private int rowsOfAScan() throws IOException {
    var found = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    List<Cell> cells = new ArrayList<>();
    try (var scanner = region.getScanner(new Scan().addColumn(INFO, SERVER_QUALIFIER))) {
      boolean more;
      do {
        more = scanner.next(cells);
        cells.forEach(cell -> found.add(CellUtil.cloneRow(cell)));
        cells.clear();
      } while (more);
    }
    return found.size();
  }

  private int chunks() {
    var file = region.getStore(INFO).getStorefiles().iterator().next();
    return ((CompoundBloomFilter) file.getReader().generalBloomFilter).getNumChunks();
  }

  @FailsOnStock
  @Test
  void aGetOfAColumnFindsEveryRowOfMeta() throws IOException {
    openMeta();
    for (var row : rows()) {
      put(row);
    }
    region.flush(true);
    assertThat(chunks()).isGreaterThan(8);
    assertThat(missingFromGets(rows())).isEmpty();
  }

  @FailsOnStock
  @Test
  void aScanOfAColumnFindsEveryRowOfMeta() throws IOException {
    openMeta();
    for (var row : rows()) {
      put(row);
    }
    region.flush(true);
    // A scan looks at the filters only where there is a choice of files.
    put(RegionInfo.createRegionName(TABLE, Bytes.toBytes("z"), 1, true));
    region.flush(true);
    assertThat(rowsOfAScan()).isEqualTo(rows().size() + 1);
  }

  /** The other half of a filter's work. */
  @Test
  void mostRowsThatAreNotInMetaAreStillLeftOut() throws IOException {
    openMeta();
    for (var row : rows()) {
      put(row);
    }
    region.flush(true);
    var reader = region.getStore(INFO).getStorefiles().iterator().next().getReader();
    int passed = 0;
    for (var row : rows()) {
      var other = new Get(row).addColumn(INFO, Bytes.toBytes("other"));
      var columns = new TreeSet<>(Bytes.BYTES_COMPARATOR);
      columns.add(Bytes.toBytes("other"));
      passed += reader.passesBloomFilter(new Scan(other), columns) ? 1 : 0;
    }
    assertThat(passed).isLessThan(rows().size() / 10);
  }

  /** The same names as rows of a table of a user have the order of their bytes. */
  @Test
  void aTableOfAUserIsAsBefore() throws IOException {
    var family = ColumnFamilyDescriptorBuilder.newBuilder(INFO);
    var table =
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(family.setBloomFilterType(BloomType.ROWCOL).build())
            .build();
    open(RegionInfoBuilder.newBuilder(TABLE).build(), table);
    for (var row : rows()) {
      put(row);
    }
    region.flush(true);
    assertThat(chunks()).isGreaterThan(8);
    assertThat(missingFromGets(rows())).isEmpty();
  }
}
