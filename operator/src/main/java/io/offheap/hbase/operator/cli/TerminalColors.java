package io.offheap.hbase.operator.cli;

/**
 * Texts in a terminal's colours.
 *
 * @param isOn whether to use them; without, a text stays as it is
 */
record TerminalColors(boolean isOn) {
  String bold(String text) {
    return colored("1", text);
  }

  String green(String text) {
    return colored("32", text);
  }

  String yellow(String text) {
    return colored("33", text);
  }

  String red(String text) {
    return colored("31", text);
  }

  /** The line end is not coloured, else a terminal colours the next line. */
  private String colored(String code, String text) {
    if (!isOn) {
      return text;
    }
    var line = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    return "\u001b[" + code + "m" + line + "\u001b[0m" + text.substring(line.length());
  }
}
