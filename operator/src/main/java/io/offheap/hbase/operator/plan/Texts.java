package io.offheap.hbase.operator.plan;

/** Declared texts in files and in messages. */
public final class Texts {
  private Texts() {}

  /**
   * Whether a character is a Char of XML 1.0, without the carriage return, which parsers convert.
   */
  static boolean isXml(int codePoint) {
    return codePoint == '\t'
        || codePoint == '\n'
        || (codePoint >= ' ' && codePoint <= 0xD7FF)
        || (codePoint >= 0xE000 && codePoint <= 0xFFFD)
        || codePoint >= 0x10000;
  }

  /** Whether a character may be part of a word on one line. */
  static boolean isInWord(int codePoint) {
    return isXml(codePoint)
        && !Character.isWhitespace(codePoint)
        && !Character.isSpaceChar(codePoint)
        && !Character.isISOControl(codePoint);
  }

  /**
   * A text for a message: on one line, without control characters and halves of surrogate pairs.
   * The middle of a long text is left out, since its end states what a value must be.
   *
   * @param most characters, at least 100
   */
  public static String shown(String text, int most) {
    var line = text;
    if (text.length() > most) {
      int tail = most / 3;
      var middle = "... (" + text.length() + " characters) ...";
      line =
          text.substring(0, most - tail - middle.length())
              + middle
              + text.substring(text.length() - tail);
    }
    if (line.codePoints().allMatch(Texts::isShown)) {
      return line;
    }
    var escaped = new StringBuilder();
    line.codePoints()
        .forEach(
            codePoint -> {
              if (isShown(codePoint)) {
                escaped.appendCodePoint(codePoint);
              } else {
                escaped.append(String.format("\\u%04x", codePoint));
              }
            });
    return escaped.toString();
  }

  /** The first characters of a text, without half a surrogate pair. */
  public static String cut(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    return text.substring(0, Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most);
  }

  private static boolean isShown(int codePoint) {
    return isXml(codePoint) && !Character.isISOControl(codePoint);
  }
}
