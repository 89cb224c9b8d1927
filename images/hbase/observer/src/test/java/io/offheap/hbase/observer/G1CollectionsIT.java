package io.offheap.hbase.observer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real G1 with all its kinds of collections, against its own log. */
class G1CollectionsIT {
  /** The log's time includes writing some of the log itself, hence it is longer, never shorter. */
  private static final double ROUNDING_MILLIS = 0.01;

  private static final double LOGGING_SHARE = 0.05;

  private static final long REGION = 1L << 20;

  /** In each of two stretches of the load. */
  private static final int MIXED = 25;

  private static GcRun run;
  private static Map<Integer, GcLog.Logged> logged;

  @BeforeAll
  static void runAllKinds(@TempDir Path folder) throws IOException, InterruptedException {
    run =
        GcRun.of(
            folder,
            "all",
            MIXED,
            "-XX:+UseG1GC",
            "-Xms512m",
            "-Xmx512m",
            "-XX:G1HeapRegionSize=1m",
            "-XX:-G1UseAdaptiveIHOP",
            "-XX:InitiatingHeapOccupancyPercent=40",
            "-XX:+UnlockExperimentalVMOptions",
            "-XX:G1MixedGCLiveThresholdPercent=95",
            "-XX:G1HeapWastePercent=1",
            "-XX:ConcGCThreads=1",
            "-XX:ParallelGCThreads=2");
    logged = run.log().from(run.metrics().get("gcFirstId"));
  }

  @Test
  void countsEveryCollectionByKind() {
    var inLog =
        logged.values().stream()
            .collect(Collectors.groupingBy(one -> one.kind, TreeMap::new, Collectors.counting()));
    var counted = new TreeMap<CollectionKind, Long>();
    for (var kind : CollectionKind.values()) {
      var count = run.metrics().get("gc" + kind.metricName() + "Count");
      if (count != null && count > 0) {
        counted.put(kind, count);
      }
    }

    assertThat(counted)
        .isEqualTo(inLog)
        .containsOnlyKeys(
            CollectionKind.NORMAL,
            CollectionKind.CONCURRENT_START,
            CollectionKind.PREPARE_MIXED,
            CollectionKind.MIXED,
            CollectionKind.CONCURRENT_CYCLE,
            CollectionKind.FULL);
    assertThat(run.metrics()).containsEntry("gcEventBytesLost", 0L);
    assertThat(run.metrics().get("gcLastId"))
        .isEqualTo(new TreeMap<>(logged).lastKey().longValue());
  }

  @Test
  void knowsEachCollectionByItsId() {
    assertThat(run.collections().keySet()).containsAll(logged.keySet());
    logged.forEach(
        (gcId, one) ->
            assertThat(run.collections().get(gcId).kind()).as("GC(%d)", gcId).isEqualTo(one.kind));
  }

  @Test
  void measuresEachPause() {
    logged.forEach(
        (gcId, one) ->
            assertThat(run.collections().get(gcId).pauseMicros() / 1000.0)
                .as("pause of GC(%d), %s", gcId, one.kind)
                .isLessThan(one.pauseMillis + ROUNDING_MILLIS));
    var seen =
        logged.keySet().stream().mapToLong(id -> run.collections().get(id).pauseMicros()).sum();
    var inLog = logged.values().stream().mapToDouble(one -> one.pauseMillis).sum();
    assertThat(seen / 1000.0).isCloseTo(inLog, within(inLog * LOGGING_SHARE));
    for (var kind : CollectionKind.values()) {
      var sum = run.metrics().getOrDefault("gc" + kind.metricName() + "PauseMicros", 0L);
      var expected =
          run.collections().values().stream()
              .filter(one -> one.kind() == kind && logged.containsKey(one.gcId()))
              .mapToLong(GcRun.Seen::pauseMicros)
              .sum();
      assertThat(sum).as("%s", kind).isEqualTo(expected);
    }
  }

  @Test
  void hasTheSurvivorsOfEachAgeToTheByte() {
    var compared = 0;
    for (var entry : logged.entrySet()) {
      var one = entry.getValue();
      if (one.kind.isEvacuation()) {
        var seen = run.collections().get(entry.getKey());
        var byAge =
            IntStream.rangeClosed(1, Collected.MAX_AGE)
                .boxed()
                .filter(age -> seen.ageBytes().get(age) > 0)
                .collect(Collectors.toMap(age -> age, age -> seen.ageBytes().get(age)));
        assertThat(byAge).as("ages of GC(%d)", entry.getKey()).isEqualTo(one.ageBytes);
        compared += byAge.size();
      }
    }
    assertThat(compared).isGreaterThan(20);
  }

  @Test
  void computesTheDesiredSurvivorSizeAsG1Does() {
    logged.forEach(
        (gcId, one) -> {
          if (one.kind.isEvacuation()) {
            var seen = run.collections().get(gcId);
            assertThat(seen.desiredBytes()).as("GC(%d)", gcId).isEqualTo(one.desiredBytes);
            assertThat(seen.tenuringThreshold()).isEqualTo(one.tenuringThreshold);
          }
        });
  }

  @Test
  void hasTheOldGenerationAndTheThresholdWhenMarkingStarts() {
    var compared = 0;
    var failedBefore = false;
    for (var entry : logged.entrySet()) {
      var request = entry.getValue();
      // Regions whose evacuation failed become old as they are, however little they hold.
      failedBefore =
          request.toSpaceExhausted || (failedBefore && request.kind != CollectionKind.FULL);
      if (request.requestThreshold > 0) {
        var seen = run.collections().get(entry.getKey());
        var next = run.collections().get(entry.getKey() + 1);
        assertThat(seen.ihopThreshold()).isEqualTo(request.requestThreshold);
        if (!failedBefore && next != null && next.kind() == CollectionKind.CONCURRENT_START) {
          // The request counts whole regions, and the one being allocated in is not full.
          assertThat(request.requestOccupancy - next.oldBefore())
              .as("GC(%d)", entry.getKey())
              .isBetween(0L, 8 * REGION);
          compared++;
        }
      }
    }
    assertThat(compared).isPositive();
  }

  @Test
  void countsEvacuationFailures() {
    var failed =
        logged.entrySet().stream()
            .filter(entry -> entry.getValue().toSpaceExhausted)
            .map(Map.Entry::getKey)
            .toList();

    assertThat(failed).as("the load makes some").isNotEmpty();
    assertThat(run.metrics()).containsEntry("evacuationFailedCount", (long) failed.size());
    assertThat(run.metrics().get("evacuationFailedBytes")).isPositive();
    assertThat(run.collections().values())
        .filteredOn(GcRun.Seen::evacuationFailed)
        .extracting(GcRun.Seen::gcId)
        .isEqualTo(failed);
  }

  @Test
  void knowsTheGapsBetweenMixedCollections() {
    assertThat(run.metrics().get("mixedGapLastMillis")).isNotNegative();
    assertThat(run.metrics().get("mixedRegionsFreedCount")).isPositive();
    assertThat(run.metrics().get("regionsFreedCount"))
        .isGreaterThan(run.metrics().get("mixedRegionsFreedCount"));
  }
}
