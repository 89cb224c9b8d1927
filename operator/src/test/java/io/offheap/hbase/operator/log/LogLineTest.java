package io.offheap.hbase.operator.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LogLineTest {
  @Test
  void keepsOrderOfPairs() {
    assertThat(LogLine.of("Draining").cluster("shop", "demo").with("regions", 7))
        .hasToString("event=Draining namespace=shop cluster=demo regions=7");
  }

  @Test
  void quotesValueThatIsNoPlainWord() {
    assertThat(line("two words")).isEqualTo("v=\"two words\"");
    assertThat(line("a=b")).isEqualTo("v=\"a=b\"");
    assertThat(line("")).isEqualTo("v=\"\"");
    assertThat(line(null)).isEqualTo("v=\"\"");
    assertThat(line("\"\\")).isEqualTo("v=\"\\\"\\\\\"");
    assertThat(line("größer")).isEqualTo("v=\"größer\"");
  }

  @Test
  void escapesLineEnds() {
    assertThat(line("a\nb\rc\u2028d\u0085e\u001b[31m\u202e"))
        .isEqualTo("v=\"a\\nb\\u000dc\\u2028d\\u0085e\\u001b[31m\\u202e\"");
  }

  @Test
  void cutsLongValue() {
    assertThat(line("x".repeat(2_000))).hasSize(2_002);
    assertThat(line("x".repeat(2_001))).hasSize(2_007).endsWith("xx...\"");
  }

  private static String line(String value) {
    return LogLine.of("E").with("v", value).toString().substring("event=E ".length());
  }
}
