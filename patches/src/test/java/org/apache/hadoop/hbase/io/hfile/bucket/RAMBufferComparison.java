package org.apache.hadoop.hbase.io.hfile.bucket;

import static org.apache.hadoop.hbase.io.hfile.bucket.RAMBufferFixture.off;
import static org.apache.hadoop.hbase.io.hfile.bucket.RAMBufferFixture.on;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;

/**
 * What the RAM buffer saves and costs, by the hit: reads 64 KiB blocks of a bucket cache with it
 * and of one without it, in turns, and compares each turn with its neighbour.
 *
 * <p>Not a test: a program with the arguments {@code folder file|mmap cacheMegabytes
 * bufferMegabytes threads pairs secondsATurn}. The patches' README says how it is run.
 */
final class RAMBufferComparison {
  private static final int LONGS = 8192 - 8;
  private static final long TIMEOUT = 5_000;
  private static final double ZIPFIAN = 0.99;

  private record Turn(
      double hits,
      double seconds,
      double cpu,
      long heap,
      long pool,
      long reads,
      double fromBuffer) {
    double throughput() {
      return hits / seconds;
    }
  }

  private RAMBufferComparison() {}

  public static void main(String... args) throws Exception {
    if (args.length != 7) {
      throw new IllegalArgumentException(
          "folder file|mmap cacheMegabytes bufferMegabytes threads pairs secondsATurn");
    }
    var folder = Files.createTempDirectory(Path.of(args[0]), "rambuffer");
    long bytes = Long.parseLong(args[2]) << 20;
    long buffer = Long.parseLong(args[3]);
    int threads = Integer.parseInt(args[4]);
    int pairs = Integer.parseInt(args[5]);
    double seconds = Double.parseDouble(args[6]);
    var sizes = new int[] {65 * 1024, 66 * 1024};
    int poolBuffers = 256;
    // A share of the file is left free, so that nothing is evicted.
    int blocks = (int) (bytes / 65 / 1024 * 9 / 10);
    int hot = (int) ((buffer << 20) / 65 / 1024 * 3 / 4);
    var executor = Executors.newFixedThreadPool(threads);
    Files.createDirectory(folder.resolve("off"));
    Files.createDirectory(folder.resolve("on"));
    try (var without =
            new RAMBufferFixture(
                off(), args[1], folder.resolve("off"), bytes, 64 << 10, sizes, poolBuffers);
        var with =
            new RAMBufferFixture(
                on(buffer, TIMEOUT),
                args[1],
                folder.resolve("on"),
                bytes,
                64 << 10,
                sizes,
                poolBuffers)) {
      System.out.printf(
          Locale.ROOT,
          "%s: %d blocks, buffer %d MB, %d threads, %d pairs of turns of %.1f s%n",
          args[1],
          blocks,
          buffer,
          threads,
          pairs,
          seconds);
      fill(without, blocks);
      fill(with, blocks);
      var keys = IntStream.range(0, blocks).mapToObj(RAMBufferFixture::key).toList();
      var comparison = new Comparison(without, with, keys, executor, threads, pairs, seconds);
      comparison.run("100 % hits: uniform over " + hot + " blocks", r -> r.nextInt(hot));
      var zipfian = zipfian(blocks);
      comparison.run("zipfian " + ZIPFIAN + " over all", r -> draw(zipfian, r));
      comparison.run("uniform over all", r -> r.nextInt(blocks));
    } finally {
      executor.shutdownNow();
      try (var files = Files.walk(folder)) {
        for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  /** A few at a time: the writer drops what its queue cannot hold. */
  private static void fill(RAMBufferFixture cache, int blocks) {
    int batch = 32;
    for (int from = 0; from < blocks; from += batch) {
      int to = Math.min(blocks, from + batch);
      for (int id = from; id < to - 1; id++) {
        cache.cache.cacheBlock(RAMBufferFixture.key(id), cache.block(id, 1, LONGS, -1));
      }
      cache.put(to - 1, 1, LONGS, -1);
    }
  }

  private record Comparison(
      RAMBufferFixture without,
      RAMBufferFixture with,
      List<BlockCacheKey> keys,
      ExecutorService executor,
      int threads,
      int pairs,
      double seconds) {

    void run(String what, ToIntFunction<SplittableRandom> next) throws Exception {
      // Two timeouts and a bit: what the last pattern left has aged, and the limit has settled.
      turn(without, next, 2);
      turn(with, next, 3.0 * TIMEOUT / 1000);
      List<Turn> offs = new ArrayList<>();
      List<Turn> ons = new ArrayList<>();
      for (int pair = 0; pair < pairs; pair++) {
        boolean onFirst = pair % 2 == 1;
        if (onFirst) {
          ons.add(turn(with, next, seconds));
        }
        offs.add(turn(without, next, seconds));
        if (!onFirst) {
          ons.add(turn(with, next, seconds));
        }
      }
      var ratios = new double[pairs];
      for (int pair = 0; pair < pairs; pair++) {
        ratios[pair] = ons.get(pair).throughput() / offs.get(pair).throughput();
      }
      Arrays.sort(ratios);
      System.out.println(what);
      print("off", offs);
      print("on", ons);
      System.out.printf(
          Locale.ROOT,
          "  on/off: median %.2f, lowest %.2f, highest %.2f of %d pairs; %s%n",
          (ratios[(pairs - 1) / 2] + ratios[pairs / 2]) / 2,
          ratios[0],
          ratios[pairs - 1],
          pairs,
          with.cache.getRAMBuffer());
    }

    private static void print(String name, List<Turn> turns) {
      double hits = turns.stream().mapToDouble(Turn::hits).sum();
      System.out.printf(
          Locale.ROOT,
          "  %-3s per hit: %.1f us of CPU, %.0f heap bytes, %.0f pool bytes, %.3f reads;"
              + " %.3f from the buffer; %.0f hits/s%n",
          name,
          turns.stream().mapToDouble(Turn::cpu).sum() / hits / 1000,
          turns.stream().mapToLong(Turn::heap).sum() / hits,
          turns.stream().mapToLong(Turn::pool).sum() / hits,
          turns.stream().mapToLong(Turn::reads).sum() / hits,
          turns.stream().mapToDouble(Turn::fromBuffer).sum() / hits,
          hits / turns.stream().mapToDouble(Turn::seconds).sum());
    }

    private Turn turn(RAMBufferFixture cache, ToIntFunction<SplittableRandom> next, double time)
        throws Exception {
      var cpu = new LongAdder();
      var heap = new LongAdder();
      var hits = new LongAdder();
      List<Callable<Long>> tasks = new ArrayList<>();
      long pool = cache.poolBytes();
      long reads = reads();
      long fromBuffer = fromBuffer(cache);
      long start = System.nanoTime();
      long end = start + (long) (time * TimeUnit.SECONDS.toNanos(1));
      for (int thread = 0; thread < threads; thread++) {
        long seed = start + thread;
        tasks.add(() -> readUntil(end, cache, keys, next, seed, cpu, heap, hits));
      }
      for (Future<Long> task : executor.invokeAll(tasks)) {
        task.get();
      }
      return new Turn(
          hits.sum(),
          (System.nanoTime() - start) / 1e9,
          cpu.sum(),
          heap.sum(),
          cache.poolBytes() - pool,
          reads() - reads,
          fromBuffer(cache) - fromBuffer);
    }
  }

  /** As a Get does: looks at something in each KiB of half of the block, then gives it back. */
  private static long readUntil(
      long end,
      RAMBufferFixture cache,
      List<BlockCacheKey> keys,
      ToIntFunction<SplittableRandom> next,
      long seed,
      LongAdder cpu,
      LongAdder heap,
      LongAdder hits) {
    var bean = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    var random = new SplittableRandom(seed);
    long sum = 0;
    long count = 0;
    long before = bean.getCurrentThreadAllocatedBytes();
    long cpuBefore = bean.getCurrentThreadCpuTime();
    while (System.nanoTime() < end) {
      for (int i = 0; i < 16; i++) {
        int id = next.applyAsInt(random);
        var block = (HFileBlock) cache.cache.getBlock(keys.get(id), true, false, true);
        var content = block.getBufferReadOnly();
        for (int place = 33; place < 32 * 1024; place += 1024) {
          sum += content.getLong(place);
        }
        block.release();
        count++;
      }
    }
    heap.add(bean.getCurrentThreadAllocatedBytes() - before);
    cpu.add(bean.getCurrentThreadCpuTime() - cpuBefore);
    hits.add(count);
    return sum;
  }

  private static long fromBuffer(RAMBufferFixture cache) {
    var buffer = cache.cache.getRAMBuffer();
    return buffer == null ? 0 : buffer.getHitCount();
  }

  /** The read calls of this process, by the kernel's count; reading it is some of them. */
  private static long reads() throws IOException {
    for (var line : Files.readAllLines(Path.of("/proc/self/io"))) {
      if (line.startsWith("syscr: ")) {
        return Long.parseLong(line.substring("syscr: ".length()));
      }
    }
    return 0;
  }

  /** The summed shares of the ranks; ranks are spread over the blocks by a fixed shuffle. */
  private static double[] zipfian(int blocks) {
    var sums = new double[blocks];
    double sum = 0;
    for (int rank = 0; rank < blocks; rank++) {
      sum += 1 / Math.pow(rank + 1, ZIPFIAN);
      sums[rank] = sum;
    }
    return sums;
  }

  private static int draw(double[] sums, SplittableRandom random) {
    int found = Arrays.binarySearch(sums, random.nextDouble() * sums[sums.length - 1]);
    int rank = Math.min(sums.length - 1, found < 0 ? -found - 1 : found);
    return (int) (rank * 7919L % sums.length);
  }
}
