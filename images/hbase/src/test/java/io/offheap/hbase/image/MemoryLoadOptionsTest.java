package io.offheap.hbase.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.apache.commons.cli.ParseException;
import org.junit.jupiter.api.Test;

class MemoryLoadOptionsTest {
  @Test
  void whatIsLeftOutHasADefault() throws ParseException {
    assertThat(MemoryLoadOptions.parse("--rows", "5", "--writers", "3"))
        .isEqualTo(new MemoryLoadOptions("offheap_verification", 5, 1_000, 60, 1, 3, 1_000, 8, 4));
  }

  @Test
  void aWordInPlaceOfANumberIsRefused() {
    assertThatExceptionOfType(ParseException.class)
        .isThrownBy(() -> MemoryLoadOptions.parse("--seconds", "long"))
        .withMessage("--seconds: long is no number");
  }
}
