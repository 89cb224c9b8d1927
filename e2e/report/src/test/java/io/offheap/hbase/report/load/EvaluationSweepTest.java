package io.offheap.hbase.report.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvaluationSweepTest {
  private static final String SUMMARY =
      "2026-11-25T05:00:00,000 INFO  [main] hbase.PerformanceEvaluation: [RandomReadTest] Summary"
          + " of timings (ms): [1000, 2000]";

  @TempDir Path folder;

  @Test
  void throughputIsTheSumOfTheThreads() throws IOException {
    var phase =
        EvaluationSweep.phase(2, 100, Stream.of("something else", SUMMARY, "[Test] Min: 1000ms"));

    // 100 and 50 a second.
    assertThat(phase).isEqualTo(new Load.Phase(200, 200.0 / 150));
  }

  @Test
  void logWithoutATimeOfEachThreadIsNoMeasurement() {
    assertThatThrownBy(() -> EvaluationSweep.phase(2, 100, Stream.of("something else")))
        .isInstanceOf(IOException.class)
        .hasMessage("no summary of timings");
    assertThatThrownBy(() -> EvaluationSweep.phase(3, 100, Stream.of(SUMMARY)))
        .isInstanceOf(IOException.class)
        .hasMessage("no time of each of 3 threads: [1000.0, 2000.0]");
  }

  @Test
  void sweepReplacesThatOfTheLoad() throws IOException {
    var results = Files.writeString(folder.resolve("load.json"), "{\"rate\": 1, \"sweep\": {}}");
    var log = Files.writeString(folder.resolve("2.log"), SUMMARY + "\n");

    EvaluationSweep.main(new String[] {results.toString(), "2:300:" + log});

    assertThat(results)
        .hasContent(
            "{\"rate\":1,\"sweep\":{\"2\":{\"operations\":600,\"seconds\":1.3333333333333333}}}");
  }
}
