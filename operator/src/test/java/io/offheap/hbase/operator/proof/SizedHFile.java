package io.offheap.hbase.operator.proof;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;

/**
 * An HFile whose data blocks all end as late as HBase's writer lets them: the last cell starts at
 * the last byte before the block size, and is the largest.
 */
final class SizedHFile {
  private static final int BLOCKS = 6;

  private final Configuration conf = new Configuration();
  private final FileSystem fs;
  private final Path path;

  private SizedHFile(java.nio.file.Path path) throws IOException {
    this.path = new Path(path.toUri());
    fs = FileSystem.getLocal(conf).getRaw();
  }

  static HFileContext context(
      int blockBytes, DataBlockEncoding encoding, Compression.Algorithm compression) {
    return new HFileContextBuilder()
        .withBlockSize(blockBytes)
        .withDataBlockEncoding(encoding)
        .withCompression(compression)
        .withIncludesMvcc(true)
        .build();
  }

  /**
   * Writes with HBase's writer.
   *
   * @param encodedBytes bytes that the encoding adds to each cell while a block is open
   */
  static SizedHFile write(
      java.nio.file.Path path,
      HFileContext context,
      int cellBytes,
      SizedCells cells,
      int encodedBytes)
      throws IOException {
    var file = new SizedHFile(path);
    try (var writer = file.writer(context)) {
      for (int block = 0; block < BLOCKS; block++) {
        int rest = context.getBlocksize() - 1;
        while (rest > 0) {
          int next = next(rest, cellBytes + encodedBytes, SizedCells.SMALLEST + encodedBytes);
          writer.append(cells.ofBytes(next - encodedBytes));
          rest -= next;
        }
        writer.append(cells.ofBytes(cellBytes));
      }
    }
    return file;
  }

  /** The largest cell, as long as it leaves room for a whole one after it. */
  private static int next(int rest, int largest, int smallest) {
    if (rest >= largest + smallest) {
      return largest;
    }
    return rest <= largest ? rest : rest / 2;
  }

  /** Writes cells with HBase's writer, in order. */
  static SizedHFile write(java.nio.file.Path path, HFileContext context, List<KeyValue> cells)
      throws IOException {
    var file = new SizedHFile(path);
    try (var writer = file.writer(context)) {
      for (var cell : cells) {
        writer.append(cell);
      }
    }
    return file;
  }

  private HFile.Writer writer(HFileContext context) throws IOException {
    return HFile.getWriterFactory(conf, new CacheConfig(conf, null, null, ByteBuffAllocator.HEAP))
        .withPath(fs, path)
        .withFileContext(context)
        .create();
  }

  /** Reads every data block with HBase's reader, without a block cache; returns how many. */
  int readDataBlocks(ByteBuffAllocator allocator, Consumer<HFileBlock> check) throws IOException {
    var cache = new CacheConfig(conf, null, null, allocator);
    int blocks = 0;
    try (var reader = HFile.createReader(fs, path, cache, true, conf)) {
      var last = reader.getTrailer().getLastDataBlockOffset();
      long offset = reader.getTrailer().getFirstDataBlockOffset();
      while (offset <= last) {
        var block =
            reader.readBlock(
                offset, -1, false, true, false, false, null, reader.getDataBlockEncoding());
        if (block.getBlockType().isData()) {
          check.accept(block);
          blocks++;
        }
        offset += block.getOnDiskSizeWithHeader();
        block.release();
      }
    }
    return blocks;
  }
}
