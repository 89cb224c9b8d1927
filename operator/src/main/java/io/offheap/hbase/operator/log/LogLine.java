package io.offheap.hbase.operator.log;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One line of the log as {@code key=value} pairs, {@code event} first. A value that is not a plain
 * word is in quotes, with its quotes and control characters escaped: what a server or a person has
 * written never begins another line. A value is cut at {@value #LONGEST} characters.
 */
public final class LogLine {
  private static final int LONGEST = 2_000;

  private final Map<String, String> pairs = new LinkedHashMap<>();

  private LogLine(String event) {
    with("event", event);
  }

  /**
   * A line about something that happened.
   *
   * @param event what happened, as an upper camel case word
   */
  public static LogLine of(String event) {
    return new LogLine(event);
  }

  /** The same of one cluster. */
  public LogLine cluster(String namespace, String name) {
    return with("namespace", namespace).with("cluster", name);
  }

  /** One more pair; null is an empty value. */
  public LogLine with(String key, Object value) {
    pairs.put(key, value == null ? "" : value.toString());
    return this;
  }

  @Override
  public String toString() {
    return pairs.entrySet().stream()
        .map(it -> it.getKey() + "=" + text(it.getValue()))
        .collect(Collectors.joining(" "));
  }

  private static String text(String value) {
    if (!value.isEmpty() && value.length() <= LONGEST && value.chars().allMatch(LogLine::isPlain)) {
      return value;
    }
    var text = new StringBuilder("\"");
    value.chars().limit(LONGEST).forEach(it -> append(text, (char) it));
    return text.append(value.length() > LONGEST ? "...\"" : "\"").toString();
  }

  private static boolean isPlain(int character) {
    return character > ' '
        && character < 127
        && character != '"'
        && character != '='
        && character != '\\';
  }

  private static void append(StringBuilder text, char character) {
    switch (character) {
      case '"' -> text.append("\\\"");
      case '\\' -> text.append("\\\\");
      case '\n' -> text.append("\\n");
      default -> {
        // Line separators of Unicode and what turns the direction of text are among these.
        if (Character.isISOControl(character)
            || Character.getType(character) == Character.FORMAT
            || Character.getType(character) == Character.LINE_SEPARATOR
            || Character.getType(character) == Character.PARAGRAPH_SEPARATOR) {
          text.append(String.format("\\u%04x", (int) character));
        } else {
          text.append(character);
        }
      }
    }
  }
}
