package io.offheap.hbase.operator.plan;

import java.util.Optional;

/** Checks names and values of declared properties, independent of their meaning. */
public final class PropertyTexts {
  /** The bound of the resource's schema; no process accepts an argument of 128 KiB. */
  static final int LONGEST = 8192;

  private PropertyTexts() {}

  /** Whether a text can be the name of a property. */
  public static boolean isName(String key) {
    return !key.isEmpty() && key.chars().noneMatch(Character::isWhitespace);
  }

  /**
   * Why a property cannot be in a configuration file: its name, else its value; empty where it can.
   */
  public static Optional<String> problem(String key, String value) {
    if (!isName(key)) {
      return Optional.of("'" + key + "' is not a property; must be a name without spaces");
    }
    if (value.isEmpty()) {
      return Optional.of(
          "is empty, which Hadoop reads as not set; must have a value, or be left out");
    }
    if (key.length() > LONGEST || value.length() > LONGEST) {
      return Optional.of(
          Math.max(key.length(), value.length())
              + " characters are too many; must be at most "
              + LONGEST);
    }
    // Each by itself: half a pair at the end of one and at the start of the other would be a pair.
    if (!isXml(key) || !isXml(value)) {
      return Optional.of(
          "has a control character or half a surrogate pair; must be printable text, tabs and"
              + " line ends");
    }
    return Optional.empty();
  }

  private static boolean isXml(String text) {
    return text.codePoints().allMatch(Texts::isXml);
  }
}
