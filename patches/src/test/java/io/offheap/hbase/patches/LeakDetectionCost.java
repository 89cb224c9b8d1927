package io.offheap.hbase.patches;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;

/**
 * What the leak detector of the buffer pool costs: processor time and heap bytes for a request that
 * is given back, without it and with one in so many. The turns alternate, so that what else the
 * machine does meets all of them. Arguments: rounds, requests a turn, depth of the stack (that of a
 * handler which reads a block is about 60).
 */
final class LeakDetectionCost {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int[] SAMPLINGS = {0, 128, 1};
  private static final int SIZE = 65_000;

  private LeakDetectionCost() {}

  public static void main(String[] args) {
    int rounds = Integer.parseInt(args[0]);
    int requests = Integer.parseInt(args[1]);
    int depth = Integer.parseInt(args[2]);
    var allocators = new ByteBuffAllocator[SAMPLINGS.length];
    for (int i = 0; i < SAMPLINGS.length; i++) {
      var conf = new Configuration(false);
      conf.setInt(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY, 16);
      conf.setInt(ByteBuffAllocator.LEAK_SAMPLING_KEY, SAMPLINGS[i]);
      allocators[i] = ByteBuffAllocator.create(conf, true);
    }
    List<List<double[]>> turns = new ArrayList<>();
    for (int i = 0; i < SAMPLINGS.length; i++) {
      turns.add(new ArrayList<>());
      turn(allocators[i], requests, depth);
    }
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < SAMPLINGS.length; i++) {
        // Each sampling is the first of a round as often as the others.
        int which = (i + round) % SAMPLINGS.length;
        turns.get(which).add(turn(allocators[which], requests, depth));
      }
    }
    System.out.printf(
        "%d rounds of %d requests of %d bytes, stack of %d; median (least to most) a request%n",
        rounds, requests, SIZE, depth);
    for (int i = 0; i < SAMPLINGS.length; i++) {
      System.out.printf(
          "%s: %s ns of CPU, %s bytes of heap%n",
          SAMPLINGS[i] == 0 ? "off" : "one in " + SAMPLINGS[i],
          summary(turns.get(i), 0),
          summary(turns.get(i), 1));
    }
  }

  private static String summary(List<double[]> turns, int figure) {
    double[] sorted = turns.stream().mapToDouble(turn -> turn[figure]).sorted().toArray();
    return "%.1f (%.1f to %.1f)"
        .formatted(sorted[sorted.length / 2], sorted[0], sorted[sorted.length - 1]);
  }

  private static double[] turn(ByteBuffAllocator allocator, int requests, int depth) {
    if (depth > 0) {
      return Arrays.copyOf(turn(allocator, requests, depth - 1), 2);
    }
    long cpu = THREADS.getCurrentThreadCpuTime();
    long bytes = THREADS.getCurrentThreadAllocatedBytes();
    for (int request = 0; request < requests; request++) {
      allocator.allocate(SIZE).release();
    }
    return new double[] {
      (double) (THREADS.getCurrentThreadCpuTime() - cpu) / requests,
      (double) (THREADS.getCurrentThreadAllocatedBytes() - bytes) / requests
    };
  }
}
