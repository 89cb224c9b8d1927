package io.offheap.hbase.operator.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** When a hit ratio is reported, and when it changes. */
class SteadyHitRatioTest {
  private static final long WINDOW = SteadyHitRatio.SLOTS;
  private static final long ENOUGH = SteadyHitRatio.FEWEST_READS;

  private final SteadyHitRatio ratio = new SteadyHitRatio();
  private long slot = 1000;
  private long hits;
  private long misses;

  private static ServerCounters counters(long hits, long misses) {
    return new ServerCounters(0, 0, 0, 0, hits, misses, 0);
  }

  private void begin() {
    ratio.restarted(slot, counters(hits, misses));
  }

  private void halfAnHour(double found, long reads) {
    hits += Math.round(found * reads);
    misses += Math.round((1 - found) * reads);
    slot += WINDOW;
    ratio.reported(slot, counters(hits, misses));
  }

  @Test
  void theFirstHalfHourIsLeftOut() {
    begin();
    halfAnHour(0.1, ENOUGH);
    assertThat(ratio.value()).as("the cache may have filled").isEmpty();

    halfAnHour(0.9, ENOUGH);
    assertThat(ratio.value().orElseThrow()).isCloseTo(0.9, within(1e-9));
  }

  @Test
  void aHalfHourWithoutReadsDoesNotFillACache() {
    begin();
    halfAnHour(0, 0);
    halfAnHour(0.1, ENOUGH);

    assertThat(ratio.value()).isEmpty();
  }

  @Test
  void aSmallChangeIsNone() {
    begin();
    halfAnHour(0.9, ENOUGH);
    halfAnHour(0.9, ENOUGH);
    double before = ratio.value().orElseThrow();

    halfAnHour(0.86, ENOUGH);
    assertThat(ratio.value()).hasValue(before);
    halfAnHour(0.84, ENOUGH);
    assertThat(ratio.value().orElseThrow()).isCloseTo(0.85, within(1e-9));
    halfAnHour(0.87, ENOUGH);
    assertThat(ratio.value().orElseThrow()).as("not to and fro").isCloseTo(0.85, within(1e-9));
  }

  @Test
  void fewReadsChangeNothing() {
    begin();
    halfAnHour(0.9, ENOUGH);
    halfAnHour(0.9, ENOUGH - 2);
    assertThat(ratio.value()).isEmpty();
    halfAnHour(0.9, ENOUGH);
    halfAnHour(0.1, ENOUGH - 2);
    assertThat(ratio.value().orElseThrow()).isCloseTo(0.9, within(1e-9));
  }

  @Test
  void anotherProcessHasNone() {
    begin();
    halfAnHour(0.9, ENOUGH);
    halfAnHour(0.9, ENOUGH);
    hits = 0;
    misses = 0;

    begin();
    assertThat(ratio.value()).isEmpty();
    halfAnHour(0.1, ENOUGH);
    assertThat(ratio.value()).isEmpty();
  }

  @Test
  void countsThatFallOrAClockThatIsSetBackBeginAnew() {
    begin();
    halfAnHour(0.9, ENOUGH);
    halfAnHour(0.9, ENOUGH);

    hits = 0;
    halfAnHour(0.1, ENOUGH);
    assertThat(ratio.value().orElseThrow()).isCloseTo(0.9, within(1e-9));
    slot -= 10 * WINDOW;
    ratio.reported(slot, counters(hits, misses));
    halfAnHour(0.5, ENOUGH);
    assertThat(ratio.value().orElseThrow()).isCloseTo(0.5, within(1e-9));
  }

  @Test
  void noReadsAreNoRatio() {
    begin();
    halfAnHour(0, 0);
    halfAnHour(0, 0);

    assertThat(ratio.value()).isEmpty();
  }
}
