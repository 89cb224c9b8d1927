package io.offheap.hbase.observer;

import java.util.Optional;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.CoreCoprocessor;
import org.apache.hadoop.hbase.coprocessor.HasRegionServerServices;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Observes its region server and publishes the results as HBase metrics, bean {@code
 * Hadoop:service=HBase,name=RegionServer,sub=Observer}.
 *
 * <p>Loaded by {@code hbase.coprocessor.regionserver.classes}. It implements no observer interface,
 * so no request passes through it. HBase aborts a region server whose coprocessor throws, unless
 * {@code hbase.coprocessor.abortonerror} is false; therefore this class throws nothing.
 */
// A core coprocessor's environment gives the region server's services, and with them the allocator.
@CoreCoprocessor
// HBase declares the environment without its type parameter.
@SuppressWarnings("rawtypes")
public final class ObserverCoprocessor implements RegionServerCoprocessor {
  private static final Logger LOG = LoggerFactory.getLogger(ObserverCoprocessor.class);

  private Observer observer;

  /** HBase calls it by reflection. */
  public ObserverCoprocessor() {}

  @Override
  public void start(CoprocessorEnvironment environment) {
    try {
      var settings = ObserverSettings.from(environment.getConfiguration());
      if (!settings.enabled()) {
        LOG.info("Not observing: {} is false", ObserverSettings.ENABLED);
        return;
      }
      observer = Observer.start(settings, services(environment)).orElse(null);
    } catch (Exception | LinkageError e) {
      LOG.error("Not observing; the region server continues", e);
    }
  }

  // HasRegionServerServices is deprecated for external coprocessors, not for core ones.
  @SuppressWarnings("deprecation")
  private static Optional<RegionServerServices> services(CoprocessorEnvironment environment) {
    if (environment instanceof RegionServerCoprocessorEnvironment
        && environment instanceof HasRegionServerServices core) {
      return Optional.of(core.getRegionServerServices());
    }
    LOG.warn("No region server services in {}: no allocator, no cache", environment.getClass());
    return Optional.empty();
  }

  @Override
  public void stop(CoprocessorEnvironment environment) {
    try {
      if (observer != null) {
        observer.close();
      }
    } catch (Exception | LinkageError e) {
      LOG.error("The observer did not stop cleanly", e);
    }
  }
}
