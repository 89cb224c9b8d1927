package io.offheap.hbase.operator.cli;

import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** A word of a shell script with its quotes and variables. */
final class ShellWord {
  private static final Pattern PLAIN =
      Pattern.compile("\\$(?:([A-Za-z_]\\w*)|\\{([A-Za-z_]\\w*)})");
  private static final Pattern CHOICE = Pattern.compile("\\$\\{([A-Za-z_]\\w*)(:?[-+])([^{}]*)}");

  /** A blank within an option. */
  static final char KEPT_BLANK = '\u00a0';

  private final String text;
  private UnaryOperator<String> variables = UnaryOperator.identity();
  private int position;

  ShellWord(String text) {
    this.text = text;
  }

  /**
   * The word as passed to a command, except parts that only a shell can evaluate.
   *
   * @param values values of variables; {@code ${NAME}} for an unknown one
   */
  String expand(UnaryOperator<String> values) {
    variables = values;
    position = 0;
    var expanded = new StringBuilder();
    boolean quoted = false;
    while (position < text.length()) {
      char next = text.charAt(position);
      if (next == '"') {
        quoted = !quoted;
        position++;
      } else if (next == '\'' && !quoted) {
        int end = Math.max(position + 1, text.indexOf('\'', position + 1));
        expanded.append(text, position + 1, end);
        position = end + 1;
      } else if (next == '\\') {
        expanded.append(escaped(quoted));
      } else if (next == '$') {
        expanded.append(variable());
      } else if (next == '`') {
        int end = text.indexOf('`', position + 1);
        expanded.append(kept(end < 0 ? text.length() : end + 1));
      } else {
        expanded.append(next);
        position++;
      }
    }
    return expanded.toString();
  }

  private String escaped(boolean quoted) {
    var next = position + 1 < text.length() ? text.substring(position + 1, position + 2) : "";
    position += 2;
    return quoted && !"$`\"\\".contains(next) ? "\\" + next : next;
  }

  private String variable() {
    var plain = PLAIN.matcher(text).region(position, text.length());
    if (plain.lookingAt()) {
      position = plain.end();
      return variables.apply(plain.group(1) == null ? plain.group(2) : plain.group(1));
    }
    var choice = CHOICE.matcher(text).region(position, text.length());
    if (choice.lookingAt()) {
      position = choice.end();
      var value = variables.apply(choice.group(1));
      boolean isSet = !value.isEmpty() && !value.equals("${" + choice.group(1) + "}");
      var other = new ShellWord(choice.group(3)).expand(variables);
      if (choice.group(2).endsWith("+")) {
        return isSet ? other : "";
      }
      return isSet ? value : other;
    }
    if (text.startsWith("$(", position) || text.startsWith("${", position)) {
      return kept(closing());
    }
    position++;
    return "$";
  }

  /** A part that only a shell can evaluate stays as written, in one piece. */
  private String kept(int end) {
    var written = text.substring(position, end);
    position = end;
    return written.replaceAll("\\s", Character.toString(KEPT_BLANK));
  }

  private int closing() {
    char opening = text.charAt(position + 1);
    char closing = opening == '(' ? ')' : '}';
    int depth = 0;
    for (int end = position + 1; end < text.length(); end++) {
      depth += text.charAt(end) == opening ? 1 : text.charAt(end) == closing ? -1 : 0;
      if (depth == 0) {
        return end + 1;
      }
    }
    return text.length();
  }
}
