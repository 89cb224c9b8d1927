package io.offheap.hbase.operator.hbase;

import io.offheap.hbase.operator.plan.BlockRead;
import io.offheap.hbase.operator.plan.TableBlocks;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * Reads the block sizes of all column families of one cluster, and keeps the samples of their cells
 * from round to round. Tables of the system namespace are left out: their blocks of 8 or 64 KiB and
 * their small cells fit every planned buffer.
 */
final class TableReader {
  /** Most families that are kept, those with the largest reads. */
  private static final int FAMILIES = 5_000;

  private final CellSamples samples = new CellSamples(System::nanoTime);

  CompletableFuture<LiveTables> read(AsyncConnection connection) {
    return connection
        .getAdmin()
        .listTableDescriptors(false)
        .thenCompose(
            tables ->
                samples
                    .refresh(tables, name -> TableSample.of(connection, name))
                    .thenApply(done -> summary(tables)));
  }

  private LiveTables summary(List<TableDescriptor> tables) {
    var families = new ArrayList<TableBlocks>();
    var unsampled = new HashSet<String>();
    for (TableDescriptor table : tables) {
      for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
        var cell = samples.largest(table.getTableName(), family.getNameAsString());
        var blocks = FamilyBlocks.of(table, family, cell.orElse(0));
        families.add(blocks);
        if (cell.isEmpty()) {
          unsampled.add(blocks.name());
        }
      }
    }
    return new LiveTables(
        families.stream()
            .sorted(Comparator.comparingLong(TableReader::readBytes).reversed())
            .limit(FAMILIES)
            .sorted(Comparator.comparing(TableBlocks::name))
            .toList(),
        unsampled,
        families.size() <= FAMILIES);
  }

  private static long readBytes(TableBlocks family) {
    return BlockRead.bytes(family.dataBlockBytes(), family.cellBytes());
  }
}
