package io.offheap.hbase.operator.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MetricValuesTest {
  private static final Map<Metric, Double> SAID =
      Map.of(Metric.GC_FULL_COUNT, 0.0, Metric.ALLOCATOR_POOL_BYTES, 1e18);

  @Test
  void aCopyIsEqual() {
    var copy = MetricValues.copyOf(SAID);
    assertThat(copy).isEqualTo(SAID).hasSameHashCodeAs(SAID).hasSize(2);
    assertThat(copy.get(Metric.ALLOCATOR_POOL_BYTES)).isEqualTo(1e18);
    assertThat(MetricValues.copyOf(copy)).isSameAs(copy);
  }

  @Test
  void whatWasNotSaidIsNotThere() {
    var copy = MetricValues.copyOf(SAID);
    assertThat(copy.get(Metric.GC_MIXED_COUNT)).isNull();
    assertThat(copy.containsKey(Metric.GC_MIXED_COUNT)).isFalse();
    assertThat(copy.containsKey(Metric.GC_FULL_COUNT)).isTrue();
    assertThat(MetricValues.copyOf(Map.of(Metric.GC_MIXED_COUNT, Double.NaN))).isEmpty();
  }

  @Test
  void aCopyStaysAsItIs() {
    var said = new EnumMap<>(SAID);
    var copy = MetricValues.copyOf(said);
    said.put(Metric.GC_MIXED_COUNT, 1.0);
    said.remove(Metric.GC_FULL_COUNT);
    assertThat(copy).isEqualTo(SAID);
  }
}
