package io.offheap.hbase.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import org.apache.hadoop.hbase.util.Bytes;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Bytes as text, as HBase's {@code Bytes.toStringBinary} writes them: printable ASCII as it is,
 * each other byte and the backslash as {@code \xHH}. What is written can be read back.
 */
final class Binary {
  private final byte[] bytes;

  private Binary(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Not a copy. */
  byte[] bytes() {
    return bytes;
  }

  @Override
  public String toString() {
    return text(bytes);
  }

  static String text(byte[] bytes) {
    return Bytes.toStringBinary(bytes);
  }

  static String text(byte[] bytes, int offset, int length) {
    return Bytes.toStringBinary(bytes, offset, length);
  }

  /**
   * Characters are their bytes in UTF-8; {@code Bytes.toBytesBinary} would keep the low byte of
   * each only, and would take a misspelt escape for text.
   *
   * @throws IllegalArgumentException if a backslash does not begin {@code \xHH}
   */
  static byte[] parse(String text) {
    var bytes = new ByteArrayOutputStream(text.length());
    int at = 0;
    while (at < text.length()) {
      int backslash = text.indexOf('\\', at);
      int end = backslash < 0 ? text.length() : backslash;
      bytes.writeBytes(text.substring(at, end).getBytes(UTF_8));
      at = end;
      if (backslash >= 0) {
        bytes.write(escaped(text, backslash));
        at = backslash + 4;
      }
    }
    return bytes.toByteArray();
  }

  private static int escaped(String text, int at) {
    if (at + 4 <= text.length() && text.charAt(at + 1) == 'x') {
      int high = Character.digit(text.charAt(at + 2), 16);
      int low = Character.digit(text.charAt(at + 3), 16);
      if (high >= 0 && low >= 0) {
        return high * 16 + low;
      }
    }
    throw new IllegalArgumentException(
        "must have two hexadecimal digits after each \\x, and a backslash as \\x5C (at character "
            + (at + 1)
            + ")");
  }

  /** For arguments of picocli, which takes an array of bytes for a list of numbers. */
  static final class Converter implements ITypeConverter<Binary> {
    @Override
    public Binary convert(String value) {
      try {
        return new Binary(parse(value));
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
