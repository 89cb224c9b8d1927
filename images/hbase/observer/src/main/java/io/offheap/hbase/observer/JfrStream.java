package io.offheap.hbase.observer;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * JFR's event stream inside the JVM that it records. HotSpot writes events into its repository on
 * disk, and the stream reads them back about once a second.
 *
 * <p>Complete chunks are deleted by size and by age; the current one (12 MB unless {@code
 * -XX:FlightRecorderOptions=maxchunksize} differs) is not counted in that size.
 */
final class JfrStream implements GcEvents, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(JfrStream.class);

  /** The stream is a second behind; older chunks have no reader. */
  private static final Duration MAX_AGE = Duration.ofMinutes(5);

  private final RecordingStream stream = new RecordingStream();
  private final AtomicBoolean errorLogged = new AtomicBoolean();
  private volatile boolean running = true;

  JfrStream(long maxBytes) {
    stream.setMaxSize(maxBytes);
    stream.setMaxAge(MAX_AGE);
    stream.onError(this::report);
    stream.onClose(() -> running = false);
  }

  @Override
  public void on(String eventName, Consumer<RecordedEvent> action) {
    stream.enable(eventName).withThreshold(Duration.ZERO).withoutStackTrace();
    stream.onEvent(eventName, event -> guarded(() -> action.accept(event)));
  }

  @Override
  public void onFlush(Runnable action) {
    stream.onFlush(() -> guarded(action));
  }

  void start() {
    stream.startAsync();
  }

  /** False after this process or JFR has closed it. */
  boolean isRunning() {
    return running;
  }

  private void guarded(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException | LinkageError e) {
      report(e);
    }
  }

  private void report(Throwable cause) {
    if (errorLogged.compareAndSet(false, true)) {
      LOG.warn("An event could not be processed; logged once", cause);
    }
  }

  @Override
  public void close() {
    stream.close();
  }
}
