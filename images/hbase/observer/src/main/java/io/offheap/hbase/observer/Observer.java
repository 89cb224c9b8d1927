package io.offheap.hbase.observer;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of the observer, started one by one: a part that fails is left out, with a line in the
 * log, and the others continue.
 */
final class Observer implements AutoCloseable {
  /**
   * A registry of its own: the one that HBase gives a coprocessor puts the class name into every
   * metric's name. It must not be an "existing source": HBase exports those only from code that it
   * has for them.
   */
  static final MetricRegistryInfo REGISTRY =
      new MetricRegistryInfo(
          "Observer",
          "GC, allocator and memory of this region server",
          "RegionServer,sub=Observer",
          "regionserver",
          false);

  private static final Logger LOG = LoggerFactory.getLogger(Observer.class);

  private final Poller poller;
  private final List<AutoCloseable> parts = new ArrayList<>();

  private Observer(Poller poller) {
    this.poller = poller;
  }

  /**
   * Starts observing, unless this process is observed already: HBase makes a second coprocessor
   * without stopping the first when the list of coprocessors changes online, and a master that
   * shares its process with a region server has one too. Both would count the same collections.
   */
  static Optional<Observer> start(
      ObserverSettings settings, Optional<RegionServerServices> services) {
    var registries = MetricRegistries.global();
    if (registries.get(REGISTRY).isPresent()) {
      LOG.info("This process is observed already");
      return Optional.empty();
    }
    var metrics = new ObserverMetrics(registries.create(REGISTRY));
    var poller = new Poller(settings.period());
    var observer = new Observer(poller);
    observer.part("process memory", () -> poller.add(ProcessMemory.publish(metrics, Path.of("/"))));
    services.ifPresent(server -> observer.regionServerParts(server, metrics));
    observer.part(
        "garbage collections",
        () -> {
          var collections =
              new GcObserver(metrics, JfrDisk.ofThisProcess(settings.jfrMaxBytes()), settings);
          observer.parts.add(collections);
          poller.add(collections);
        });
    poller.start();
    LOG.info("Observing, period {}", settings.period());
    return Optional.of(observer);
  }

  private void regionServerParts(RegionServerServices server, ObserverMetrics metrics) {
    part(
        "allocator",
        () -> {
          var allocator = server.getRpcServer().getByteBuffAllocator();
          poller.add(AllocatorMetrics.publish(metrics, allocator));
        });
    part("direct memory", () -> DirectMemory.publish(metrics, server));
  }

  private void part(String name, PartStart start) {
    try {
      start.run();
    } catch (Exception | LinkageError e) {
      LOG.error("Not observing {}", name, e);
    }
  }

  @Override
  public void close() {
    poller.close();
    for (var part : parts) {
      part("the end", part::close);
    }
    MetricRegistries.global().remove(REGISTRY);
  }

  /** Starts a part. */
  private interface PartStart {
    void run() throws Exception;
  }
}
