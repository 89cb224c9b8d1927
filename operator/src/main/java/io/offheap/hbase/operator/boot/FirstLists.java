package io.offheap.hbase.operator.boot;

import io.javaoperatorsdk.operator.health.ControllerHealthInfo;
import io.javaoperatorsdk.operator.processing.event.source.AbstractEventSource;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.log.LogLine;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the kinds of objects that are not listed yet while the operator starts, after {@link #LATE}
 * and each time that this time has doubled: until all are listed, this process leads and reconciles
 * nothing, and others may make the lists long.
 */
final class FirstLists implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FirstLists.class);

  static final Duration LATE = Duration.ofSeconds(30);

  private final CountDownLatch listed = new CountDownLatch(1);
  private final Duration late;
  private final Supplier<Set<String>> missing;

  private FirstLists(Duration late, Supplier<Set<String>> missing) {
    this.late = late;
    this.missing = missing;
  }

  /**
   * Begins to wait; to be closed when all are listed.
   *
   * @param missing the kinds that are not listed yet
   */
  static FirstLists begin(Duration late, Supplier<Set<String>> missing) {
    var lists = new FirstLists(late, missing);
    var thread = new Thread(lists::logLate, "first-lists");
    thread.setDaemon(true);
    thread.start();
    return lists;
  }

  /**
   * The kinds of a controller that are not listed yet; before clusters are, no other list begins.
   */
  static Set<String> missing(ControllerHealthInfo health) {
    var kinds =
        health.informerEventSourceHealthIndicators().values().stream()
            .filter(AbstractEventSource.class::isInstance)
            .map(it -> (AbstractEventSource<?, ?>) it)
            .filter(it -> !it.isRunning())
            .map(it -> it.resourceType().getSimpleName())
            .collect(Collectors.toCollection(TreeSet::new));
    var first = HBaseCluster.class.getSimpleName();
    return kinds.contains(first) ? Set.of(first) : kinds;
  }

  private void logLate() {
    try {
      var waited = Duration.ZERO;
      for (var pause = late;
          !listed.await(pause.toMillis(), TimeUnit.MILLISECONDS);
          pause = waited) {
        waited = waited.plus(pause);
        for (String kind : missing.get()) {
          LOG.warn(
              "{}",
              LogLine.of("FirstListLate").with("kind", kind).with("seconds", waited.toSeconds()));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    listed.countDown();
  }
}
