package io.offheap.hbase.operator.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FiguresTest {
  private static final Map<Figure, Double> SAID =
      Map.of(Figure.GC_FULL_COUNT, 0.0, Figure.ALLOCATOR_POOL_BYTES, 1e18);

  @Test
  void aCopyIsEqual() {
    var copy = Figures.copyOf(SAID);
    assertThat(copy).isEqualTo(SAID).hasSameHashCodeAs(SAID).hasSize(2);
    assertThat(copy.get(Figure.ALLOCATOR_POOL_BYTES)).isEqualTo(1e18);
    assertThat(Figures.copyOf(copy)).isSameAs(copy);
  }

  @Test
  void whatWasNotSaidIsNotThere() {
    var copy = Figures.copyOf(SAID);
    assertThat(copy.get(Figure.GC_MIXED_COUNT)).isNull();
    assertThat(copy.containsKey(Figure.GC_MIXED_COUNT)).isFalse();
    assertThat(copy.containsKey(Figure.GC_FULL_COUNT)).isTrue();
    assertThat(Figures.copyOf(Map.of(Figure.GC_MIXED_COUNT, Double.NaN))).isEmpty();
  }

  @Test
  void aCopyStaysAsItIs() {
    var said = new EnumMap<>(SAID);
    var copy = Figures.copyOf(said);
    said.put(Figure.GC_MIXED_COUNT, 1.0);
    said.remove(Figure.GC_FULL_COUNT);
    assertThat(copy).isEqualTo(SAID);
  }
}
