package org.apache.hadoop.hbase.io.hfile.bucket;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import javax.management.ObjectName;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;

/**
 * What a lock for each block that was read costs: {@code mvn -f patches/pom.xml test-compile
 * exec:exec@locks -Dlocks=true}, or false. It prints the bytes of heap that reading all blocks
 * leaves behind, a block, and the classes that have most; G1's log has its work with references.
 */
final class BucketCacheLockComparison {
  private static final int BLOCKS = 500_000;
  private static final int GARBAGE = 40_000;

  private BucketCacheLockComparison() {}

  /**
   * Caches and reads.
   *
   * @param arguments whether to take locks
   */
  public static void main(String[] arguments) throws Exception {
    var conf = HBaseConfiguration.create();
    conf.set("hbase.bucketcache.offsetlock.enable", arguments[0]);
    conf.set("hbase.bucketcache.acceptfactor", "1");
    conf.set("hbase.bucketcache.minfactor", "1");
    var cache =
        new QuietBucketCache("offheap", BLOCKS / 50 * 51L * QuietBucketCache.BUCKET, null, conf);
    fill(cache);
    long cached = used();
    read(cache);
    long read = used();
    System.out.printf(
        "locks %s: %,d blocks, %,d bytes of heap after a read of each, %.1f a block%n",
        arguments[0],
        cache.getBackingMap().size(),
        read - cached,
        (read - cached) / (double) cache.getBackingMap().size());
    histogram().lines().limit(16).forEach(System.out::println);
    var garbage = new ArrayDeque<byte[]>();
    long made = 0;
    // Collections as they come, with a marking in each round.
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < GARBAGE; i++) {
        garbage.add(new byte[16 << 10]);
        made += garbage.remove().length;
      }
      System.gc();
    }
    System.out.printf("%,d bytes of garbage%n", made);
    System.exit(0);
  }

  /** One block, and copies of it as a writer would have made them. */
  private static void fill(QuietBucketCache cache) throws Exception {
    var key = QuietBucketCache.key(0);
    cache.fill(1);
    var first = cache.getBackingMap().get(key);
    var block = cache.read(key);
    var bytes = ByteBuffer.allocate(block.getSerializedLength());
    block.serialize(bytes, true);
    block.release();
    for (int number = 1; number < BLOCKS; number++) {
      long offset = cache.getAllocator().allocateBlock(first.getLength());
      cache.ioEngine.write(bytes.clear(), offset);
      var entry =
          new BucketEntry(
              offset,
              first.getLength(),
              first.getOnDiskSizeWithHeader(),
              number,
              false,
              cache::createRecycler,
              ByteBuffAllocator.HEAP);
      entry.setDeserializerReference(first.deserializerReference());
      cache.putIntoBackingMap(QuietBucketCache.key(number), entry);
    }
  }

  private static void read(QuietBucketCache cache) {
    for (var key : cache.getBackingMap().keySet()) {
      cache.read(key).release();
    }
  }

  private static long used() throws Exception {
    histogram();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** Collects first. */
  private static String histogram() throws Exception {
    return (String)
        ManagementFactory.getPlatformMBeanServer()
            .invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"),
                "gcClassHistogram",
                new Object[] {new String[0]},
                new String[] {String[].class.getName()});
  }
}
