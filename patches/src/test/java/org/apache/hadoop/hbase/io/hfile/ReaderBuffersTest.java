package org.apache.hadoop.hbase.io.hfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.offheap.hbase.patches.ExactAllocator;
import io.offheap.hbase.patches.FailsOnStock;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Patch "Reader: no block lost, none used after its release". */
class ReaderBuffersTest {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int ROWS = 200;
  private static final Compression.Algorithm GZ = Compression.Algorithm.GZ;

  @TempDir java.nio.file.Path folder;

  private final Configuration conf = HBaseConfiguration.create();
  private final ExactAllocator allocator = ExactAllocator.create(100, 4096);
  private BucketCache l2;

  @AfterEach
  void shutdown() {
    if (l2 != null) {
      l2.shutdown();
    }
  }

  private static KeyValue row(int row) {
    return new KeyValue(Bytes.toBytes(String.format("%08d", row)), FAMILY, FAMILY, new byte[300]);
  }

  private HFile.Reader reader(BlockCache cache, Compression.Algorithm compression)
      throws IOException {
    var file = new Path(folder.toUri().toString(), "file");
    var fs = FileSystem.getLocal(conf);
    var context = new HFileContextBuilder().withBlockSize(2048).withCompression(compression);
    try (var writer =
        HFile.getWriterFactoryNoCache(conf)
            .withPath(fs, file)
            .withFileContext(context.build())
            .create()) {
      for (int row = 0; row < ROWS; row++) {
        writer.append(row(row));
      }
    }
    return HFile.createReader(fs, file, new CacheConfig(conf, null, cache, allocator), true, conf);
  }

  private CombinedBlockCache cache() throws IOException {
    l2 = new BucketCache("offheap", 64 << 20, 4096, null, 1, 64, null);
    return new CombinedBlockCache(new LruBlockCache(16 << 20, 4096, false), l2);
  }

  /** What a reversed scan does: back over the start of a block, then ahead to a row. */
  @FailsOnStock
  @Test
  void theKeyThatAScannerComparesWithOutlivesItsBlock() throws IOException {
    try (var reader = reader(null, Compression.Algorithm.NONE);
        var scanner = reader.getScanner(conf, false, true)) {
      assertThat(scanner.seekTo()).isTrue();
      KeyValue firstOfSecondBlock = firstOfSecondBlock(reader);
      assertThat(scanner.seekBefore(firstOfSecondBlock)).isTrue();
      assertThat(CellUtil.cloneRow(scanner.getNextIndexedKey()))
          .isEqualTo(CellUtil.cloneRow(firstOfSecondBlock));
      scanner.shipped();
      assertThat(CellUtil.cloneRow(scanner.getNextIndexedKey()))
          .isEqualTo(CellUtil.cloneRow(firstOfSecondBlock));
    }
    allocator.assertBack();
  }

  private KeyValue firstOfSecondBlock(HFile.Reader reader) throws IOException {
    try (var scanner = (HFileReaderImpl.HFileScannerImpl) reader.getScanner(conf, false, true)) {
      scanner.seekTo();
      for (int row = 0; row < ROWS; row++) {
        if (scanner.getCurBlock().getOffset() > 0) {
          return row(row);
        }
        scanner.next();
      }
    }
    throw new AssertionError("one block only");
  }

  @FailsOnStock
  @Test
  void aScannerThatIsInThePreviousBlockAlreadyTakesNoSecondReference() throws IOException {
    try (var reader = reader(null, Compression.Algorithm.NONE)) {
      KeyValue firstOfSecondBlock = firstOfSecondBlock(reader);
      try (var scanner = reader.getScanner(conf, false, true)) {
        assertThat(scanner.seekTo()).isTrue();
        assertThat(scanner.seekBefore(firstOfSecondBlock)).isTrue();
        assertThat(scanner.seekBefore(firstOfSecondBlock)).isTrue();
        assertThat(scanner.next()).isTrue();
        assertThat(CellUtil.matchingRows(scanner.getCell(), firstOfSecondBlock)).isTrue();
      }
    }
    allocator.assertBack();
  }

  @FailsOnStock
  @Test
  void aBlockThatTheCacheRefusesIsGivenBack() throws IOException {
    l2 =
        new BucketCache("offheap", 64 << 20, 4096, null, 1, 64, null) {
          @Override
          public void cacheBlock(
              BlockCacheKey key, Cacheable block, boolean inMemory, boolean wait) {
            throw new IllegalStateException("Cached block contents differ");
          }
        };
    var cache = new CombinedBlockCache(new LruBlockCache(16 << 20, 4096, false), l2);
    for (var compression : new Compression.Algorithm[] {Compression.Algorithm.NONE, GZ}) {
      try (var reader = reader(cache, compression)) {
        assertThatThrownBy(
                () -> reader.readBlock(0, -1, true, true, false, true, BlockType.DATA, null))
            .isInstanceOf(IllegalStateException.class);
      }
      allocator.assertBack();
    }
  }

  @FailsOnStock
  @Test
  void aBlockThatCannotBeUnpackedIsGivenBack() throws IOException {
    try (var reader = reader(null, GZ)) {
      allocator.failAfter(1);
      assertThatThrownBy(
              () -> reader.readBlock(0, -1, false, true, false, true, BlockType.DATA, null))
          .isInstanceOf(OutOfMemoryError.class);
    }
    allocator.assertBack();
  }

  /** The cache has it packed. */
  @FailsOnStock
  @Test
  void aBlockInTheCacheThatAnErrorKeepsFromBeingUnpackedIsGivenBack() throws IOException {
    conf.setBoolean(CacheConfig.CACHE_DATA_BLOCKS_COMPRESSED_KEY, true);
    try (var reader = (HFileReaderImpl) reader(cache(), GZ)) {
      reader.readBlock(0, -1, true, true, false, true, BlockType.DATA, null).release();
      var key = new BlockCacheKey(reader.getPath(), 0, true, BlockType.DATA);
      await().until(() -> l2.getBackingMap().containsKey(key));
      // By then the queue has given its buffer back, and the read finds the block in the cache.
      allocator.assertBackSoon();
      allocator.failAfter(0);
      assertThatThrownBy(() -> reader.getCachedBlock(key, true, false, true, BlockType.DATA, null))
          .isInstanceOf(OutOfMemoryError.class);
      assertThat(l2.getRpcRefCount(key)).isZero();
    }
    allocator.assertBackSoon();
  }

  @FailsOnStock
  @Test
  void aBlockInTheCacheWithAnotherEncodingIsGivenBack() throws IOException {
    try (var reader = (HFileReaderImpl) reader(cache(), Compression.Algorithm.NONE)) {
      reader.readBlock(0, -1, true, true, false, true, BlockType.DATA, null).release();
      var key = new BlockCacheKey(reader.getPath(), 0, true, BlockType.DATA);
      await().until(() -> l2.getBackingMap().containsKey(key));
      assertThat(
              reader.getCachedBlock(
                  key, true, false, true, BlockType.DATA, DataBlockEncoding.FAST_DIFF))
          .isNull();
      assertThat(l2.getRpcRefCount(key)).isZero();
    }
    allocator.assertBackSoon();
  }
}
