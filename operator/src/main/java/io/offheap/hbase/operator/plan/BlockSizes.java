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
 * @param indexBlockBytes size of index blocks
 * @param bloomBlockBytes size of bloom filter blocks
 * @param data largest data block size, as an input of formulas
 * @param cell largest common cell, as an input of formulas
 * @param perChecksum bytes of a block for each checksum, as an input of formulas
 * @param table the table that decides, if any
 * @param tables all column families, with declared sizes in place of theirs
 */
record BlockSizes(
    long indexBlockBytes,
    long bloomBlockBytes,
    Input data,
    Input cell,
    Input perChecksum,
    Optional<String> table,
    List<TableBlocks> tables) {
  static BlockSizes derive(Declared declared, Draft draft) {
    var blocks = declared.blocks();
    long perChecksum =
        draft.passedOn(
            HBaseKeys.BYTES_PER_CHECKSUM, BlockRead.HEADER_BYTES, (long) Integer.MAX_VALUE);
    var largest = largest(declared, perChecksum);
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
        input("hfile.blockSize", blocks.dataBlockBytes(), data, data != HFileDefaults.DATA_BLOCK),
        input("hfile.cellSize", blocks.cellBytes(), cell, cell != HFileDefaults.CELL),
        draft.following(
            HBaseKeys.BYTES_PER_CHECKSUM,
            Input.number(HBaseKeys.BYTES_PER_CHECKSUM.name(), perChecksum, Unit.BYTES)),
        largest.map(TableBlocks::name).filter(name -> byTable),
        declared.tables());
  }

  /** The table with the largest read, with declared sizes in place of its own. */
  private static Optional<TableBlocks> largest(Declared declared, long perChecksum) {
    var blocks = declared.blocks();
    return declared.tables().stream()
        .max(
            Comparator.comparingLong(
                table ->
                    BlockRead.bytes(
                        blocks.dataBlockBytes().orElse(table.dataBlockBytes()),
                        blocks.cellBytes().orElse(cellOrDefault(table)),
                        perChecksum)));
  }

  /** Largest data block size. */
  long dataBlockBytes() {
    return (long) data.value();
  }

  /** Largest common cell. */
  long cellBytes() {
    return (long) cell.value();
  }

  /** Data of an average block: the cell that fills it ends anywhere within. */
  long meanBlockBytes() {
    return dataBlockBytes() + cellBytes() / 2;
  }

  /** Bytes of a block for each checksum. */
  long bytesPerChecksum() {
    return (long) perChecksum.value();
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
