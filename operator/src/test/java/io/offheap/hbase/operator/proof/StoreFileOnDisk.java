package io.offheap.hbase.operator.proof;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.compress.Compression.Algorithm;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.util.BloomFilterFactory;

/** A store file with several data, leaf index and bloom blocks, as a flush writes it. */
final class StoreFileOnDisk {
  private static final int ROWS = 4_000;

  private final Configuration conf;
  private final FileSystem fs;
  private final Path path;
  private final List<KeyValue> cells;

  private StoreFileOnDisk(Configuration conf, FileSystem fs, Path path, List<KeyValue> cells) {
    this.conf = conf;
    this.fs = fs;
    this.path = path;
    this.cells = cells;
  }

  static StoreFileOnDisk write(java.nio.file.Path directory, Configuration conf)
      throws IOException {
    var fs = FileSystem.getLocal(conf);
    var cells = new ArrayList<KeyValue>();
    for (int row = 0; row < ROWS; row++) {
      cells.add(SizedCells.tagged(row, 900, OptionalInt.empty(), 0));
    }
    var writer =
        new StoreFileWriter.Builder(
                conf, new CacheConfig(conf, null, null, ByteBuffAllocator.HEAP), fs)
            .withOutputDir(new Path(directory.toUri()))
            .withBloomType(BloomType.ROW)
            .withMaxKeyCount(ROWS)
            .withFileContext(SizedHFile.context(65_536, DataBlockEncoding.NONE, Algorithm.NONE))
            .build();
    for (var cell : cells) {
      writer.append(cell);
    }
    writer.appendMetadata(1, false);
    writer.close();
    return new StoreFileOnDisk(conf, fs, writer.getPath(), cells);
  }

  /** Gets each row as a region server does: bloom filter, index, data block. */
  void readEveryRow(CacheConfig cache, Consumer<Cell> read) throws IOException {
    try (var reader = HFile.createReader(fs, path, cache, true, conf)) {
      var bloom = BloomFilterFactory.createFromMeta(reader.getGeneralBloomFilterMetadata(), reader);
      for (var cell : cells) {
        if (!bloom.contains(CellUtil.cloneRow(cell), 0, cell.getRowLength(), null)) {
          throw new AssertionError("the bloom filter does not know " + cell);
        }
        try (var scanner = reader.getScanner(conf, true, true)) {
          if (scanner.seekTo(cell) != 0) {
            throw new AssertionError("the file does not have " + cell);
          }
          read.accept(scanner.getCell());
        }
      }
    }
  }
}
