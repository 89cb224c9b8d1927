package io.offheap.hbase.operator.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How old a view becomes before the next one is there. */
class ViewAgeTest {
  /** As {@code RolloutSnapshot} has it. */
  private static final Duration OLDEST_VIEW = Duration.ofSeconds(15);

  /** HBase that takes its time, and as long for the next view, responds all the same. */
  @ParameterizedTest
  @ValueSource(longs = {0, 10, 1_000, 2_500, 3_000, 4_000, 4_990})
  void viewOfASlowHBaseIsReplacedBeforeItIsTooOld(long millis) {
    var took = Duration.ofMillis(millis);

    assertThat(took.plus(HBaseControl.pauseAtRest(took)).plus(took)).isLessThan(OLDEST_VIEW);
  }

  @ParameterizedTest
  @ValueSource(longs = {9_500, 10_000, 60_000})
  void slowHBaseIsNotRequestedWithoutAPause(long millis) {
    assertThat(HBaseControl.pauseAtRest(Duration.ofMillis(millis)))
        .isEqualTo(Duration.ofSeconds(1));
  }
}
