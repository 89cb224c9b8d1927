package io.offheap.hbase.operator.plan;

import io.offheap.hbase.operator.plan.Sentence.Input;
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
 * @param data the data block size as an input of formulas
 * @param cell the cell as an input of formulas
 * @param table the table that decides, where one does
 * @param tables all column families, with what the declared sizes make of them
 */
record BlockSizes(
    long dataBlockBytes,
    long indexBlockBytes,
    long bloomBlockBytes,
    long cellBytes,
    Input data,
    Input cell,
    Optional<String> table,
    List<TableBlocks> tables) {
  /** HBase's own block sizes, and the largest cell that HBase's own buffer size allows for. */
  static final long HBASE_DATA_BLOCK = 65536;

  static final long HBASE_META_BLOCK = 131072;
  static final long HBASE_CELL = 939;

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
        input("hfile.blockSize", blocks.dataBlockBytes(), data, data != HBASE_DATA_BLOCK),
        input("hfile.cellSize", blocks.cellBytes(), cell, cell != HBASE_CELL),
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

  private static Input input(String field, OptionalLong declared, long bytes, boolean byTable) {
    var input = Input.number(field, bytes, Unit.BYTES);
    if (declared.isPresent()) {
      return input.from(FieldPath.of(field));
    }
    return byTable ? input.live() : input;
  }

  /** The end of a formula: the live table that the plan is made for, where it is made for one. */
  Sentence origin() {
    return table
        .map(name -> Sentence.of("; live table {}", Input.choice("table", name).live()))
        .orElse(Sentence.of(""));
  }

  private static long metaBlock(
      Key<Long> key,
      String field,
      OptionalLong declaredBytes,
      ToLongFunction<TableBlocks> ofTable,
      Declared declared,
      Draft draft) {
    var path = FieldPath.of("hfile." + field);
    long live = declared.tables().stream().mapToLong(ofTable).max().stream().findFirst().orElse(0);
    if (declaredBytes.isPresent()) {
      long bytes = declaredBytes.getAsLong();
      draft.fromField(key, bytes, Sentence.name(path), path);
      return bytes;
    }
    // A table's own size stands in its descriptor; the server's counts for all the others.
    draft.fixed(
        key,
        HBASE_META_BLOCK,
        Sentence.of("HBase's own"),
        "HBase 2.6: HFileBlockIndex, BloomFilterFactory",
        path);
    return Math.max(HBASE_META_BLOCK, live);
  }
}
