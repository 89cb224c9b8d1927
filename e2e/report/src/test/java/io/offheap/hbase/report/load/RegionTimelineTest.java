package io.offheap.hbase.report.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.report.load.RegionTimeline.Phase;
import io.offheap.hbase.report.load.RegionTimeline.State;
import java.time.ZoneOffset;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RegionTimelineTest {
  private static final String REGION = "0123456789abcdef0123456789abcdef";
  private static final String NAME = "report,user0461168601842738790,1764045000000." + REGION + ".";
  // 2026-11-25T04:00:00 UTC.
  private static final double FOUR = 1_795_579_200_000.0;

  private static RegionTimeline of(String... lines) {
    return RegionTimeline.of(Stream.of(lines), ZoneOffset.UTC);
  }

  @Test
  void moveHasThreePhasesWhicheverLogIsReadFirst() {
    var timeline =
        of(
            "2026-11-25T04:00:01,400 INFO  [RS_OPEN] handler.AssignRegionHandler: Open " + NAME,
            "2026-11-25T04:00:01,900 INFO  [RS_OPEN] handler.AssignRegionHandler: Opened " + NAME,
            "2026-11-25T04:00:01,000 INFO  [RS_CLOSE] regionserver.HRegion: Closing region " + NAME,
            "2026-11-25T04:00:01,250 INFO  [RS_CLOSE] regionserver.HRegion: Closed " + NAME);

    assertThat(timeline.of(REGION))
        .containsExactly(
            new Phase(State.CLOSING, FOUR + 1_000, FOUR + 1_250),
            new Phase(State.MOVING, FOUR + 1_250, FOUR + 1_400),
            new Phase(State.OPENING, FOUR + 1_400, FOUR + 1_900));
  }

  @Test
  void regionIsServedBetweenTwoMoves() {
    var timeline =
        of(
            "2026-11-25T04:00:01,000 INFO  [t] handler.AssignRegionHandler: Opened " + NAME,
            "2026-11-25T04:00:09,000 INFO  [t] regionserver.HRegion: Closing region " + NAME,
            "2026-11-25T04:00:09,010 INFO  [t] regionserver.HRegion: Closed " + NAME);

    assertThat(timeline.of(REGION))
        .containsExactly(new Phase(State.CLOSING, FOUR + 9_000, FOUR + 9_010));
  }

  @Test
  void otherLinesAreNoEvents() {
    var timeline =
        of(
            "2026-11-25T04:00:01,000 INFO  [t] regionserver.HRegion: Opened " + REGION + "; next",
            "2026-11-25T04:00:02,000 INFO  [t] handler.UnassignRegionHandler: Close " + REGION,
            "2026-11-25T04:00:03,000 DEBUG [t] regionserver.HRegion: Closing region " + NAME,
            "");

    assertThat(timeline.of(REGION)).isEmpty();
    assertThat(timeline.of("another")).isEmpty();
  }
}
