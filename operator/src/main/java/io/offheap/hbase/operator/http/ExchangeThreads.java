package io.offheap.hbase.operator.http;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads for the exchanges of a server. An exchange has a time limit for its request, from the
 * first byte of the handshake or the request, and the same limit again for its response, from the
 * call of {@link #requestIsRead}. The thread of an exchange that exceeds a limit is interrupted,
 * which closes the channel that it reads or writes.
 *
 * <p>If all threads are busy and another exchange waits, the oldest exchange whose request is
 * incomplete is interrupted, but none in its first {@code GRACE}: a request that is sent at once is
 * read by then, and is served despite any number of incomplete ones. An exchange whose request was
 * read is not interrupted for others. If the queue is full, new connections are closed.
 */
public final class ExchangeThreads implements Executor, AutoCloseable {
  private static final int WAITING = 256;

  /** A complete request is read by then, unless the process gets no CPU. */
  private static final Duration GRACE = Duration.ofMillis(200);

  /** The exchange that a thread serves. */
  private static final ThreadLocal<Handling> CURRENT = new ThreadLocal<>();

  private final ThreadPoolExecutor threads;
  private final ScheduledExecutorService timer;
  private final Duration limit;
  private final int count;

  /** Whether an interruption is scheduled for the end of the oldest exchange's grace time. */
  private final AtomicBoolean isDue = new AtomicBoolean();

  private final AtomicInteger running = new AtomicInteger();

  /** Exchanges whose request is incomplete, oldest first. */
  private final Queue<Handling> reading = new ConcurrentLinkedQueue<>();

  /** One exchange on its thread, so that the thread is not interrupted for an earlier exchange. */
  private static final class Handling {
    private final Thread thread = Thread.currentThread();
    private final long begun = System.nanoTime();
    private Phase phase = Phase.READING;

    /** Interrupts at the end of the phase; used by the exchange's own thread. */
    private ScheduledFuture<?> end;

    private enum Phase {
      READING,
      RESPONDING,
      OVER
    }

    /** Interrupts the thread if the exchange is still in this phase. */
    synchronized void interrupt(Phase expected) {
      if (phase == expected) {
        thread.interrupt();
      }
    }

    synchronized void enter(Phase next) {
      phase = next;
    }
  }

  /**
   * Creates the threads of one server.
   *
   * @param name name of the threads
   * @param count most threads; a thread ends after a minute without work
   * @param limit limit for each request, and for each response
   */
  public ExchangeThreads(String name, int count, Duration limit) {
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

  /**
   * Marks the request of this thread's exchange as complete, body included: from now on only the
   * time limit of the response interrupts it. Called at most once for an exchange.
   */
  public void requestIsRead() {
    var handling = CURRENT.get();
    handling.enter(Handling.Phase.RESPONDING);
    reading.remove(handling);
    handling.end.cancel(false);
    handling.end = timer(handling, Handling.Phase.RESPONDING);
  }

  private void run(Runnable exchange) {
    var handling = new Handling();
    CURRENT.set(handling);
    reading.add(handling);
    running.incrementAndGet();
    makeRoom();
    handling.end = timer(handling, Handling.Phase.READING);
    try {
      exchange.run();
    } finally {
      handling.end.cancel(false);
      handling.enter(Handling.Phase.OVER);
      reading.remove(handling);
      running.decrementAndGet();
      CURRENT.remove();
    }
  }

  private ScheduledFuture<?> timer(Handling handling, Handling.Phase phase) {
    return timer.schedule(() -> handling.interrupt(phase), limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void makeRoom() {
    var oldest = reading.peek();
    if (oldest == null || running.get() < count || threads.getQueue().isEmpty()) {
      return;
    }
    long early = GRACE.minusNanos(System.nanoTime() - oldest.begun).toNanos();
    if (early <= 0) {
      reading.remove(oldest);
      oldest.interrupt(Handling.Phase.READING);
    } else if (isDue.compareAndSet(false, true)) {
      var unused = timer.schedule(this::makeRoomNow, early, TimeUnit.NANOSECONDS);
    }
  }

  private void makeRoomNow() {
    isDue.set(false);
    makeRoom();
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
