package io.offheap.hbase.operator.plan;

import java.util.List;
import java.util.Locale;

/**
 * Live tables whose data blocks do not fit a plan's buffer: a read of such a block takes several
 * buffers, or a buffer and heap, and is copied to verify and decode it.
 */
public final class TableFit {
  private TableFit() {}

  /**
   * A table whose blocks do not fit.
   *
   * @param table table and column family
   * @param readBytes bytes that a read of its largest block requests
   * @param allocation the allocation for this read
   * @param sufficientBufferBytes the smallest buffer that holds it
   */
  public record Misfit(
      String table, long readBytes, Allocation allocation, long sufficientBufferBytes) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%s: a block read takes up to %d bytes: %d buffer%s and %d bytes of heap; a buffer of %d"
              + " would hold it",
          table,
          readBytes,
          allocation.buffers(),
          allocation.buffers() == 1 ? "" : "s",
          allocation.heapBytes(),
          sufficientBufferBytes);
    }
  }

  /** The tables that do not fit into a plan's buffer, in the order given. */
  public static List<Misfit> misfits(MemoryPlan plan, List<TableBlocks> tables) {
    return misfits(
        plan.bufferPool().bufferBytes(),
        plan.bufferPool().minimalBytes(),
        plan.effective(HBaseKeys.BYTES_PER_CHECKSUM),
        tables);
  }

  static List<Misfit> misfits(
      long bufferBytes, long minimalBytes, long bytesPerChecksum, List<TableBlocks> tables) {
    return tables.stream()
        .map(table -> misfit(bufferBytes, minimalBytes, bytesPerChecksum, table))
        .filter(misfit -> !misfit.allocation().isSingle())
        .toList();
  }

  private static Misfit misfit(
      long bufferBytes, long minimalBytes, long bytesPerChecksum, TableBlocks table) {
    long read =
        BlockRead.bytes(table.dataBlockBytes(), BlockSizes.cellOrDefault(table), bytesPerChecksum);
    return new Misfit(
        table.name(),
        read,
        Allocation.of(read, bufferBytes, minimalBytes),
        Bytes.roundUp(read, Bytes.KIB));
  }
}
