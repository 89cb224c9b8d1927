package io.offheap.hbase.observer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.metrics.Counter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts and measures every garbage collection by JFR's events.
 *
 * <p>The stream runs from when {@link #run} first finds enough disk space until {@link #close}. It
 * is closed when the disk gets full ({@link JfrDisk}) and reopened when there is space; each time
 * {@code gcObservedSinceMillis} and {@code gcFirstId} start anew, while counters continue.
 */
final class GcObserver implements Runnable, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GcObserver.class);

  private final DiskSpace disk;
  private final ObserverSettings settings;
  private final Vm vm = Vm.ofThisProcess();
  private final List<CollectionListener> listeners;
  private final Counter lostBytes;
  private final AtomicLong since = new AtomicLong(ObserverMetrics.UNKNOWN);
  private final AtomicLong firstId = new AtomicLong(ObserverMetrics.UNKNOWN);
  private final AtomicLong lastId = new AtomicLong(ObserverMetrics.UNKNOWN);
  private JfrStream stream;
  private boolean closed;

  GcObserver(ObserverMetrics metrics, DiskSpace disk, ObserverSettings settings) {
    this.disk = disk;
    this.settings = settings;
    metrics.gauge("gcObservedSinceMillis", since::get);
    metrics.gauge("gcFirstId", firstId::get);
    metrics.gauge("gcLastId", lastId::get);
    this.lostBytes = metrics.counter("gcEventBytesLost");
    this.listeners = CollectionListener.all(metrics, vm);
  }

  /** Starts or closes the stream, as the disk space requires. */
  @Override
  public synchronized void run() {
    try {
      if (stream != null && (!stream.isRunning() || !disk.hasReserve())) {
        LOG.warn("No more GC events: the stream ended, or there is too little space in {}", disk);
        end();
      } else if (stream == null && !closed && disk.hasRoomToStart()) {
        begin();
      } else if (stream == null && !closed) {
        LOG.warn("No GC events: too little space in {}", disk);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void begin() {
    firstId.set(ObserverMetrics.UNKNOWN);
    stream = new JfrStream(settings.jfrMaxBytes());
    var assembly = new CollectionAssembly(vm.g1(), this::finished);
    assembly.follow(stream);
    stream.on("jdk.DataLoss", event -> lostBytes.increment(event.getLong("amount")));
    stream.start();
    since.set(System.currentTimeMillis());
  }

  private void finished(Collected collected) {
    // A marking cycle that ran when the stream began has an earlier id.
    if (firstId.get() == ObserverMetrics.UNKNOWN) {
      if (collected.kind() == CollectionKind.CONCURRENT_CYCLE) {
        return;
      }
      firstId.set(collected.gcId());
    } else if (collected.gcId() < firstId.get()) {
      return;
    }
    lastId.accumulateAndGet(collected.gcId(), Math::max);
    for (var listener : listeners) {
      listener.finished(collected);
    }
  }

  private void end() {
    since.set(ObserverMetrics.UNKNOWN);
    var ended = stream;
    stream = null;
    ended.close();
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (stream != null) {
      end();
    }
  }
}
