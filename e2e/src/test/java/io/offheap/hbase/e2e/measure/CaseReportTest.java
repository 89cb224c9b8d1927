package io.offheap.hbase.e2e.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.e2e.measure.CaseReport.Part;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CaseReportTest {
  @Test
  void aPlanUpToFivePercentOverHolds() {
    assertThat(report(1049, 0, 1000).holds()).isTrue();
    assertThat(report(1051, 0, 1000).holds()).isFalse();
  }

  @Test
  void aPlanThatIsExceededDoesNotHold() {
    assertThat(report(999, 0, 1000).holds()).isFalse();
  }

  @Test
  void whatIsLeftOfTheReserveIsNotAnError() {
    var report = report(1100, 90, 1000);

    assertThat(report.predictedInUse()).isEqualTo(1020);
    assertThat(report.holds()).isTrue();
  }

  /** Ten of the reserve are used. */
  private static CaseReport report(long predicted, long reserve, long measured) {
    var same = new Part("same", 1, 1);
    return new CaseReport(
        "case",
        new Part("container", predicted, measured),
        List.of(new Part(Measurement.RESERVE, reserve, 10)),
        Map.of(),
        same,
        same,
        same,
        Map.of());
  }
}
