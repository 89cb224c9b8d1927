package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.GIB;
import static io.offheap.hbase.operator.plan.DeclaredExample.regionServer;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.plan.Declared.CacheMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Buffer size and count against formulas computed by hand. */
class BufferPoolTest {
  private static final String SIZE = "hbase.server.allocator.buffer.size";
  private static final String COUNT = "hbase.server.allocator.max.buffer.count";
  private static final String MINIMAL = "hbase.server.allocator.minimal.allocate.size";

  @ParameterizedTest(name = "blocks of {0} and cells of {1}: {2} bytes, buffers of {3}")
  @CsvSource({
    // 66 + 65535 + 939 + 4 x 5: the largest cell that HBase's default buffer size holds, to the
    // byte
    "65536,   939,  66560,  66560",
    "65536,   940,  66561,  67584",
    "65536,     1,  65622,  66560",
    "65536,   995,  66616,  67584",
    "65536,  1050,  66671,  67584",
    // a value of 4,000 bytes with its key
    "65536,  4035,  69656,  70656",
    // one checksum more from the first byte over 16 KiB on
    "16384,     1,  16458,  17408",
    " 8192,   939,   9200,   9216",
    "131072,  939, 132112, 133120",
    "131072, 1947, 133120, 133120",
    "131072, 1948, 133121, 134144",
  })
  void bufferHoldsLargestReadOfBlock(long block, long cell, long read, String buffer) {
    assertThat(BlockRead.bytes(block, cell)).isEqualTo(read);
    assertThat(regionServer().blocks(block, 131072, 131072, cell).site(SIZE)).isEqualTo(buffer);
  }

  @ParameterizedTest(name = "{0}: index {1}, bloom {2}: {3}")
  @CsvSource({
    "OFF_HEAP, 131072, 131072,  66560",
    "LRU,      131072, 131072,  66560",
    "DISABLED, 131072, 131072, 133120",
    "DISABLED, 262144, 131072, 264192",
    "DISABLED, 131072, 262144, 264192",
    "DISABLED,   4096,   4096,  66560",
  })
  void bufferHoldsIndexAndBloomBlocksWithoutCacheOnHeap(
      CacheMode mode, long index, long bloom, String buffer) {
    var server = regionServer().mode(mode).blocks(65536, index, bloom, 939);

    assertThat(server.site(SIZE)).isEqualTo(buffer);
  }

  @ParameterizedTest(name = "{0} handlers, cells of {1}: {2} buffers")
  @CsvSource({
    // handlers x floor(2097152 / 66560 = 31.5) x 2
    "30,     939, 1860",
    "100,    939, 6200",
    // floor(2097152 / 70656 = 29.7)
    "30,    4035, 1740",
    // 6 x 31 x 2 = 372 are fewer than the 3 x 64 x 2 blocks of the bucket cache's writers
    "6,      939, 384",
    "7,      939, 434",
    "1,      939, 384",
  })
  void countFollowsHandlersOrBucketCacheWriters(int handlers, long cell, String count) {
    assertThat(regionServer().handlers(handlers).cell(cell).site(COUNT)).isEqualTo(count);
  }

  @Test
  void countsNoWritersWithoutBucketCache() {
    var server = regionServer().mode(CacheMode.LRU).handlers(1);

    assertThat(server.site(COUNT)).isEqualTo("62");
  }

  @Test
  void countsBuffersOfEachWritersBlock() {
    var server = regionServer().handlers(1).config(SIZE, "33280");

    // 3 x 64 x 2 blocks of two buffers
    assertThat(server.site(COUNT)).isEqualTo("768");
  }

  @ParameterizedTest
  @CsvSource({"2147483648, 32263", "1048576, 15", "1064959, 15", "1064960, 16"})
  void dividesDeclaredPoolIntoWholeBuffers(long pool, String count) {
    assertThat(regionServer().pool(pool).site(COUNT)).isEqualTo(count);
  }

  @Test
  void servesSmallRequestsFromHeapUnlessWithoutCache() {
    assertThat(regionServer().site(MINIMAL)).isEqualTo("11093");
    assertThat(regionServer().mode(CacheMode.DISABLED).site(MINIMAL)).isEqualTo("1");
    assertThat(regionServer().minimalAllocateSize(0).site(MINIMAL)).isEqualTo("0");
  }

  @Test
  void budgetCountsEachBufferOfPool() {
    assertThat(regionServer().budget("allocatorPool")).isEqualTo(1860L * 66560);
    assertThat(regionServer().pool(2 * GIB).budget("allocatorPool")).isEqualTo(32263L * 66560);
  }
}
