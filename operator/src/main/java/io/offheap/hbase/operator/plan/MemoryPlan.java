package io.offheap.hbase.operator.plan;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The values that follow from a region server's declared memory.
 *
 * @param settings every value with its reason; JVM options stand in the order in which {@code java}
 *     takes them
 * @param budget the parts of the container's memory
 */
public record MemoryPlan(List<Setting> settings, List<BudgetItem> budget) {
  public MemoryPlan {
    settings = List.copyOf(settings);
    budget = List.copyOf(budget);
  }

  /** Properties of {@code hbase-site.xml}, in the plan's order. */
  public Map<String, String> hbaseSite() {
    var site = new LinkedHashMap<String, String>();
    settings.stream()
        .filter(setting -> setting.target() == Target.HBASE_SITE)
        .forEach(setting -> site.put(setting.name(), setting.text()));
    return site;
  }

  /** Options for {@code java}, in order. */
  public List<String> jvmOptions() {
    return settings.stream()
        .filter(setting -> setting.target() == Target.JVM)
        .map(setting -> JvmOption.text(setting.name(), setting.text()))
        .toList();
  }

  /**
   * Shares of the heap.
   *
   * @param memstore of all memstores, from 0 to 1
   * @param l1 of the on-heap block cache, from 0 to 1; 0 where there is none
   */
  public record HeapShares(BigDecimal memstore, BigDecimal l1) {}

  /**
   * The bucket cache.
   *
   * @param file the path of its file; empty where it is in direct memory
   * @param bytes its size
   */
  public record BucketCache(Optional<String> file, long bytes) {
    /** Direct memory that it takes, in bytes. */
    public long directBytes() {
      return file.isPresent() ? 0 : bytes;
    }

    /** The folder of its file. */
    public Optional<String> folder() {
      return file.map(path -> path.substring(0, path.lastIndexOf('/')));
    }

    /** Bytes of its file, 0 where there is none. */
    public long fileBytes() {
      return file.isPresent() ? bytes : 0;
    }
  }

  /**
   * The allocator's pool.
   *
   * @param bufferBytes size of a buffer
   * @param minimalBytes the smallest request that takes a buffer
   * @param count most buffers
   */
  public record BufferPool(long bufferBytes, long minimalBytes, long count) {
    /** All buffers, in bytes. */
    public long bytes() {
      return bufferBytes * count;
    }
  }

  /**
   * Memory beside the heap.
   *
   * @param bytes {@code MaxDirectMemorySize}
   * @param offHeapMemstoreBytes of it for memstores, 0 for none
   */
  public record DirectMemory(long bytes, long offHeapMemstoreBytes) {}

  /**
   * The heap and its collector. Shares are in whole percent of the heap.
   *
   * @param heapBytes {@code Xmx}
   * @param regionBytes size of a G1 region
   * @param pauseTargetMillis {@code MaxGCPauseMillis}
   * @param ihopPercent occupancy at which marking starts
   * @param newSizePercent smallest young generation
   * @param survivorRatio young regions for each survivor region
   */
  public record G1(
      long heapBytes,
      long regionBytes,
      long pauseTargetMillis,
      long ihopPercent,
      long newSizePercent,
      long survivorRatio) {
    /** Number of G1 regions. */
    public long regions() {
      return G1Sums.regions(heapBytes, regionBytes);
    }
  }

  /**
   * The container.
   *
   * @param memoryBytes its memory, request and limit
   * @param parts its users
   */
  public record Container(long memoryBytes, List<BudgetItem> parts) {}

  /** Memstores and on-heap cache. */
  public HeapShares heapShares() {
    return new HeapShares(required(HBaseKeys.MEMSTORE_SHARE), required(HBaseKeys.L1_SHARE));
  }

  /** The bucket cache; empty where the mode has none. */
  public Optional<BucketCache> bucketCache() {
    return value(HBaseKeys.CACHE_ENGINE)
        .map(
            engine ->
                new BucketCache(
                    CacheEngine.of(engine).flatMap(CacheEngine::file),
                    Bytes.ofMib(required(HBaseKeys.CACHE_SIZE))));
  }

  /** Direct memory of the RAM buffer before a bucket cache in a file, in bytes; 0 without one. */
  public long ramBufferBytes() {
    return budget.stream()
        .filter(item -> item.item().equals(ContainerMemory.RAM_BUFFER))
        .mapToLong(BudgetItem::bytes)
        .sum();
  }

  /** The allocator's pool. */
  public BufferPool bufferPool() {
    return new BufferPool(
        required(HBaseKeys.BUFFER_SIZE),
        required(HBaseKeys.MINIMAL_ALLOCATION),
        required(HBaseKeys.BUFFER_COUNT));
  }

  /** Memory beside the heap. */
  public DirectMemory directMemory() {
    return new DirectMemory(
        required(JvmKeys.DIRECT_MEMORY), value(HBaseKeys.OFF_HEAP_MEMSTORE).orElse(0L) * Bytes.MIB);
  }

  /** The heap and its collector. */
  public G1 g1() {
    return new G1(
        required(JvmKeys.HEAP),
        required(JvmKeys.REGION_SIZE),
        required(JvmKeys.PAUSE_TARGET),
        required(JvmKeys.IHOP),
        required(JvmKeys.NEW_SIZE_PERCENT),
        required(JvmKeys.SURVIVOR_RATIO));
  }

  /** The container. */
  public Container container() {
    return new Container(containerMemoryBytes(), budget);
  }

  /** The container's memory, request and limit, in bytes. */
  public long containerMemoryBytes() {
    return budget.stream().mapToLong(BudgetItem::bytes).sum();
  }

  /** The value of a key; empty where the plan lacks it. */
  public <T> Optional<T> value(Key<T> key) {
    return setting(key)
        .map(
            it ->
                it.keyValue()
                    .as(key)
                    .orElseThrow(
                        () ->
                            new IllegalStateException(
                                key + "=" + it.text() + " must be " + key.kind().name())));
  }

  /**
   * The value of a key that every plan has.
   *
   * @throws IllegalStateException if this plan is incomplete and lacks the key
   */
  public <T> T required(Key<T> key) {
    return value(key).orElseThrow(() -> new IllegalStateException("every plan has " + key));
  }

  /**
   * The value with which the process runs: the plan's, else the default of HBase or the JVM.
   *
   * @param key one whose default depends on no other value
   */
  public <T> T effective(Key<T> key) {
    return setting(key).flatMap(it -> it.keyValue().as(key)).orElseGet(key::constantDefault);
  }

  /** The setting of a key, if the plan has it. */
  public Optional<Setting> setting(Key<?> key) {
    return settings.stream().filter(setting -> setting.key().equals(key)).findFirst();
  }

  /** The setting of a name, which need not be registered. */
  public Optional<Setting> setting(Target target, String key) {
    return settings.stream().filter(setting -> setting.key().is(target, key)).findFirst();
  }

  /** Ten hexadecimal digits that change when any value changes, and only then. */
  public String hash() {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      for (Setting setting : settings) {
        var line = setting.target().text() + ' ' + setting.name() + '=' + setting.text() + '\n';
        digest.update(line.getBytes(UTF_8));
      }
      return HexFormat.of().formatHex(digest.digest()).substring(0, 10);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
