package io.offheap.hbase.operator.cli;

import io.offheap.hbase.operator.plan.JvmFlags;
import io.offheap.hbase.operator.plan.JvmKeys;
import io.offheap.hbase.operator.plan.JvmOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The options of a JVM by name; of equal options the last one is effective, as in {@code java}. */
final class JvmLine {
  private static final Pattern SIZE = Pattern.compile("-X(?:m[snx]|ss)\\w+");

  private static final String LOG = "-" + JvmKeys.LOG + ":";

  private static final String UNLOCK = JvmKeys.UNLOCK_EXPERIMENTAL.name();

  /** A variable or a command that only a shell can evaluate. */
  private static final Pattern UNKNOWN = Pattern.compile("(?s).*(?:\\$\\{|\\$\\(|`).*");

  private static final Pattern UNKNOWN_SIZE = Pattern.compile("(?s)-(Xm[snx]|Xss)[$`\\w].*");

  private final Map<String, PlacedValue> options = new LinkedHashMap<>();
  private final Map<String, PlacedValue> unknown = new LinkedHashMap<>();
  private String locked;

  JvmLine(List<PlacedValue> line) {
    boolean unlocked = false;
    for (PlacedValue option : line) {
      var name = nameOf(option.value());
      unknown.remove(name);
      if (UNKNOWN.matcher(option.value()).matches()) {
        unknown.put(name, written(option));
        continue;
      }
      options.put(name, option);
      if (name.equals(UNLOCK)) {
        unlocked = option.value().equals("-XX:+" + UNLOCK);
      } else if (JvmFlags.OF_THE_IMAGE.isExperimental(name) && !unlocked && locked == null) {
        locked = name;
      }
    }
  }

  /** The effective options by name. */
  Map<String, PlacedValue> options() {
    return options;
  }

  /** The name of an option, even if only a shell can evaluate its size. */
  private static String nameOf(String option) {
    var size = UNKNOWN_SIZE.matcher(option);
    return size.matches() ? size.group(1) : JvmOption.nameOf(option);
  }

  private static PlacedValue written(PlacedValue option) {
    return new PlacedValue(option.value().replace(ShellWord.KEPT_BLANK, ' '), option.place());
  }

  /** Options whose values only a shell can evaluate, by name; other texts by themselves. */
  Map<String, PlacedValue> unknown() {
    return unknown;
  }

  /** Whether only a shell can evaluate an option. */
  boolean isUnknown(String name) {
    return unknown.containsKey(name);
  }

  /** The first option that is not unlocked by an option before it. */
  Optional<String> locked() {
    return Optional.ofNullable(locked);
  }

  /** The place of an option; empty where it is not set. */
  Optional<PlacedValue> find(String name) {
    return Optional.ofNullable(options.get(name));
  }

  /** The value of an option: {@code true} or {@code false} of a switch. */
  Optional<String> value(String name) {
    return find(name).map(PlacedValue::value).map(JvmLine::valueOf);
  }

  /** The value of a text that may be a JVM option or a property's value. */
  static String shown(String text) {
    return text.startsWith("-") ? valueOf(text) : text;
  }

  static String valueOf(String option) {
    if (option.startsWith("-XX:+") || option.startsWith("-XX:-")) {
      return Boolean.toString(option.startsWith("-XX:+"));
    }
    if (SIZE.matcher(option).matches()) {
      return option.substring(1 + JvmKeys.HEAP.name().length());
    }
    if (option.startsWith(LOG)) {
      return option.substring(LOG.length());
    }
    int equals = option.indexOf('=');
    return equals < 0 ? "" : option.substring(equals + 1);
  }

  /** An option with this value for {@code java}. */
  static String text(String name, String value) {
    if (name.startsWith("Xm")) {
      return "-" + name + value;
    }
    if (name.equals(JvmKeys.LOG.name())) {
      return LOG + value;
    }
    if (name.contains(".")) {
      return "-D" + name + "=" + value;
    }
    return switch (value) {
      case "true" -> "-XX:+" + name;
      case "false" -> "-XX:-" + name;
      default -> "-XX:" + name + "=" + value;
    };
  }
}
