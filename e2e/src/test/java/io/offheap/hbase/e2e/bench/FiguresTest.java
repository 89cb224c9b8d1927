package io.offheap.hbase.e2e.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.offheap.hbase.e2e.bench.AllocatedBytes.OfThread;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FiguresTest {
  private static final long GIB = 1 << 30;
  private static final long MIB = 1 << 20;
  private static final List<String> LOG =
      List.of(
          "[0.010s][info][gc,init] Heap Region Size: 2M",
          "[9.900s][info][gc,heap      ] GC(0) Eden regions: 100->0(90)",
          "[9.900s][info][gc           ] GC(0) Pause Young (Normal) (G1 Evacuation Pause)"
              + " 200M->20M(768M) 90.000ms",
          "[12.500s][info][gc,heap      ] GC(1) Eden regions: 90->0(80)",
          "[12.500s][info][gc           ] GC(1) Pause Young (Normal) (G1 Evacuation Pause)"
              + " 200M->20M(768M) 30.000ms",
          "[15.000s][info][gc           ] GC(2) Pause Remark 20M->20M(768M) 10.000ms",
          "[31.000s][info][gc           ] GC(3) Pause Young (Normal) (G1 Evacuation Pause)"
              + " 200M->20M(768M) 70.000ms");

  private static ServerState state(
      long gets,
      long allocated,
      long hits,
      double uptime,
      double cpu,
      double p99,
      long old,
      long peak) {
    return state(gets, allocated, hits, 0, uptime, cpu, p99, old, peak, allocated);
  }

  private static ServerState state(
      long gets,
      long allocated,
      long hits,
      long l2,
      double uptime,
      double cpu,
      double p99,
      long old,
      long peak,
      long heap) {
    var threads =
        Map.of(
            1L, new OfThread("RpcServer.default.1", allocated),
            2L, new OfThread("RMI TCP Connection(1)", 7 * allocated));
    return new ServerState(
        new Snapshot(gets, new AllocatedBytes(threads, 2, 0), 0, 0, l2, 0, allocated, allocated),
        hits,
        // 3,000 of the 10,000 data blocks are not found.
        gets - hits,
        uptime,
        cpu,
        p99,
        old,
        peak,
        heap);
  }

  private static final ServerState BEFORE = state(1_000, GIB, 500, 10, 5, 50, 20 * MIB, 900 * MIB);
  private static final ServerState BETWEEN =
      state(5_000, 2 * GIB, 4_000, 14, 9, 7, 21 * MIB, 950 * MIB);
  private static final ServerState AFTER =
      state(11_000, 3 * GIB, 7_500, 30, 18, 90, 22 * MIB, 1_000 * MIB);

  private static JsonNode load(String full) throws JsonProcessingException {
    return new ObjectMapper()
        .readTree(
            """
            {"rate": {"operations": 4000, "seconds": 60.1},
             "full": {"operations": 6000, %s},
             "latencies": {"p50Millis": 0.9, "p95Millis": 2.1, "p99Millis": 30.5,
                           "p999Millis": 99.0, "updateP99Millis": 40.5, "failures": {}},
             "rateReached": 0.97}
            """
                .formatted(full));
  }

  private static Figures of() throws IOException {
    return Figures.of(BEFORE, BETWEEN, AFTER, LOG, load("\"seconds\": 2.5"));
  }

  private static Map<String, Double> figures() throws IOException {
    return of().figures();
  }

  @Test
  void usesOfTheWholeProcessAreByTheOperationsOfBothPhases() throws IOException {
    assertThat(figures())
        .containsEntry("heapBytesPerOperation", 2.0 * GIB / 10_000)
        .containsEntry("oldGrowthMib", 2.0)
        .containsEntry("peakResidentMib", 1_000.0)
        .containsEntry("allocatorHeapShare", 0.5)
        .containsEntry("hitShare", 0.7);
  }

  @Test
  void pausesAreThoseOfTheLoadOfAnyKind() throws IOException {
    assertThat(figures().get("pauseSecondsPerMillion")).isCloseTo(4, within(1e-9));
    assertThat(figures().get("pauseSecondsPerGib")).isCloseTo(0.02, within(1e-9));
    assertThat(figures()).containsEntry("collectionsPerMillion", 200.0);
    assertThat(figures()).containsEntry("longestPauseMillis", 30.0);
    assertThat(figures()).containsEntry("mixedPerMillion", 0.0);
    assertThat(figures()).containsEntry("collections", 2.0).containsEntry("rateCollections", 1.0);
  }

  /** The phase without a rate has 6,000 operations, 9 s of CPU and a pause of 10 ms. */
  @Test
  void whatIsByTheTimeIsOfThePhaseAtTheFixedRateAlone() throws IOException {
    // 30 of 4,000 ms.
    assertThat(figures().get("pausePercent")).isCloseTo(0.75, within(1e-9));
    assertThat(figures())
        .containsEntry("rateCpuMicrosPerOperation", 1_000.0)
        .containsEntry("serverP99Millis", 7.0);
  }

  @Test
  void throughputIsThatOfThePhaseWithoutRate() throws IOException {
    assertThat(figures())
        .containsEntry("p50Millis", 0.9)
        .containsEntry("p95Millis", 2.1)
        .containsEntry("p99Millis", 30.5)
        .containsEntry("p999Millis", 99.0)
        .containsEntry("updateP99Millis", 40.5)
        .containsEntry("rateReached", 0.97)
        .containsEntry("cpuMicrosPerOperation", 1_500.0)
        .containsEntry("operationsPerSecond", 2400.0);
  }

  @Test
  void percentileThatTheLoadLeftOutIsNoFigure() throws IOException {
    assertThat(figures()).doesNotContainKey("updateP999Millis");
  }

  /** A scan completes no Get, and finds blocks. */
  @Test
  void shareOfHitsIsThatOfTheBlocksThatWereLookedUp() throws IOException {
    var before = state(0, GIB, 0, 10, 5, 7, 0, 0);
    // Neither hits nor misses.
    var idle = state(0, 2 * GIB, 0, 30, 15, 7, 0, 0);
    // 9,000 hits, and 1,000 misses which HBase counted twice.
    var combined = state(11_000, 2 * GIB, 9_000, 9_000, 30, 15, 7, 0, 0, 0);

    assertThat(Figures.of(before, idle, idle, LOG, load("\"seconds\": 2.5")).figures())
        .doesNotContainKey("hitShare");
    assertThat(Figures.of(before, combined, combined, LOG, load("\"seconds\": 2.5")).figures())
        .containsEntry("hitShare", 0.9);
  }

  @Test
  void bytesOfThreadsThatEndedAreWhatTheHeapHasAboveTheOthers() throws IOException {
    var before = state(0, GIB, 0, 0, 10, 5, 7, 0, 0, 100 * MIB);
    // The pauses between free 180 MiB; the two threads have 8 x 25 MiB more.
    var after = state(10, GIB + 25 * MIB, 5, 0, 30, 15, 7, 0, 0, 170 * MIB);

    var figures = Figures.of(before, after, after, LOG, load("\"seconds\": 2.5")).figures();

    assertThat(figures.get("unseenHeapPercent")).isCloseTo(20, within(1e-9));
    assertThat(figures).containsEntry("endedThreads", 0.0);
  }

  @Test
  void edenIsThatOfTheLoadFromItsStartOn() throws IOException {
    assertThat(of().eden()).containsExactly(new EdenLog.Point(2.5, 180));
  }

  @Test
  void stepsOfASweepHaveTheirThroughputAndCountAsOperations() throws IOException {
    var load =
        load(
            "\"seconds\": 2.5}, \"sweep\": {\"5\": {\"operations\": 6000, \"seconds\": 2},"
                + " \"75\": {\"operations\": 4000, \"seconds\": 4}");

    var figures = Figures.of(BEFORE, BETWEEN, AFTER, LOG, load);

    assertThat(figures.sweep()).isEqualTo(Map.of(5, 3_000.0, 75, 1_000.0));
    assertThat(figures.figures()).containsEntry("heapBytesPerOperation", 2.0 * GIB / 20_000);
    assertThat(of().sweep()).isNull();
  }

  @Test
  void resultThatLacksANumberIsNoMeasurement() {
    assertThatThrownBy(() -> Figures.of(BEFORE, BETWEEN, AFTER, LOG, load("\"minutes\": 1")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no number seconds");
  }
}
