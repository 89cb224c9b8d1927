package io.offheap.hbase.loadgen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.Optional;
import org.apache.commons.cli.ParseException;
import org.junit.jupiter.api.Test;

class MemoryLoadOptionsTest {
  @Test
  void whatIsLeftOutHasADefault() throws ParseException {
    assertThat(MemoryLoadOptions.parse("--rows", "5", "--writers", "3"))
        .isEqualTo(
            new MemoryLoadOptions(
                "offheap_verification",
                5,
                1_000,
                60,
                Optional.empty(),
                1,
                3,
                1_000,
                8,
                200,
                4,
                50,
                0));
  }

  @Test
  void eachOptionIsRead() throws ParseException {
    assertThat(
            MemoryLoadOptions.parse(
                "--table=t",
                "--rows=1",
                "--value-size=2",
                "--seconds=3",
                "--until=/tmp/stop",
                "--connections=4",
                "--writers=5",
                "--put-rows=6",
                "--getters=7",
                "--get-rows=8",
                "--scanners=9",
                "--past-caches=10",
                "--pause-millis=11"))
        .isEqualTo(
            new MemoryLoadOptions(
                "t", 1, 2, 3, Optional.of(Path.of("/tmp/stop")), 4, 5, 6, 7, 8, 9, 10, 11));
  }

  @Test
  void aWordInPlaceOfANumberIsRefused() {
    assertThatExceptionOfType(ParseException.class)
        .isThrownBy(() -> MemoryLoadOptions.parse("--seconds", "long"))
        .withMessage("--seconds: long is no number");
  }
}
