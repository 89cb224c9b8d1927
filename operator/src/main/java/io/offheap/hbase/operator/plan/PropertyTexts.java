package io.offheap.hbase.operator.plan;

import java.util.Optional;

/** Names and values of declared properties, before anything is known of what they mean. */
public final class PropertyTexts {
  /** As the resource's schema has it; no process takes an argument of 128 KiB. */
  static final int LONGEST = 8192;

  private PropertyTexts() {}

  /** Whether a text can be the name of a property. */
  public static boolean isName(String key) {
    return !key.isEmpty() && key.chars().noneMatch(Character::isWhitespace);
  }

  /** Why a property cannot be in a file of configuration; its value, where its name can be one. */
  public static Optional<String> problem(String key, String value) {
    if (!isName(key)) {
      return Optional.of("'" + key + "' is not a property; a name without spaces is right");
    }
    if (value.isEmpty()) {
      return Optional.of(
          "is empty, which Hadoop reads as not set; a value is right, or no such property");
    }
    if (key.length() > LONGEST || value.length() > LONGEST) {
      return Optional.of(
          Math.max(key.length(), value.length())
              + " characters are too many; at most "
              + LONGEST
              + " are right");
    }
    if (!(key + value).codePoints().allMatch(Texts::isXml)) {
      return Optional.of(
          "has a control character or half a surrogate pair; hbase-site.xml can hold printable"
              + " text, tabs and line ends");
    }
    return Optional.empty();
  }
}
