package io.offheap.hbase.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BinaryTest {
  @Test
  void everyByteThatIsWrittenIsReadBack() {
    var all = new byte[256];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) i;
    }

    assertThat(Binary.parse(Binary.text(all))).isEqualTo(all);
  }

  @Test
  void escapesAreThoseOfHBase() {
    assertThat(Binary.text(new byte[] {'a', 0, (byte) 0xff, '\\', '~', ' '}))
        .isEqualTo("a\\x00\\xFF\\x5C~ ");
    assertThat(Binary.parse("a\\x00\\xfF\\x5c~ "))
        .isEqualTo(new byte[] {'a', 0, (byte) 0xff, '\\', '~', ' '});
  }

  @Test
  void otherCharactersAreTheirBytesInUtf8() {
    assertThat(Binary.parse("é€\\x01")).isEqualTo("é€\u0001".getBytes(UTF_8));
  }

  @Test
  void emptyTextIsNoByte() {
    assertThat(Binary.parse("")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"\\", "a\\x", "a\\x0", "a\\x0g", "\\n", "\\\\", "\\X00"})
  void refusesABackslashThatBeginsNoEscape(String text) {
    assertThatThrownBy(() -> Binary.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("two hexadecimal digits")
        .hasMessageContaining("at character " + (text.indexOf('\\') + 1));
  }
}
