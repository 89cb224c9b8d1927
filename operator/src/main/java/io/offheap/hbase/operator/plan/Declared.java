package io.offheap.hbase.operator.plan;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The planner's input for a region server group: declared fields, in bytes and plain numbers, and
 * data of the running cluster.
 *
 * @param memory memory of each region server
 * @param cores CPUs that a region server may use
 * @param disk the storage under HDFS
 * @param load the rate of writes
 * @param cache the block cache
 * @param blocks the blocks that are read, where declared
 * @param tables the column families of the running cluster, as far as the operator has read them
 * @param tuned values that tuning chose
 * @param poolBytes size of the allocator's pool, where declared
 * @param minimalAllocateSize the allocator's smallest pooled request in bytes, where declared
 * @param handlers RPC handlers
 * @param memstoreFraction share of the heap for memstores, where declared
 * @param survivorBytes bytes that survive their first young collection, where declared
 * @param config further hbase-site.xml properties
 * @param jvmOptions further JVM options
 * @param imageJava major version of Java in the declared image, where its name contains it
 * @param names the names of these fields, for reasons and problems
 */
@RecordBuilder
public record Declared(
    Memory memory,
    int cores,
    Disk disk,
    Load load,
    Cache cache,
    Blocks blocks,
    List<TableBlocks> tables,
    List<Tuned> tuned,
    OptionalLong poolBytes,
    OptionalInt minimalAllocateSize,
    int handlers,
    Optional<BigDecimal> memstoreFraction,
    OptionalLong survivorBytes,
    Map<String, String> config,
    List<String> jvmOptions,
    OptionalInt imageJava,
    FieldNames names) {

  public Declared {
    tables = List.copyOf(tables);
    tuned = List.copyOf(tuned);
    config = Map.copyOf(config);
    jvmOptions = List.copyOf(jvmOptions);
  }

  CacheMode cacheMode() {
    return cache.mode();
  }

  /**
   * Memory, in bytes: heap and off-heap, or a limit with at most one of them.
   *
   * @param heapBytes Java heap, where declared
   * @param offHeapBytes budget of all direct memory within {@code MaxDirectMemorySize}, where
   *     declared
   * @param limitBytes memory limit of the container, where declared
   * @param workingSet working set, where declared or measured
   * @param offHeapMemstoreBytes part of the off-heap budget for memstores, 0 for none
   */
  public record Memory(
      OptionalLong heapBytes,
      OptionalLong offHeapBytes,
      OptionalLong limitBytes,
      Optional<WorkingSet> workingSet,
      long offHeapMemstoreBytes) {}

  /**
   * Data that a region server's clients read again and again.
   *
   * @param bytes its size
   * @param isMeasured whether it was measured, not declared
   */
  public record WorkingSet(long bytes, boolean isMeasured) {}

  /**
   * The block cache.
   *
   * @param mode where blocks are cached
   * @param l1Fraction share of the heap for the on-heap block cache, where declared
   * @param bucketCacheBytes size of the bucket cache, where declared
   * @param file the file of mode {@link CacheMode#FILE}
   */
  public record Cache(
      CacheMode mode,
      Optional<BigDecimal> l1Fraction,
      OptionalLong bucketCacheBytes,
      CacheFile file) {}

  /**
   * The file of a bucket cache.
   *
   * @param folder its folder
   * @param isPersistent whether a restarted region server finds its cache again
   * @param volumeBytes size of the volume at the folder, if any
   */
  public record CacheFile(String folder, boolean isPersistent, OptionalLong volumeBytes) {
    /** The folder where none is declared. */
    public static final String DEFAULT_FOLDER = "/cache";
  }

  /** The storage under HDFS, which decides the pause target. */
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

    /** The value in a resource. */
    String text() {
      return text;
    }

    int maxGcPauseMillis() {
      return maxGcPauseMillis;
    }
  }

  /** The rate of writes, which decides the smallest young generation. */
  public enum Load {
    NORMAL("Normal", 2),
    HEAVY("Heavy", 5);

    private final String text;
    private final int newSizePercent;

    Load(String text, int newSizePercent) {
      this.text = text;
      this.newSizePercent = newSizePercent;
    }

    /** The value in a resource. */
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
    OFF_HEAP("OffHeap"),
    /** Index and bloom blocks on the heap, data blocks in a bucket cache in a file. */
    FILE("File"),
    /** All blocks on the heap. */
    LRU("Lru"),
    /** Index and bloom blocks on the heap, data blocks not at all. */
    META_ONLY("MetaOnly"),
    /** No block cache at all. */
    DISABLED("Disabled");

    private final String text;

    CacheMode(String text) {
      this.text = text;
    }

    /** The value in a resource. */
    String text() {
      return text;
    }

    boolean hasBucketCache() {
      return this == OFF_HEAP || this == FILE;
    }
  }

  /**
   * The blocks that region servers read, in bytes, each where declared.
   *
   * @param dataBlockBytes largest {@code BLOCKSIZE} among the column families
   * @param indexBlockBytes {@code hfile.index.block.max.size}
   * @param bloomBlockBytes {@code io.storefile.bloom.block.size}
   * @param cellBytes largest common cell
   * @param openFiles open store files, for HDFS short-circuit reads
   */
  public record Blocks(
      OptionalLong dataBlockBytes,
      OptionalLong indexBlockBytes,
      OptionalLong bloomBlockBytes,
      OptionalLong cellBytes,
      OptionalInt openFiles) {}
}
