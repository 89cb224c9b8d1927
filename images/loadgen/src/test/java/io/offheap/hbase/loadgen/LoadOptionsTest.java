package io.offheap.hbase.loadgen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Optional;
import org.apache.commons.cli.ParseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadOptionsTest {
  @Test
  void usesDefaults() throws ParseException {
    assertThat(LoadOptions.parse())
        .isEqualTo(
            new LoadOptions(
                "offheap_load", 30, 12, 50_000, 200, 1_000_000, Optional.empty(), 0, false));
  }

  @Test
  void aFileMayEndIt() throws ParseException {
    assertThat(LoadOptions.parse("--until", "/tmp/stop", "--operations", "0").until())
        .contains(Path.of("/tmp/stop"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"all", "--threads 0", "--value-size 15", "--rows 3 --threads 4", "--rate x"})
  void nonsenseIsRefused(String line) {
    assertThatThrownBy(() -> LoadOptions.parse(line.split(" "))).isInstanceOf(ParseException.class);
  }
}
