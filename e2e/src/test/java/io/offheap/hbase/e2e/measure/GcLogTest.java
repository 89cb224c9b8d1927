package io.offheap.hbase.e2e.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;

class GcLogTest {
  /** Lines of JDK 17, among those of the server itself. */
  private static final String LOG =
      """
      2026-11-21T12:31:14,778 INFO  [main] regionserver.HRegionServer: Serving
      [77.143s][debug][gc,age      ] GC(52) Desired survivor size 6291456 bytes, new threshold 1
      [77.172s][debug][gc,ihop     ] GC(52) Basic information (value update), threshold: 1395864371B
      [77.173s][info ][gc          ] GC(52) Pause Young (Normal) (G1 Evacuation Pause) 9M->8M 4.1ms
      [77.623s][debug][gc,age      ] GC(53) Desired survivor size 3145728 bytes, new threshold 1
      [77.624s][info ][gc          ] GC(53) Pause Young (Mixed) (G1 Evacuation Pause) 9M->8M 4.1ms
      [77.625s][info ][gc,start    ] GC(54) Pause Young (Mixed) (G1 Evacuation Pause)
      [77.629s][info ][gc          ] GC(54) Pause Young (Mixed) (G1 Evacuation Pause) 9M->8M 4.1ms
      """;

  @Test
  void theSmallestYoungGenerationCounts() {
    var log = GcLog.of(LOG.lines());

    assertThat(log.desiredSurvivorBytes()).isEqualTo(3145728);
    assertThat(log.ihopBytes()).isEqualTo(1395864371);
    assertThat(log.counts()).isEqualTo(Map.of("Young (Normal)", 1, "Young (Mixed)", 2));
  }

  @Test
  void gapsAreThoseBetweenMixedCollections() {
    // 77.629 - 77.624 s less 4.1 ms of pause
    assertThat(GcLog.of(LOG.lines()).meanMixedGapMillis()).hasValueCloseTo(0.9, within(0.01));
  }
}
