package io.offheap.hbase.operator.web;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A few threads for the exchanges of a server, each of which must be over in time: from the first
 * byte of its handshake or its request to the last one of its answer. The thread of one that is not
 * is interrupted, which closes the channel that it reads or writes. Where all threads are taken and
 * another exchange waits, so is the oldest one: what is sent whole is over soon, and gets past any
 * number of halves. What comes when the queue is full is hung up on.
 */
final class ExchangeThreads implements Executor, AutoCloseable {
  private static final int WAITING = 256;

  private final ThreadPoolExecutor threads;
  private final ScheduledExecutorService timer;
  private final Duration limit;
  private final int count;

  /** Oldest first. */
  private final Queue<Turn> running = new ConcurrentLinkedQueue<>();

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
    this.count = count;
  }

  /** Runs an exchange. The JDK's server closes the connection of one that is rejected. */
  @Override
  public void execute(Runnable exchange) {
    threads.execute(() -> run(exchange));
    makeRoom();
  }

  private void run(Runnable exchange) {
    var turn = new Turn();
    running.add(turn);
    makeRoom();
    var end = timer.schedule(turn::interrupt, limit.toMillis(), TimeUnit.MILLISECONDS);
    try {
      exchange.run();
    } finally {
      end.cancel(false);
      turn.end();
      running.remove(turn);
    }
  }

  private void makeRoom() {
    if (running.size() >= count && !threads.getQueue().isEmpty()) {
      var oldest = running.poll();
      if (oldest != null) {
        oldest.interrupt();
      }
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
