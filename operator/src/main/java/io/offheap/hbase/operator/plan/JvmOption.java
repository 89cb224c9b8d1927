package io.offheap.hbase.operator.plan;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A JVM option taken apart, so that two spellings of one option are known as one.
 *
 * @param name HotSpot's own name of the flag, {@code Xmx}, {@code Xms}, or the system property's
 *     name
 * @param value its value; {@code true} or {@code false} for a switch
 * @param text the option as given to {@code java}
 */
record JvmOption(String name, String value, String text) {
  private static final Pattern SWITCH = Pattern.compile("-XX:([+-])(\\w+)");
  private static final Pattern FLAG = Pattern.compile("-XX:(\\w+)=(\\S+)");
  private static final Pattern SIZE = Pattern.compile("-(Xm[snx]|Xss)(\\w+)");
  private static final Pattern PROPERTY = Pattern.compile("-D([^=\\s]+)(?:=(.*))?");
  private static final Pattern LOG = Pattern.compile("-(Xlog|Xloggc):(\\S+)");
  private static final Pattern OTHER =
      Pattern.compile("(-X\\w\\S*|--add-(?:opens|exports|modules|reads)=\\S+|-ea\\S*|-da\\S*)");

  static Optional<JvmOption> parse(String text) {
    Matcher match = SWITCH.matcher(text);
    if (match.matches()) {
      var on = Boolean.toString(match.group(1).equals("+"));
      return Optional.of(new JvmOption(match.group(2), on, text));
    }
    for (Pattern keyAndValue : new Pattern[] {FLAG, SIZE, LOG}) {
      match = keyAndValue.matcher(text);
      if (match.matches()) {
        return Optional.of(new JvmOption(match.group(1), match.group(2), text));
      }
    }
    match = PROPERTY.matcher(text);
    if (match.matches()) {
      var value = match.group(2) == null ? "" : match.group(2);
      return Optional.of(new JvmOption(match.group(1), value, text));
    }
    return OTHER.matcher(text).matches()
        ? Optional.of(new JvmOption(text, "", text))
        : Optional.empty();
  }

  /** The option of a flag, switch or size as given to {@code java}. */
  static String text(String name, String value) {
    if (value.equals("true") || value.equals("false")) {
      return "-XX:" + (value.equals("true") ? "+" : "-") + name;
    }
    if (name.startsWith("Xm") || name.equals("Xss")) {
      return "-" + name + value;
    }
    if (name.equals("Xlog")) {
      return "-Xlog:" + value;
    }
    if (name.startsWith("-")) {
      return name;
    }
    return name.contains(".") ? "-D" + name + "=" + value : "-XX:" + name + "=" + value;
  }
}
