package io.offheap.hbase.operator.plan;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What a person declared for a group of region servers, in bytes and plain numbers.
 *
 * @param heapBytes Java heap
 * @param offHeapBytes budget of all direct memory within {@code MaxDirectMemorySize}
 * @param limitBytes memory limit of the container, where one is given
 * @param cores CPUs that a region server may use
 * @param disk what HDFS stands on
 * @param load how much is written
 * @param cacheMode where blocks are cached
 * @param l1Fraction share of the heap for the on-heap block cache, where declared
 * @param bucketCacheBytes size of the bucket cache, where declared
 * @param blocks the blocks that are read
 * @param poolBytes size of the allocator's pool, where declared
 * @param minimalAllocateSize the allocator's smallest pooled request in bytes, where declared
 * @param handlers RPC handlers
 * @param memstoreFraction share of the heap for memstores, where declared
 * @param config further hbase-site.xml properties
 * @param jvmOptions further JVM options
 */
public record Declared(
    long heapBytes,
    long offHeapBytes,
    OptionalLong limitBytes,
    int cores,
    Disk disk,
    Load load,
    CacheMode cacheMode,
    Optional<BigDecimal> l1Fraction,
    OptionalLong bucketCacheBytes,
    Blocks blocks,
    OptionalLong poolBytes,
    OptionalInt minimalAllocateSize,
    int handlers,
    Optional<BigDecimal> memstoreFraction,
    Map<String, String> config,
    List<String> jvmOptions) {

  public Declared {
    config = Map.copyOf(config);
    jvmOptions = List.copyOf(jvmOptions);
  }

  /** What HDFS stands on: decides how long a pause may be. */
  public enum Disk {
    SSD("SSD", 50),
    HDD("HDD", 90),
    OFFLINE("Offline", 500);

    private final String text;
    private final int maxGcPauseMillis;

    Disk(String text, int maxGcPauseMillis) {
      this.text = text;
      this.maxGcPauseMillis = maxGcPauseMillis;
    }

    /** As a person writes it. */
    String text() {
      return text;
    }

    int maxGcPauseMillis() {
      return maxGcPauseMillis;
    }
  }

  /** How much is written: decides how small the young generation may get. */
  public enum Load {
    NORMAL("Normal", 2),
    HEAVY("Heavy", 5);

    private final String text;
    private final int newSizePercent;

    Load(String text, int newSizePercent) {
      this.text = text;
      this.newSizePercent = newSizePercent;
    }

    /** As a person writes it. */
    String text() {
      return text;
    }

    int newSizePercent() {
      return newSizePercent;
    }
  }

  /** Where blocks are cached. */
  public enum CacheMode {
    /** Index and bloom blocks on the heap, data blocks in an off-heap bucket cache. */
    OFF_HEAP,
    /** All blocks on the heap. */
    LRU,
    /** No block cache at all. */
    DISABLED
  }

  /**
   * The blocks that region servers read, in bytes.
   *
   * @param dataBlockBytes largest {@code BLOCKSIZE} among the column families
   * @param indexBlockBytes {@code hfile.index.block.max.size}
   * @param bloomBlockBytes {@code io.storefile.bloom.block.size}
   * @param cellBytes largest common cell
   */
  public record Blocks(
      long dataBlockBytes, long indexBlockBytes, long bloomBlockBytes, long cellBytes) {
    /** HBase's own block sizes, and the largest cell that HBase's own buffer size allows for. */
    public static final Blocks HBASE_DEFAULT = new Blocks(65536, 131072, 131072, 939);
  }
}
