package io.offheap.hbase.operator.web;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A few threads for the exchanges of a server, each of which must be over in time: from the first
 * byte of its handshake or its request to the last one of its answer. The thread of one that is not
 * is interrupted, which closes the channel that it reads or writes. What comes when all threads are
 * taken waits in a short queue, and what comes when that is full is hung up on.
 */
final class ExchangeThreads implements Executor, AutoCloseable {
  private static final int WAITING = 32;

  private final ThreadPoolExecutor threads;
  private final ScheduledExecutorService timer;
  private final Duration limit;

  /** Tells which exchange a thread is at, so that none is interrupted for the one before. */
  private static final class Turn {
    private final Thread thread = Thread.currentThread();
    private boolean over;

    synchronized void interrupt() {
      if (!over) {
        thread.interrupt();
      }
    }

    synchronized void end() {
      over = true;
    }
  }

  /**
   * For one server.
   *
   * @param name of the threads
   * @param count threads at most; they end when they have had nothing to do for a minute
   * @param limit for each exchange
   */
  ExchangeThreads(String name, int count, Duration limit) {
    threads =
        new ThreadPoolExecutor(
            count, count, 1, TimeUnit.MINUTES, new ArrayBlockingQueue<>(WAITING), named(name));
    threads.allowCoreThreadTimeOut(true);
    timer = Executors.newSingleThreadScheduledExecutor(named(name + "-limit"));
    this.limit = limit;
  }

  /** Runs an exchange. The JDK's server closes the connection of one that is rejected. */
  @Override
  public void execute(Runnable exchange) {
    threads.execute(() -> run(exchange));
  }

  private void run(Runnable exchange) {
    var turn = new Turn();
    var end = timer.schedule(turn::interrupt, limit.toMillis(), TimeUnit.MILLISECONDS);
    try {
      exchange.run();
    } finally {
      end.cancel(false);
      turn.end();
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    timer.shutdownNow();
  }

  private static ThreadFactory named(String name) {
    return task -> {
      var thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }
}
