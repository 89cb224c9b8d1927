package io.offheap.hbase.operator.plan;

/** HBase's own sizes of what an HFile consists of, in bytes. */
public final class HFileDefaults {
  /** Data blocks ({@code ColumnFamilyDescriptorBuilder.DEFAULT_BLOCKSIZE}). */
  public static final long DATA_BLOCK = 65_536;

  /** Index blocks, and parts of bloom filters. */
  public static final long META_BLOCK = 131_072;

  /**
   * The largest cell for which a data block fits HBase's own buffer ({@link
   * HBaseKeys#BUFFER_SIZE}). An index entry is not larger.
   */
  public static final long CELL = 939;

  private HFileDefaults() {}
}
