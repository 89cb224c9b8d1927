package io.offheap.hbase.operator.log;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One line of the log as {@code key=value} pairs, {@code event} first. A value that is not a plain
 * word is quoted, with its quotes and control characters escaped, so that text of a server or a
 * user never begins another line. A value is cut at {@value #LONGEST} characters.
 */
public final class LogLine {
  private static final int LONGEST = 2_000;

  private final Map<String, String> pairs = new LinkedHashMap<>();

  private LogLine(String event) {
    with("event", event);
  }

  /**
   * Creates a line about an event.
   *
   * @param event name of the event, in upper camel case
   */
  public static LogLine of(String event) {
    return new LogLine(event);
  }

  /** Adds namespace and name of a cluster. */
  public LogLine cluster(String namespace, String name) {
    return with("namespace", namespace).with("cluster", name);
  }

  /** Adds a pair; null is an empty value. */
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
        // Line separators of Unicode and direction controls are among these.
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
