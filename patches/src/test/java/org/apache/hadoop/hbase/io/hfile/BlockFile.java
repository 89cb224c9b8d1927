package org.apache.hadoop.hbase.io.hfile;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;

/** A file of some blocks of 2 KiB, whose checksums are HBase's, and its reader. */
final class BlockFile implements AutoCloseable {
  private static final byte[] FAMILY = Bytes.toBytes("f");

  private final Path path;
  private final HFile.Reader reader;
  private final List<Long> offsets = new ArrayList<>();
  private final List<Integer> sizes = new ArrayList<>();

  BlockFile(Configuration conf, java.nio.file.Path folder, CacheConfig cache) throws IOException {
    this(conf, folder, cache, new HFileContextBuilder());
  }

  BlockFile(
      Configuration conf, java.nio.file.Path folder, CacheConfig cache, HFileContextBuilder context)
      throws IOException {
    path = new Path(folder.resolve("file").toUri());
    // HBase leaves the checksums of a LocalFileSystem alone.
    conf.set("fs.defaultFS", "file:///");
    conf.setClass("fs.file.impl", RawLocalFileSystem.class, FileSystem.class);
    conf.setBoolean("fs.file.impl.disable.cache", true);
    var fs = path.getFileSystem(conf);
    try (var writer =
        HFile.getWriterFactoryNoCache(conf)
            .withPath(fs, path)
            .withFileContext(context.withBlockSize(2048).build())
            .create()) {
      for (int row = 0; row < 100; row++) {
        var key = Bytes.toBytes(String.format("%08d", row));
        writer.append(new KeyValue(key, FAMILY, FAMILY, new byte[300]));
      }
    }
    reader = HFile.createReader(fs, path, cache, true, conf);
    long end = reader.getTrailer().getLoadOnOpenDataOffset();
    for (long offset = 0; offset < end && offsets.size() < 8; ) {
      var block = blocks().readBlockData(offset, -1, true, false, true);
      if (!block.getBlockType().isData()) {
        break;
      }
      offsets.add(offset);
      sizes.add(block.getOnDiskSizeWithHeader());
      offset += block.getOnDiskSizeWithHeader();
      block.release();
    }
  }

  Path path() {
    return path;
  }

  HFile.Reader reader() {
    return reader;
  }

  HFileBlock.FSReader blocks() {
    return reader.getUncachedBlockReader();
  }

  /** As a Get reads it: at a position, cached where there is a cache. */
  HFileBlock read(int block) throws IOException {
    return reader.readBlock(
        offsets.get(block), sizes.get(block), true, true, false, true, BlockType.DATA, null);
  }

  /** The same beneath the cache. */
  HFileBlock readFromFile(int block) throws IOException {
    return blocks().readBlockData(offsets.get(block), sizes.get(block), true, false, false);
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
