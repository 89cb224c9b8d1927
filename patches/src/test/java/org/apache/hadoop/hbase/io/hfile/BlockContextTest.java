package org.apache.hadoop.hbase.io.hfile;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.patches.FailsOnStock;
import io.offheap.hbase.patches.Heap;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.ChecksumType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Patch "Blocks: those of a file share what is the same". */
class BlockContextTest {
  @TempDir java.nio.file.Path folder;

  private final Configuration conf = HBaseConfiguration.create();

  private BlockFile file(HFileContextBuilder context) throws IOException {
    conf.setInt(ByteBuffAllocator.MIN_ALLOCATE_SIZE_KEY, 1);
    conf.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, 4096);
    var pool = ByteBuffAllocator.create(conf, true);
    return new BlockFile(conf, folder, new CacheConfig(conf, null, null, pool), context);
  }

  private static HFileContext contextOf(BlockFile file, int number) throws IOException {
    var block = file.readFromFile(number);
    block.release();
    return block.getHFileContext();
  }

  /** What the published class makes for each block. */
  private static HFileContext published(BlockFile file, ChecksumType type, int perChecksum) {
    return new HFileContextBuilder(file.reader().getFileContext())
        .withHBaseCheckSum(true)
        .withChecksumType(type)
        .withBytesPerCheckSum(perChecksum)
        .build();
  }

  @FailsOnStock
  @Test
  void theBlocksOfAFileShareOneContext() throws IOException {
    try (var file = file(new HFileContextBuilder())) {
      var first = contextOf(file, 0);
      assertThat(contextOf(file, 1)).isSameAs(first);
      assertThat(contextOf(file, 2)).isSameAs(first);
      assertThat(first).hasToString(published(file, ChecksumType.CRC32C, 16384).toString());
    }
  }

  @FailsOnStock
  @Test
  void theBlocksOfAFileWithOtherChecksumsShareTheirs() throws IOException {
    var context =
        new HFileContextBuilder().withChecksumType(ChecksumType.CRC32).withBytesPerCheckSum(1024);
    try (var file = file(context)) {
      var first = contextOf(file, 0);
      assertThat(contextOf(file, 1)).isSameAs(first);
      assertThat(first).hasToString(published(file, ChecksumType.CRC32, 1024).toString());
    }
  }

  /** They are read out of the file itself, some blocks of which come before them. */
  @Test
  void whatTheFileSaysOfItselfIsInTheContext() throws IOException {
    for (boolean tags : new boolean[] {false, true}) {
      for (boolean mvcc : new boolean[] {false, true}) {
        var context =
            new HFileContextBuilder()
                .withIncludesTags(tags)
                .withCompressTags(tags)
                .withIncludesMvcc(mvcc)
                .withCreateTime(77);
        try (var file = file(context)) {
          var read = contextOf(file, 0);
          assertThat(read.isIncludesTags()).isEqualTo(tags);
          assertThat(read.isIncludesMvcc()).isEqualTo(mvcc);
          assertThat(read.getFileCreateTime()).isEqualTo(77);
          assertThat(read).hasToString(published(file, ChecksumType.CRC32C, 16384).toString());
        }
      }
    }
  }

  @Test
  void aChangedFlagOfTheFileChangesNoBlockThatIsThere() throws IOException {
    try (var file = file(new HFileContextBuilder())) {
      var before = contextOf(file, 0);
      boolean tags = before.isIncludesTags();
      file.reader().getFileContext().setIncludesTags(!tags);
      var after = contextOf(file, 0);
      assertThat(before.isIncludesTags()).isEqualTo(tags);
      assertThat(after.isIncludesTags()).isEqualTo(!tags);
      file.blocks().setIncludesMemStoreTS(!after.isIncludesMvcc());
      assertThat(contextOf(file, 0).isIncludesMvcc()).isEqualTo(!after.isIncludesMvcc());
    }
  }

  @Test
  void theChecksumsAreThoseOfTheBlocksHeader() throws IOException {
    try (var file = file(new HFileContextBuilder())) {
      var bytes = bytes(file);
      var block = create(ByteBuff.wrap(bytes), file.reader().getFileContext());
      assertThat(block.getChecksumType()).isEqualTo(ChecksumType.CRC32C.getCode());
      bytes.put(HFileBlock.Header.CHECKSUM_TYPE_INDEX, ChecksumType.CRC32.getCode());
      bytes.putInt(HFileBlock.Header.BYTES_PER_CHECKSUM_INDEX, 512);
      var other = create(ByteBuff.wrap(bytes), file.reader().getFileContext());
      assertThat(other.getChecksumType()).isEqualTo(ChecksumType.CRC32.getCode());
      assertThat(other.getBytesPerChecksum()).isEqualTo(512);
      assertThat(file.reader().getFileContext().getBytesPerChecksum()).isEqualTo(16384);
    }
  }

  /** An equal one is not built again. */
  @FailsOnStock
  @Test
  void equalContextCostsNothing() throws Exception {
    try (var file = file(new HFileContextBuilder())) {
      var buff = ByteBuff.wrap(bytes(file));
      var same = published(file, ChecksumType.CRC32C, 16384);
      var other = published(file, ChecksumType.CRC32C, 1024);
      assertThat(Heap.bytes(() -> create(buff, same)))
          .isLessThan(Heap.bytes(() -> create(buff, other)) - 100);
    }
  }

  private static ByteBuffer bytes(BlockFile file) throws IOException {
    var block = file.readFromFile(0);
    var from = block.getBufferReadOnly();
    var bytes = ByteBuffer.allocate(from.limit());
    from.get(bytes, 0, from.limit());
    block.release();
    return bytes;
  }

  private static HFileBlock create(ByteBuff buff, HFileContext context) throws IOException {
    return HFileBlock.createFromBuff(buff, true, 0, -1, context, ByteBuffAllocator.HEAP);
  }
}
