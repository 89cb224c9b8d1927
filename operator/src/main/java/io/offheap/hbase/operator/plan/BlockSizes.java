package io.offheap.hbase.operator.plan;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/**
 * The blocks that buffers and buckets are made for, each size from the first of: what is declared,
 * the largest among the live tables, HBase's own. Of the tables, the one whose data blocks take the
 * largest read decides block and cell size together: the largest block and the largest cell of two
 * tables make a block that neither has.
 *
 * @param dataBlockBytes largest data block size
 * @param indexBlockBytes size of index blocks
 * @param bloomBlockBytes size of bloom filter blocks
 * @param cellBytes largest common cell
 * @param table the table that decides, where one does
 * @param tables all column families, with what the declared sizes make of them
 */
record BlockSizes(
    long dataBlockBytes,
    long indexBlockBytes,
    long bloomBlockBytes,
    long cellBytes,
    Optional<String> table,
    List<TableBlocks> tables) {
  /** HBase's own block sizes, and the largest cell that HBase's own buffer size allows for. */
  static final long HBASE_DATA_BLOCK = 65536;

  static final long HBASE_META_BLOCK = 131072;
  static final long HBASE_CELL = 939;

  private static final String HFILE = "spec.regionServers.hfile.";

  static BlockSizes derive(Declared declared, Draft draft) {
    var blocks = declared.blocks();
    var largest = largest(declared);
    long data =
        blocks
            .dataBlockBytes()
            .orElse(largest.map(TableBlocks::dataBlockBytes).orElse(HBASE_DATA_BLOCK));
    long cell =
        blocks.cellBytes().orElse(largest.map(BlockSizes::cellOrDefault).orElse(HBASE_CELL));
    boolean byTable =
        (blocks.dataBlockBytes().isEmpty() && data != HBASE_DATA_BLOCK)
            || (blocks.cellBytes().isEmpty() && cell != HBASE_CELL);
    return new BlockSizes(
        data,
        metaBlock(
            HBaseKeys.INDEX_BLOCK,
            "indexBlockSize",
            blocks.indexBlockBytes(),
            TableBlocks::indexBlockBytes,
            declared,
            draft),
        metaBlock(
            HBaseKeys.BLOOM_BLOCK,
            "bloomBlockSize",
            blocks.bloomBlockBytes(),
            TableBlocks::bloomBlockBytes,
            declared,
            draft),
        cell,
        largest.map(TableBlocks::name).filter(name -> byTable),
        declared.tables());
  }

  /** The table with the largest read, with what is declared in place of what it has. */
  private static Optional<TableBlocks> largest(Declared declared) {
    var blocks = declared.blocks();
    return declared.tables().stream()
        .max(
            Comparator.comparingLong(
                table ->
                    BlockRead.bytes(
                        blocks.dataBlockBytes().orElse(table.dataBlockBytes()),
                        blocks.cellBytes().orElse(cellOrDefault(table)))));
  }

  /**
   * Cells up to HBase's own allowance change nothing, so that a sample's chance does not either.
   */
  static long cellOrDefault(TableBlocks table) {
    return Math.max(HBASE_CELL, table.cellBytes());
  }

  /** Whether what the tables have is what the plan is made for. */
  String origin() {
    return table.map(name -> "; live table " + name).orElse("");
  }

  private static long metaBlock(
      Key<Long> key,
      String field,
      OptionalLong declaredBytes,
      ToLongFunction<TableBlocks> ofTable,
      Declared declared,
      Draft draft) {
    long live = declared.tables().stream().mapToLong(ofTable).max().stream().findFirst().orElse(0);
    if (declaredBytes.isPresent()) {
      long bytes = declaredBytes.getAsLong();
      draft.fixed(key, bytes, HFILE + field, Setting.USER, HFILE + field);
      return bytes;
    }
    // A table's own size stands in its descriptor; the server's counts for all the others.
    draft.fixed(
        key,
        HBASE_META_BLOCK,
        "HBase's own",
        "HBase 2.6: HFileBlockIndex, BloomFilterFactory",
        HFILE + field);
    return Math.max(HBASE_META_BLOCK, live);
  }
}
