package io.offheap.hbase.operator.plan;

import io.offheap.hbase.operator.plan.Sentence.Input;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/**
 * The blocks for which buffers and buckets are sized. Each size is the first of: declared, largest
 * among the live tables, HBase's default. The table whose data blocks take the largest read decides
 * block and cell size together, since no table has the largest block of one and the largest cell of
 * another.
 *
 * @param dataBlockBytes largest data block size
 * @param indexBlockBytes size of index blocks
 * @param bloomBlockBytes size of bloom filter blocks
 * @param cellBytes largest common cell
 * @param data the data block size as an input of formulas
 * @param cell the cell as an input of formulas
 * @param table the table that decides, if any
 * @param tables all column families, with declared sizes in place of theirs
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
  static BlockSizes derive(Declared declared, Draft draft) {
    var blocks = declared.blocks();
    var largest = largest(declared);
    long data =
        blocks
            .dataBlockBytes()
            .orElse(largest.map(TableBlocks::dataBlockBytes).orElse(HFileDefaults.DATA_BLOCK));
    long cell =
        blocks
            .cellBytes()
            .orElse(largest.map(BlockSizes::cellOrDefault).orElse(HFileDefaults.CELL));
    boolean byTable =
        (blocks.dataBlockBytes().isEmpty() && data != HFileDefaults.DATA_BLOCK)
            || (blocks.cellBytes().isEmpty() && cell != HFileDefaults.CELL);
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
        input("hfile.blockSize", blocks.dataBlockBytes(), data, data != HFileDefaults.DATA_BLOCK),
        input("hfile.cellSize", blocks.cellBytes(), cell, cell != HFileDefaults.CELL),
        largest.map(TableBlocks::name).filter(name -> byTable),
        declared.tables());
  }

  /** The table with the largest read, with declared sizes in place of its own. */
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

  /** Cells up to HBase's allowance change nothing, so that a plan does not depend on the sample. */
  static long cellOrDefault(TableBlocks table) {
    return Math.max(HFileDefaults.CELL, table.cellBytes());
  }

  private static Input input(String field, OptionalLong declared, long bytes, boolean byTable) {
    var input = Input.number(field, bytes, Unit.BYTES);
    if (declared.isPresent()) {
      return input.from(FieldPath.of(field));
    }
    return byTable ? input.live() : input;
  }

  /** The end of a formula: the live table that decides, if any. */
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
    // A table's size is in its descriptor; the server's applies to all other tables.
    draft.fixed(
        key,
        HFileDefaults.META_BLOCK,
        Sentence.of("HBase's own"),
        "HBase 2.6: HFileBlockIndex, BloomFilterFactory",
        path);
    return Math.max(HFileDefaults.META_BLOCK, live);
  }
}
