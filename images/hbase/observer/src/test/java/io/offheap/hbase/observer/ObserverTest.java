package io.offheap.hbase.observer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.lang.reflect.Proxy;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.junit.jupiter.api.Test;

class ObserverTest {
  private final Configuration configuration = new Configuration(false);

  private static boolean isPublished() {
    return MetricRegistries.global().get(Observer.REGISTRY).isPresent();
  }

  @Test
  void readsItsSettings() {
    assertThat(ObserverSettings.from(configuration).toString())
        .isEqualTo("ObserverSettings[enabled=true, period=PT10S, jfrMaxBytes=16777216]");

    configuration.setBoolean("hbase.offheap.observer.enabled", false);
    configuration.setInt("hbase.offheap.observer.period", 5);
    configuration.set("hbase.offheap.observer.jfr.maxsize", "4m");

    assertThat(ObserverSettings.from(configuration).toString())
        .as("a period of 5 ms would be load, not observation")
        .isEqualTo("ObserverSettings[enabled=false, period=PT1S, jfrMaxBytes=4194304]");
  }

  @Test
  void continuesWithThePartsThatWork() {
    var broken =
        (RegionServerServices)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {RegionServerServices.class},
                (proxy, method, arguments) -> {
                  throw new IllegalStateException("a region server that has nothing");
                });

    try (var observer =
        Observer.start(ObserverSettings.from(configuration), Optional.of(broken)).orElseThrow()) {
      assertThat(observer).isNotNull();
      var metrics = MetricRegistries.global().get(Observer.REGISTRY).orElseThrow().getMetrics();
      assertThat(metrics).containsKeys("gcFullCount", "processResidentBytes", "directUsedBytes");
      assertThat(metrics).doesNotContainKey("allocatorPoolBytes");
    }
    assertThat(isPublished()).isFalse();
  }

  @Test
  void observesAProcessOnce() {
    var settings = ObserverSettings.from(configuration);
    try (var first = Observer.start(settings, Optional.empty()).orElseThrow()) {
      assertThat(first).isNotNull();
      assertThat(Observer.start(settings, Optional.empty())).isEmpty();
    }
    assertThat(isPublished()).isFalse();
  }

  @Test
  void neverThrowsAtTheRegionServer() {
    var coprocessor = new ObserverCoprocessor();

    assertThatCode(() -> coprocessor.start(null)).doesNotThrowAnyException();
    assertThatCode(() -> coprocessor.stop(null)).doesNotThrowAnyException();
    assertThat(isPublished()).isFalse();
  }

  @Test
  void showsAMetricThatFailsAsUnknown() {
    var registry = new TestRegistry();
    registry
        .metrics()
        .gauge(
            "broken",
            () -> {
              throw new IllegalStateException("no value");
            });

    assertThat(registry.value("broken")).isEqualTo(ObserverMetrics.UNKNOWN);
  }
}
