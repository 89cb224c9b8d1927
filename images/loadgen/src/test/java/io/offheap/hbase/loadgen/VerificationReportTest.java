package io.offheap.hbase.loadgen;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VerificationReportTest {

  @Test
  void isOneLineOfJson() {
    assertThat(new VerificationReport("t", 3, 2, 1, 0, 1.5, 0.25).toJson())
        .isEqualTo(
            "{\"table\":\"t\",\"rowsWritten\":3,\"rowsRead\":2,\"wrong\":1,\"missing\":0,"
                + "\"writeSeconds\":1.500,\"readSeconds\":0.250}");
  }

  @Test
  void oneMissingRowIsEnoughToFail() {
    assertThat(new VerificationReport("t", 3, 3, 0, 0, 1, 1).allRight()).isTrue();
    assertThat(new VerificationReport("t", 3, 3, 0, 1, 1, 1).allRight()).isFalse();
    assertThat(new VerificationReport("t", 3, 3, 1, 0, 1, 1).allRight()).isFalse();
  }
}
