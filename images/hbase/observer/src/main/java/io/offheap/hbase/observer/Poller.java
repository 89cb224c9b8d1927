package io.offheap.hbase.observer;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A daemon thread that samples in a fixed period the values that have no events. */
final class Poller implements AutoCloseable {
  static final String THREAD_NAME = "offheap-observer";

  private static final Logger LOG = LoggerFactory.getLogger(Poller.class);

  private final Duration period;
  private final List<Runnable> readings = new CopyOnWriteArrayList<>();
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            var thread = new Thread(task, THREAD_NAME);
            thread.setDaemon(true);
            return thread;
          });

  Poller(Duration period) {
    this.period = period;
  }

  /** Adds a sampling and runs it once, so that its metrics start with values. */
  void add(Runnable reading) {
    readings.add(reading);
    read(reading);
  }

  void start() {
    var millis = period.toMillis();
    var unused =
        executor.scheduleWithFixedDelay(
            () -> readings.forEach(Poller::read), millis, millis, TimeUnit.MILLISECONDS);
  }

  // A scheduled task that throws is never run again, so no exception may leave it.
  private static void read(Runnable reading) {
    try {
      reading.run();
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("A reading failed; the next one is due in its time", e);
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
