package io.offheap.hbase.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PropertyTextsTest {
  @ParameterizedTest
  @CsvSource({
    "a\ud800, b",
    "a, \udc00b",
    // Half a pair each, and one pair when joined.
    "a\ud800, \udc00b",
    "a\u0001a, b",
    "a, \ufffe",
  })
  void refusesTextsThatNoFileCanHold(String key, String value) {
    assertThat(PropertyTexts.problem(key, value))
        .hasValueSatisfying(it -> assertThat(it).contains("half a surrogate pair"));
  }

  @ParameterizedTest
  @CsvSource({"a, b", "a\ud83d\ude00, \ud83d\ude00"})
  void permitsOthers(String key, String value) {
    assertThat(PropertyTexts.problem(key, value)).isEmpty();
  }
}
