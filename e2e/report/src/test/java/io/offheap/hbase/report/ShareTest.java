package io.offheap.hbase.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShareTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 10, 29})
  void sharesOfListHaveAllOfItOnce(int size) {
    var all = IntStream.range(0, size).boxed().toList();
    var found = new ArrayList<Integer>();
    for (int i = 1; i <= 3; i++) {
      found.addAll(new Share(i, 3).of(all));
    }
    assertThat(found).isEqualTo(all);
  }

  @Test
  void sharesAreOfAboutOneSize() {
    var all = IntStream.range(0, 10).boxed().toList();
    assertThat(List.of(1, 2, 3))
        .allSatisfy(i -> assertThat(new Share(i, 3).of(all)).hasSizeBetween(3, 4));
  }

  @Test
  void parsesWhichOfHowMany() throws IOException {
    assertThat(Share.parse("2/3")).isEqualTo(new Share(2, 3));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0/3", "4/3", "1/0", "1", "1/3/2", "-1/3", "a/b", "1/100"})
  void refusesAnotherText(String text) {
    assertThatThrownBy(() -> Share.parse(text))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("--share " + text)
        .hasMessageContaining("must be K/N");
  }
}
