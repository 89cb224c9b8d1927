package io.offheap.hbase.loadgen;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.loadgen.LoadReport.Figures;
import io.offheap.hbase.loadgen.LoadReport.Verdicts;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LoadReportTest {
  private static final Figures FIGURES =
      new Figures(5, 0, 0.5, 2, 3.25, 1234.56, Instant.parse("2026-01-01T00:00:01.5Z"), 7);
  private static final Figures ONE_FAILED =
      new Figures(5, 1, 0.5, 2, 3.25, 1234.56, Instant.EPOCH, 7);

  @Test
  void isOneLineOfJson() {
    var figures =
        "{\"done\":5,\"failed\":0,\"p50Millis\":0.500,\"p99Millis\":2.000,\"p999Millis\":3.250,"
            + "\"slowestMillis\":1234.6,\"slowestAt\":\"2026-01-01T00:00:01.500Z\","
            + "\"slowestRow\":7}";
    assertThat(report(FIGURES, FIGURES, new Verdicts(1, 2, 3)).toJson())
        .isEqualTo(
            "{\"table\":\"t\",\"operations\":10,\"failed\":0,\"wrong\":1,\"stale\":2,\"missing\":3,"
                + "\"rows\":4,\"seconds\":1.500,\"puts\":"
                + figures
                + ",\"gets\":"
                + figures
                + "}");
  }

  @Test
  void oneBadOutcomeIsEnoughToFail() {
    var right = new Verdicts(0, 0, 0);
    assertThat(report(FIGURES, FIGURES, right).allRight()).isTrue();
    assertThat(report(ONE_FAILED, FIGURES, right).allRight()).isFalse();
    assertThat(report(FIGURES, ONE_FAILED, right).allRight()).isFalse();
    assertThat(report(FIGURES, FIGURES, new Verdicts(1, 0, 0)).allRight()).isFalse();
    assertThat(report(FIGURES, FIGURES, new Verdicts(0, 1, 0)).allRight()).isFalse();
    assertThat(report(FIGURES, FIGURES, new Verdicts(0, 0, 1)).allRight()).isFalse();
  }

  private static LoadReport report(Figures puts, Figures gets, Verdicts verdicts) {
    return new LoadReport("t", 1.5, 4, puts, gets, verdicts);
  }
}
