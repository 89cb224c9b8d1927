package io.offheap.hbase.loadgen;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One pass of several threads over the row numbers from 0. Each thread takes the next free batch of
 * rows, so that a slow region server delays only the threads that wait for it.
 */
final class RowPass {
  private static final int BATCH_ROWS = 100;
  private static final long PROGRESS_SECONDS = 5;

  private final String verb;
  private final long rows;
  private final int threads;
  private final AtomicLong next = new AtomicLong();
  private final AtomicLong done = new AtomicLong();

  /** What each thread does with its batches. */
  interface Worker extends AutoCloseable {
    /** Handles the rows from {@code first} up to, but without, {@code end}. */
    void handle(long first, long end) throws IOException;

    @Override
    void close() throws IOException;
  }

  RowPass(String verb, long rows, int threads) {
    this.verb = verb;
    this.rows = rows;
    this.threads = threads;
  }

  /**
   * Runs the pass, printing its progress, and returns how many seconds it took.
   *
   * @throws IOException the first failure of a worker; the others end after their batch
   */
  double run(Callable<? extends Worker> workers) throws IOException, InterruptedException {
    long start = System.nanoTime();
    ScheduledExecutorService progress = Executors.newSingleThreadScheduledExecutor();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      var unused =
          progress.scheduleAtFixedRate(
              this::printProgress, PROGRESS_SECONDS, PROGRESS_SECONDS, TimeUnit.SECONDS);
      List<Future<Void>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        running.add(pool.submit(() -> work(workers)));
      }
      for (Future<Void> one : running) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw new IOException(verb + " failed", e.getCause());
    } finally {
      pool.shutdownNow();
      progress.shutdownNow();
    }
    printProgress();
    return (System.nanoTime() - start) / 1e9;
  }

  private Void work(Callable<? extends Worker> workers) throws Exception {
    try (Worker worker = workers.call()) {
      for (long first; (first = next.getAndAdd(BATCH_ROWS)) < rows; ) {
        long end = Math.min(first + BATCH_ROWS, rows);
        worker.handle(first, end);
        done.addAndGet(end - first);
      }
    } catch (Exception e) {
      next.set(rows);
      throw e;
    }
    return null;
  }

  private void printProgress() {
    System.out.printf("%s %d of %d rows%n", verb, done.get(), rows);
  }
}
