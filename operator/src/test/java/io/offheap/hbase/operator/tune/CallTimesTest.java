package io.offheap.hbase.operator.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CallTimesTest {
  /** Calls wait in bursts of collections, which a tenth of the readings has. */
  @Test
  void ninthOfTenReadingsCounts() {
    assertThat(CallTimes.p99Millis(window(9, 1, 8, 2, 7, 3, 6, 4, 5, 900))).hasValue(9);
    assertThat(CallTimes.p99Millis(window(4, 4, 4, 4, 4, 4, 4, 4, 80, 90))).hasValue(80);
    assertThat(CallTimes.p99Millis(window(3, 4))).hasValue(4);
  }

  @Test
  void readingsWithoutCallsAreLeftOut() {
    assertThat(CallTimes.p99Millis(window(0, 0, 0, 0, 30, 20))).hasValue(30);
    assertThat(CallTimes.p99Millis(window(0, 0))).isEmpty();
  }

  @Test
  void serverWhoseBeanWasAwayHasNone() {
    var without =
        new ServerWindow(
            List.of(
                new Reading("a", "a,1,1", Group.START, Map.of()),
                new Reading("a", "a,1,1", Group.START.plusSeconds(10), Map.of())));

    assertThat(CallTimes.p99Millis(without)).isEmpty();
  }

  private static ServerWindow window(double... millis) {
    var readings = new ArrayList<Reading>();
    for (double value : millis) {
      var at = Group.START.plus(Duration.ofSeconds(10L * readings.size()));
      readings.add(new Reading("a", "a,1,1", at, Map.of(Metric.CALL_P99_MILLIS, value)));
    }
    return new ServerWindow(readings);
  }
}
