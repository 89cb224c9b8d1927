package io.offheap.hbase.report.load;

import static io.offheap.hbase.report.load.Attempts.Step.CALLING;
import static io.offheap.hbase.report.load.Attempts.Step.LOCATING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import io.offheap.hbase.report.load.Attempts.Span;
import io.offheap.hbase.report.load.SlowRead.Part;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SlowReadTest {
  private static final String REGION = "0123456789abcdef0123456789abcdef";
  private static final String NAME = "report,user1,1764045000000." + REGION + ".";

  /** Closing from 100 to 200, moving until 300, opening until 600 of the first second of 1970. */
  private static RegionTimeline moved() {
    return RegionTimeline.of(
        Stream.of(
            "1970-01-01T00:00:00,100 INFO  [t] regionserver.HRegion: Closing region " + NAME,
            "1970-01-01T00:00:00,200 INFO  [t] regionserver.HRegion: Closed " + NAME,
            "1970-01-01T00:00:00,300 INFO  [t] handler.AssignRegionHandler: Open " + NAME,
            "1970-01-01T00:00:00,600 INFO  [t] handler.AssignRegionHandler: Opened " + NAME),
        ZoneOffset.UTC);
  }

  private static SlowRead read(String region) {
    return new SlowRead(
        region,
        150,
        1_000,
        List.of(
            new Span(LOCATING, 160, 170),
            new Span(CALLING, 170, 180),
            new Span(LOCATING, 900, 950),
            new Span(CALLING, 950, 990)));
  }

  @Test
  void whatTheServersDoComesBeforeWhatTheClientDoesMeanwhile() {
    assertThat(read(REGION).parts(moved()))
        .containsOnly(
            entry(Part.CLOSING, 50.0),
            entry(Part.MOVING, 100.0),
            entry(Part.OPENING, 300.0),
            // From 600 to 900, and the last 10 ms, after the last attempt.
            entry(Part.BACKING_OFF, 310.0),
            entry(Part.LOCATING, 50.0),
            entry(Part.CALLING, 40.0));
  }

  @Test
  void regionThatWasServedLeavesTheClientsSteps() {
    assertThat(read("another").parts(moved()))
        .containsOnly(
            entry(Part.WAITING, 10.0),
            entry(Part.LOCATING, 60.0),
            entry(Part.CALLING, 50.0),
            entry(Part.BACKING_OFF, 730.0));
  }

  @Test
  void sharesAreOfTheSlowestReadsAndAddUpToTheWhole() {
    var shares = RestartClient.shares(List.of(read(REGION), read("another")), moved());

    assertThat(shares.values().stream().mapToDouble(it -> it).sum()).isCloseTo(100, within(1e-9));
    assertThat(shares).hasSize(Part.values().length);
    assertThat(RestartClient.shares(List.of(), moved())).isEqualTo(Map.of());
  }

  @Test
  void secondHasItsSlowestReadAndOneWithoutReadsHasNone() {
    var reads = List.of(new double[] {5_100, 3}, new double[] {5_900, 7}, new double[] {7_000, 2});

    assertThat(RestartClient.slowest(reads, 5_000)).containsExactly(7.0, 0.0, 2.0);
  }
}
