package io.offheap.hbase.observer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Without G1 the general facts are there, to the event, and nothing else is claimed. */
@Tag("verify")
class OtherCollectorsIT {
  @ParameterizedTest
  @ValueSource(strings = {"-XX:+UseSerialGC", "-XX:+UseParallelGC"})
  void countsYoungAndFullCollections(String collector, @TempDir Path folder)
      throws IOException, InterruptedException {
    var run = GcRun.of(folder, "churn", 50, collector, "-Xmx128m");

    var inLog =
        run.log().from(run.metrics().get("gcFirstId")).values().stream()
            .collect(Collectors.groupingBy(one -> one.kind, Collectors.counting()));
    assertThat(run.metrics())
        .containsEntry("gcFullCount", inLog.get(CollectionKind.FULL))
        .containsEntry("gcOtherCount", 0L)
        .doesNotContainKeys("gcMixedCount", "survivorDesiredBytes", "ihopThresholdBytes");
    assertThat(run.metrics().get("heapAfterGcBytes")).isPositive();
    // Serial logs a pause for a young collection that it cancels as unsafe before it begins
    // (DefNewGeneration::collect), with a full one right after it; JFR has only the latter.
    var givenUp = collector.equals("-XX:+UseSerialGC") ? inLog.get(CollectionKind.FULL) : 0L;
    assertThat(run.metrics().get("gcYoungCount"))
        .isBetween(inLog.get(CollectionKind.YOUNG) - givenUp, inLog.get(CollectionKind.YOUNG));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-XX:+UseZGC", "-XX:+UseShenandoahGC"})
  void continuesWithConcurrentCollectors(String collector, @TempDir Path folder)
      throws IOException, InterruptedException {
    var run = GcRun.of(folder, "churn", 3, collector, "-Xmx256m");

    assertThat(run.metrics().get("gcOtherCount")).isPositive();
  }
}
