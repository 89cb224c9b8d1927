package io.offheap.hbase.operator.plan;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * The properties that a plan derives, refuses or depends on, with the defaults of HBase 2.6.4: from
 * {@code hbase-default.xml}, else from constants of the code.
 */
public final class HBaseKeys {
  /** Bytes for the responses of a handler in HBase's formula of {@link #BUFFER_COUNT}. */
  static final long HANDLER_BYTES = 2 << 20;

  /** HBase's own share of the heap for memstores. */
  static final BigDecimal OWN_MEMSTORE_SHARE = new BigDecimal("0.4");

  /**
   * At or below this {@link #L1_SHARE}, HBase creates no block cache at all, not even a bucket
   * cache.
   */
  public static final BigDecimal NO_CACHE_SHARE = new BigDecimal("0.0001");

  private static final String MEMORY = "MemorySizeUtil";
  private static final String ALLOCATOR = "ByteBuffAllocator";
  private static final String CLUSTER = "HConstants";
  private static final String HDFS = "HDFS: HdfsClientConfigKeys";
  private static final String HEAP_TUNER = "DefaultHeapMemoryTuner";
  private static final String RAM_BUFFER_SOURCE = "HBASE-26681; the image's HBase: RAMBuffer";

  public static final Key<Long> HANDLERS =
      key("hbase.regionserver.handler.count", Kind.INT, "RpcSchedulerFactory")
          .in(Unit.HANDLERS)
          .byDefault(30L);

  public static final Key<Long> INDEX_BLOCK =
      key("hfile.index.block.max.size", Kind.INT, "HFileBlockIndex")
          .in(Unit.BYTES)
          .byDefault(HFileDefaults.META_BLOCK);

  public static final Key<Long> BLOOM_BLOCK =
      key("io.storefile.bloom.block.size", Kind.INT, "BloomFilterFactory")
          .in(Unit.BYTES)
          .byDefault(HFileDefaults.META_BLOCK);

  public static final Key<Long> BUFFER_SIZE =
      key("hbase.server.allocator.buffer.size", Kind.INT, ALLOCATOR)
          .in(Unit.BYTES)
          .byDefault(66_560L);

  public static final Key<Long> BUFFER_COUNT =
      key("hbase.server.allocator.max.buffer.count", Kind.INT, ALLOCATOR)
          .in(Unit.BUFFERS)
          .byDefault(HBaseKeys::bufferCount);

  public static final Key<Long> MINIMAL_ALLOCATION =
      key("hbase.server.allocator.minimal.allocate.size", Kind.INT, ALLOCATOR)
          .in(Unit.BYTES)
          .byDefault(
              context ->
                  positive(BUFFER_SIZE, context).map(it -> Long.toString(minimalAllocation(it))));

  public static final Key<Boolean> POOL_ENABLED =
      key("hbase.server.allocator.pool.enabled", Kind.BOOLEAN, ALLOCATOR).byDefault(true);

  public static final Key<Long> OFF_HEAP_MEMSTORE =
      key("hbase.regionserver.offheap.global.memstore.size", Kind.LONG, MEMORY)
          .in(Unit.MIB)
          .byDefault(0L);

  public static final Key<Boolean> MSLAB =
      key("hbase.hregion.memstore.mslab.enabled", Kind.BOOLEAN, "MemStoreLAB").byDefault(true);

  public static final Key<Long> MSLAB_CHUNK =
      key("hbase.hregion.memstore.mslab.chunksize", Kind.INT, "MemStoreLAB")
          .in(Unit.BYTES)
          .byDefault(2_097_152L);

  /** The largest cell that is copied into a chunk. */
  public static final Key<Long> MSLAB_LARGEST_CELL =
      key("hbase.hregion.memstore.mslab.max.allocation", Kind.INT, "MemStoreLAB")
          .in(Unit.BYTES)
          .byDefault(262_144L);

  /** Bytes of a block for each checksum. */
  public static final Key<Long> BYTES_PER_CHECKSUM =
      key("hbase.hstore.bytes.per.checksum", Kind.INT, "StoreUtils")
          .in(Unit.BYTES)
          .byDefault(16_384L);

  public static final Key<Boolean> SHORT_CIRCUIT =
      notOfHBase("dfs.client.read.shortcircuit", Kind.BOOLEAN, HDFS).byDefault(false);

  public static final Key<Long> SHORT_CIRCUIT_BUFFER =
      key("hbase.dfs.client.read.shortcircuit.buffer.size", Kind.INT, "CommonFSUtils")
          .in(Unit.BYTES)
          .byDefault(131_072L);

  public static final Key<Long> HEDGED_READS =
      notOfHBase("dfs.client.hedged.read.threadpool.size", Kind.INT, HDFS)
          .in(Unit.THREADS)
          .byDefault(0L);

  public static final Key<String> CACHE_ENGINE =
      key("hbase.bucketcache.ioengine", Kind.TEXT, "BlockCacheFactory");

  public static final Key<String> CACHE_PERSISTENCE =
      key("hbase.bucketcache.persistent.path", Kind.TEXT, "BlockCacheFactory");

  public static final Key<Long> CACHE_PERSISTENCE_CHUNK =
      key("hbase.bucketcache.persistence.chunksize", Kind.LONG, "BucketCache")
          .byDefault(10_000_000L);

  /** The default stops a region server that has an IO engine. */
  public static final Key<BigDecimal> CACHE_SIZE =
      key("hbase.bucketcache.size", Kind.FLOAT, MEMORY).in(Unit.MIB).byDefault(BigDecimal.ZERO);

  /** Of the image's own HBase: a published one has no RAM buffer. */
  public static final Key<Boolean> RAM_BUFFER =
      notOfHBase("hbase.bucketcache.rambuffer.enable", Kind.BOOLEAN, RAM_BUFFER_SOURCE)
          .byDefault(false);

  public static final Key<Long> RAM_BUFFER_SIZE =
      notOfHBase("hbase.bucketcache.rambuffer.size", Kind.LONG, RAM_BUFFER_SOURCE)
          .in(Unit.MIB)
          .byDefault(0L);

  public static final Key<Long> RAM_BUFFER_TIMEOUT =
      notOfHBase("hbase.bucketcache.rambuffer.timeout", Kind.LONG, RAM_BUFFER_SOURCE)
          .in(Unit.MILLISECONDS)
          .byDefault(60_000L);

  public static final Key<String> BUCKET_SIZES =
      key("hbase.bucketcache.bucket.sizes", Kind.TEXT, "BucketAllocator")
          .in(Unit.BYTES)
          .byDefault(
              "5120,9216,17408,33792,41984,50176,58368,66560,99328,132096,197632,263168,394240,"
                  + "525312");

  public static final Key<Long> CACHE_WRITERS =
      key("hbase.bucketcache.writer.threads", Kind.INT, "BlockCacheFactory")
          .in(Unit.THREADS)
          .byDefault(3L);

  /** Blocks that wait for each writer of the bucket cache. */
  public static final Key<Long> CACHE_WRITER_QUEUE =
      key("hbase.bucketcache.writer.queuelength", Kind.INT, "BlockCacheFactory").byDefault(64L);

  /** The share of the bucket cache up to which it is filled. */
  public static final Key<BigDecimal> CACHE_ACCEPT_FACTOR =
      key("hbase.bucketcache.acceptfactor", Kind.FLOAT, "BucketCache")
          .byDefault(new BigDecimal("0.95"));

  /** The share of the bucket cache down to which it evicts; at most that to which it is filled. */
  public static final Key<BigDecimal> CACHE_MIN_FACTOR =
      key("hbase.bucketcache.minfactor", Kind.FLOAT, "BucketCache")
          .byDefault(new BigDecimal("0.85"));

  /** The old name of {@link #MEMSTORE_SHARE}, which HBase still reads. */
  public static final Key<BigDecimal> OLD_MEMSTORE_SHARE =
      key("hbase.regionserver.global.memstore.upperLimit", Kind.FLOAT, MEMORY)
          .in(Unit.SHARE_OF_HEAP);

  public static final Key<BigDecimal> MEMSTORE_SHARE =
      key("hbase.regionserver.global.memstore.size", Kind.FLOAT, MEMORY)
          .in(Unit.SHARE_OF_HEAP)
          .byDefault(
              context ->
                  context
                      .text(OLD_MEMSTORE_SHARE)
                      .or(() -> Optional.of(Kind.FLOAT.write(OWN_MEMSTORE_SHARE))));

  public static final Key<BigDecimal> L1_SHARE =
      key("hfile.block.cache.size", Kind.FLOAT, MEMORY)
          .in(Unit.SHARE_OF_HEAP)
          .byDefault(new BigDecimal("0.4"));

  public static final Key<String> CACHE_POLICY =
      key("hfile.block.cache.policy", Kind.TEXT, "BlockCacheFactory").byDefault("LRU");

  public static final Key<Boolean> CACHE_DATA_ON_READ =
      key("hbase.block.data.cacheonread", Kind.BOOLEAN, "CacheConfig").byDefault(true);

  public static final Key<Boolean> PREFETCH_ON_OPEN =
      key("hbase.rs.prefetchblocksonopen", Kind.BOOLEAN, "CacheConfig").byDefault(false);

  public static final Key<Long> CALL_QUEUE =
      key("hbase.ipc.server.max.callqueue.size", Kind.LONG, "RpcServer")
          .in(Unit.BYTES)
          .byDefault(1_073_741_824L);

  public static final Key<Long> LARGEST_REQUEST =
      key("hbase.ipc.max.request.size", Kind.INT, "RpcServer")
          .in(Unit.BYTES)
          .byDefault(268_435_456L);

  public static final Key<String> ROOT_DIR = key("hbase.rootdir", Kind.TEXT, CLUSTER);

  public static final Key<Boolean> DISTRIBUTED =
      key("hbase.cluster.distributed", Kind.BOOLEAN, CLUSTER);

  public static final Key<String> QUORUM = key("hbase.zookeeper.quorum", Kind.TEXT, CLUSTER);

  public static final Key<String> ZNODE = key("zookeeper.znode.parent", Kind.TEXT, CLUSTER);

  public static final Key<String> TMP_DIR = key("hbase.tmp.dir", Kind.TEXT, "HBaseConfiguration");

  public static final Key<String> HOST_NAME =
      key("hbase.unsafe.regionserver.hostname", Kind.TEXT, "HRegionServer");

  public static final Key<Boolean> NO_REVERSE_DNS =
      key(
          "hbase.unsafe.regionserver.hostname.disable.master.reversedns",
          Kind.BOOLEAN,
          "HRegionServer");

  public static final Key<Long> PORT = key("hbase.regionserver.port", Kind.INT, CLUSTER);

  public static final Key<Long> INFO_PORT = key("hbase.regionserver.info.port", Kind.INT, CLUSTER);

  public static final Key<Boolean> USER_COPROCESSORS =
      key("hbase.coprocessor.user.enabled", Kind.BOOLEAN, "CoprocessorHost");

  public static final Key<Boolean> OBSERVER_ENABLED =
      notOfHBase("hbase.offheap.observer.enabled", Kind.BOOLEAN, "the image's observer");

  public static final Key<String> CACHE_BYTES =
      key("hfile.block.cache.memory.size", Kind.TEXT, MEMORY);

  public static final Key<String> MEMSTORE_BYTES =
      key("hbase.regionserver.global.memstore.memory.size", Kind.TEXT, MEMORY);

  public static final Key<String> FREE_HEAP =
      key("hbase.regionserver.free.heap.min.memory.size", Kind.TEXT, MEMORY);

  public static final Key<BigDecimal> LEAST_MEMSTORE =
      key("hbase.regionserver.global.memstore.size.min.range", Kind.FLOAT, HEAP_TUNER);

  public static final Key<BigDecimal> MOST_MEMSTORE =
      key("hbase.regionserver.global.memstore.size.max.range", Kind.FLOAT, HEAP_TUNER);

  public static final Key<BigDecimal> LEAST_L1 =
      key("hfile.block.cache.size.min.range", Kind.FLOAT, HEAP_TUNER);

  public static final Key<BigDecimal> MOST_L1 =
      key("hfile.block.cache.size.max.range", Kind.FLOAT, HEAP_TUNER);

  public static final Key<Boolean> OLD_POOL_ENABLED =
      key("hbase.ipc.server.reservoir.enabled", Kind.BOOLEAN, ALLOCATOR);

  public static final Key<Long> OLD_BUFFER_COUNT =
      key("hbase.ipc.server.reservoir.initial.max", Kind.INT, ALLOCATOR);

  public static final Key<Long> OLD_BUFFER_SIZE =
      key("hbase.ipc.server.reservoir.initial.buffer.size", Kind.INT, ALLOCATOR);

  static final List<Key<?>> ALL =
      List.of(
          HANDLERS,
          INDEX_BLOCK,
          BLOOM_BLOCK,
          BUFFER_SIZE,
          BUFFER_COUNT,
          MINIMAL_ALLOCATION,
          POOL_ENABLED,
          OFF_HEAP_MEMSTORE,
          MSLAB,
          MSLAB_CHUNK,
          MSLAB_LARGEST_CELL,
          BYTES_PER_CHECKSUM,
          SHORT_CIRCUIT,
          SHORT_CIRCUIT_BUFFER,
          HEDGED_READS,
          CACHE_ENGINE,
          CACHE_PERSISTENCE,
          CACHE_PERSISTENCE_CHUNK,
          CACHE_SIZE,
          RAM_BUFFER,
          RAM_BUFFER_SIZE,
          RAM_BUFFER_TIMEOUT,
          BUCKET_SIZES,
          CACHE_WRITERS,
          CACHE_WRITER_QUEUE,
          CACHE_ACCEPT_FACTOR,
          CACHE_MIN_FACTOR,
          OLD_MEMSTORE_SHARE,
          MEMSTORE_SHARE,
          L1_SHARE,
          CACHE_POLICY,
          CACHE_DATA_ON_READ,
          PREFETCH_ON_OPEN,
          CALL_QUEUE,
          LARGEST_REQUEST,
          ROOT_DIR,
          DISTRIBUTED,
          QUORUM,
          ZNODE,
          TMP_DIR,
          HOST_NAME,
          NO_REVERSE_DNS,
          PORT,
          INFO_PORT,
          USER_COPROCESSORS,
          OBSERVER_ENABLED,
          CACHE_BYTES,
          MEMSTORE_BYTES,
          FREE_HEAP,
          LEAST_MEMSTORE,
          MOST_MEMSTORE,
          LEAST_L1,
          MOST_L1,
          OLD_POOL_ENABLED,
          OLD_BUFFER_COUNT,
          OLD_BUFFER_SIZE);

  private HBaseKeys() {}

  /**
   * A property.
   *
   * @param source the class of HBase that reads it
   */
  static <T> Key<T> key(String name, Kind<T> kind, String source) {
    return notOfHBase(name, kind, "HBase 2.6: " + source);
  }

  private static <T> Key<T> notOfHBase(String name, Kind<T> kind, String source) {
    return Key.of(Target.HBASE_SITE, name, kind, source);
  }

  private static Optional<String> bufferCount(Key.Context context) {
    return positive(HANDLERS, context)
        .flatMap(
            handlers ->
                positive(BUFFER_SIZE, context)
                    .map(buffer -> Long.toString(bufferCount(handlers, buffer))));
  }

  /** HBase's formula of {@link #BUFFER_COUNT}. */
  static long bufferCount(long handlers, long bufferBytes) {
    return handlers * (HANDLER_BYTES / bufferBytes) * 2;
  }

  /** HBase's formula of {@link #MINIMAL_ALLOCATION}. */
  static long minimalAllocation(long bufferBytes) {
    return bufferBytes / 6;
  }

  private static Optional<Long> positive(Key<Long> key, Key.Context context) {
    return context.value(key).filter(it -> it > 0);
  }
}
