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
 * A few threads for the exchanges of a server. An exchange has a time limit for its request, from
 * the first byte of the handshake or the request, and the same limit again for its answer, from the
 * call of {@link #requestIsRead}. The thread of an exchange that exceeds a limit is interrupted,
 * which closes the channel that it reads or writes.
 *
 * <p>Where all threads are taken and another exchange waits, the oldest exchange whose request is
 * not read yet is interrupted, but none in its first {@code GRACE}: a request that is sent whole is
 * read by then, and gets past any number of halves. An exchange whose request was read is not
 * interrupted for others. What comes when the queue is full is hung up on.
 */
public final class ExchangeThreads implements Executor, AutoCloseable {
  private static final int WAITING = 256;

  /** A request that has come whole is read by then, unless the process gets no CPU. */
  private static final Duration GRACE = Duration.ofMillis(200);

  /** The exchange that a thread is at. */
  private static final ThreadLocal<Turn> CURRENT = new ThreadLocal<>();

  private final ThreadPoolExecutor threads;
  private final ScheduledExecutorService timer;
  private final Duration limit;
  private final int count;

  /** Whether room is to be made when the oldest has had its grace. */
  private final AtomicBoolean isDue = new AtomicBoolean();

  private final AtomicInteger running = new AtomicInteger();

  /** Those whose request is not read yet, oldest first. */
  private final Queue<Turn> reading = new ConcurrentLinkedQueue<>();

  /** Tells which exchange a thread is at, so that none is interrupted for the one before. */
  private static final class Turn {
    private final Thread thread = Thread.currentThread();
    private final long begun = System.nanoTime();
    private Phase phase = Phase.READING;

    /** Interrupts when the phase's time is over; used by the turn's own thread. */
    private ScheduledFuture<?> end;

    private enum Phase {
      READING,
      ANSWERING,
      OVER
    }

    /** Interrupts the thread where the exchange is in this phase still. */
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
   * For one server.
   *
   * @param name of the threads
   * @param count threads at most; they end when they have had nothing to do for a minute
   * @param limit for each request, and for each answer
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
   * The exchange of this thread has its whole request, body included: only its answer's time limit
   * interrupts it from now on. Called at most once for an exchange.
   */
  public void requestIsRead() {
    var turn = CURRENT.get();
    turn.enter(Turn.Phase.ANSWERING);
    reading.remove(turn);
    turn.end.cancel(false);
    turn.end = timer(turn, Turn.Phase.ANSWERING);
  }

  private void run(Runnable exchange) {
    var turn = new Turn();
    CURRENT.set(turn);
    reading.add(turn);
    running.incrementAndGet();
    makeRoom();
    turn.end = timer(turn, Turn.Phase.READING);
    try {
      exchange.run();
    } finally {
      turn.end.cancel(false);
      turn.enter(Turn.Phase.OVER);
      reading.remove(turn);
      running.decrementAndGet();
      CURRENT.remove();
    }
  }

  private ScheduledFuture<?> timer(Turn turn, Turn.Phase phase) {
    return timer.schedule(() -> turn.interrupt(phase), limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void makeRoom() {
    var oldest = reading.peek();
    if (oldest == null || running.get() < count || threads.getQueue().isEmpty()) {
      return;
    }
    long early = GRACE.minusNanos(System.nanoTime() - oldest.begun).toNanos();
    if (early <= 0) {
      reading.remove(oldest);
      oldest.interrupt(Turn.Phase.READING);
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
