package io.offheap.hbase.patches;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Patch "Bucket cache: turned off at once, no buffer lost": what a shutdown costs the region
 * server's thread, which deletes its ephemeral node later, patched and published in one run. In the
 * thread's own processor time, so that a loaded machine does not count.
 */
class BucketCacheShutdownCostTest {
  /** 31 GiB of blocks of 64 KiB; {@code -Dentries=1500000} takes 92. */
  private static final int ENTRIES = Integer.getInteger("entries", 500_000);

  private static final long MOST_MILLIS = 300;
  private static final long MOST_BYTES = 10 << 20;
  private static final int BUCKET = 512;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @TempDir Path folder;

  private record Cost(long millis, long bytes) {}

  @Test
  void shutdownWalksNoEntries() throws Exception {
    var patched = BlockCacheKey.class.getClassLoader();
    for (var loader : new ClassLoader[] {patched, Stock.CLASSES}) {
      shutdown(loader, 1000);
    }
    var published = shutdown(Stock.CLASSES, ENTRIES);
    var cost = shutdown(patched, ENTRIES);
    System.out.printf("%,d entries: published %s, patched %s%n", ENTRIES, published, cost);
    assertThat(cost.millis()).isLessThan(MOST_MILLIS);
    assertThat(cost.bytes()).isLessThan(MOST_BYTES);
  }

  private Cost shutdown(ClassLoader loader, int entries) throws Exception {
    var name = "org.apache.hadoop.hbase.io.hfile.bucket.BucketCache";
    var type = Class.forName(name, true, loader);
    // A file takes no memory, and no space until it is written.
    long capacity = entries * (BUCKET + BUCKET / 8L) + (1 << 20);
    Object cache =
        type.getConstructor(
                String.class,
                long.class,
                int.class,
                int[].class,
                int.class,
                int.class,
                String.class)
            .newInstance(
                "file:" + folder.resolve("cache"),
                capacity,
                BUCKET,
                new int[] {BUCKET, 2 * BUCKET},
                3,
                64,
                null);
    fill(loader, type, cache, entries);
    Method shutdown = type.getMethod("shutdown");
    long time = THREADS.getCurrentThreadCpuTime();
    long bytes = THREADS.getCurrentThreadAllocatedBytes();
    shutdown.invoke(cache);
    return new Cost(
        (THREADS.getCurrentThreadCpuTime() - time) / 1_000_000,
        THREADS.getCurrentThreadAllocatedBytes() - bytes);
  }

  /** Puts entries into the maps as a writer does, without their blocks. */
  private static void fill(ClassLoader loader, Class<?> type, Object cache, int entries)
      throws Exception {
    var allocator = type.getMethod("getAllocator").invoke(cache);
    Method allocate = allocator.getClass().getMethod("allocateBlock", int.class);
    var buffers = loader.loadClass("org.apache.hadoop.hbase.io.ByteBuffAllocator");
    var heap = buffers.getField("HEAP").get(null);
    Constructor<?> entry =
        loader
            .loadClass("org.apache.hadoop.hbase.io.hfile.bucket.BucketEntry")
            .getDeclaredConstructor(
                long.class,
                int.class,
                int.class,
                long.class,
                boolean.class,
                Function.class,
                buffers);
    entry.setAccessible(true);
    Constructor<?> key =
        loader
            .loadClass("org.apache.hadoop.hbase.io.hfile.BlockCacheKey")
            .getConstructor(String.class, long.class);
    Method recycler = type.getMethod("createRecycler", entry.getDeclaringClass());
    Function<Object, Object> recyclers =
        of -> {
          try {
            return recycler.invoke(cache, of);
          } catch (ReflectiveOperationException e) {
            throw new LinkageError("no recycler", e);
          }
        };
    @SuppressWarnings("unchecked")
    var map = (Map<Object, Object>) type.getMethod("getBackingMap").invoke(cache);
    var field = type.getDeclaredField("blocksByHFile");
    field.setAccessible(true);
    @SuppressWarnings("unchecked")
    var byFile = (Set<Object>) field.get(cache);
    for (int i = 0; i < entries; i++) {
      long offset = (long) allocate.invoke(allocator, BUCKET);
      Object its = key.newInstance("file" + i % 1000, i * 65536L);
      map.put(its, entry.newInstance(offset, BUCKET, BUCKET, (long) i, false, recyclers, heap));
      byFile.add(its);
    }
    assertThat(map).hasSize(entries);
  }
}
