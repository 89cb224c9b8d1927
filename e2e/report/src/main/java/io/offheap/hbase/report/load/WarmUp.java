package io.offheap.hbase.report.load;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * How long a load warms up: until the compilers of all JVMs that it goes through are quiet, between
 * a least and a most time. Before that, the compilers share the processors with what is measured,
 * and code that is not compiled yet takes more time and more heap.
 */
final class WarmUp {
  /** Share of the time that compilers may take. */
  static final double QUIET_SHARE = 0.05;

  static final int WINDOW_SECONDS = 4;

  /** The compilers of a JVM. */
  interface Compilers {
    /** Returns the milliseconds that they have taken since the JVM began. */
    long millis() throws IOException;
  }

  /**
   * How it ended.
   *
   * @param quiet false where the most time ended it
   */
  record Result(double seconds, boolean quiet) {}

  private final int leastSeconds;
  private final int mostSeconds;
  private final List<Compilers> compilers;
  // Of the last seconds, the oldest first; in each the milliseconds by JVM.
  private final Deque<List<Long>> samples = new ArrayDeque<>();

  private Result result;

  WarmUp(int leastSeconds, int mostSeconds, List<Compilers> compilers) {
    this.leastSeconds = leastSeconds;
    this.mostSeconds = mostSeconds;
    this.compilers = List.copyOf(compilers);
  }

  /**
   * Waits until it is over.
   *
   * @param ended of the load's threads
   * @return whether all of them ended before
   * @throws IOException if a JVM does not say what its compilers do
   */
  boolean await(CountDownLatch ended) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    while (!ended.await(1, TimeUnit.SECONDS)) {
      var millis = new ArrayList<Long>();
      for (Compilers of : compilers) {
        millis.add(of.millis());
      }
      if (isOver((System.nanoTime() - begin) / 1e9, millis)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Takes the sample of a second.
   *
   * @param seconds since the load began
   * @param millis of each JVM
   */
  boolean isOver(double seconds, List<Long> millis) {
    samples.addLast(List.copyOf(millis));
    if (samples.size() > WINDOW_SECONDS + 1) {
      samples.removeFirst();
    }
    boolean quiet = isQuiet();
    if ((quiet && seconds >= leastSeconds) || seconds >= mostSeconds) {
      result = new Result(seconds, quiet);
      return true;
    }
    return false;
  }

  private boolean isQuiet() {
    if (samples.size() <= WINDOW_SECONDS) {
      return false;
    }
    for (int i = 0; i < compilers.size(); i++) {
      long taken = samples.getLast().get(i) - samples.getFirst().get(i);
      if (taken > QUIET_SHARE * TimeUnit.SECONDS.toMillis(WINDOW_SECONDS)) {
        return false;
      }
    }
    return true;
  }

  /** Returns how it ended; null until then. */
  Result result() {
    return result;
  }
}
