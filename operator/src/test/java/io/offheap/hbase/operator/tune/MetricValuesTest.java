package io.offheap.hbase.operator.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MetricValuesTest {
  private static final Map<Metric, Double> REPORTED =
      Map.of(Metric.GC_FULL_COUNT, 0.0, Metric.ALLOCATOR_POOL_BYTES, 1e18);

  @Test
  void copyIsEqual() {
    var copy = MetricValues.copyOf(REPORTED);
    assertThat(copy).isEqualTo(REPORTED).hasSameHashCodeAs(REPORTED).hasSize(2);
    assertThat(copy.get(Metric.ALLOCATOR_POOL_BYTES)).isEqualTo(1e18);
    assertThat(MetricValues.copyOf(copy)).isSameAs(copy);
  }

  @Test
  void missingMetricHasNoEntry() {
    var copy = MetricValues.copyOf(REPORTED);
    assertThat(copy.get(Metric.GC_MIXED_COUNT)).isNull();
    assertThat(copy.containsKey(Metric.GC_MIXED_COUNT)).isFalse();
    assertThat(copy.containsKey(Metric.GC_FULL_COUNT)).isTrue();
    assertThat(MetricValues.copyOf(Map.of(Metric.GC_MIXED_COUNT, Double.NaN))).isEmpty();
  }

  @Test
  void copyIsImmutable() {
    var reported = new EnumMap<>(REPORTED);
    var copy = MetricValues.copyOf(reported);
    reported.put(Metric.GC_MIXED_COUNT, 1.0);
    reported.remove(Metric.GC_FULL_COUNT);
    assertThat(copy).isEqualTo(REPORTED);
  }
}
