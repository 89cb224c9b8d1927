package io.offheap.hbase.loadgen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offheap.hbase.loadgen.VerificationOptions.Mode;
import org.apache.commons.cli.ParseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VerificationOptionsTest {

  @Test
  void usesDefaults() throws ParseException {
    assertThat(VerificationOptions.parse())
        .isEqualTo(
            new VerificationOptions(
                Mode.ALL, "offheap_verification", 100_000, 1_000, 8, 4, 65_536, false));
  }

  @Test
  void modeMayStandBeforeOrBehindTheOptions() throws ParseException {
    assertThat(VerificationOptions.parse("write", "--keep", "--rows", "5"))
        .isEqualTo(VerificationOptions.parse("--rows", "5", "--keep", "write"))
        .extracting(VerificationOptions::mode, VerificationOptions::rows, VerificationOptions::keep)
        .containsExactly(Mode.WRITE, 5L, true);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"scan", "write read", "--rows", "--rows 0", "--rows x", "--threads -1", "--row 5"})
  void nonsenseIsRefused(String line) {
    assertThatThrownBy(() -> VerificationOptions.parse(line.split(" ")))
        .isInstanceOf(ParseException.class);
  }
}
