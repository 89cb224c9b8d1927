package io.offheap.hbase.loadgen;

import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.ParseException;

/** Numbers on a command line. */
final class Numbers {
  private Numbers() {}

  /**
   * Returns an option's number.
   *
   * @throws ParseException if it is no number from {@code least} to {@code most}
   */
  static long of(CommandLine line, String option, long defaultValue, long least, long most)
      throws ParseException {
    String text = line.getOptionValue(option);
    if (text == null) {
      return defaultValue;
    }
    try {
      long number = Long.parseLong(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Falls through to the same message as a number that is out of range.
    }
    throw new ParseException("--%s: %s is no number from %d".formatted(option, text, least));
  }
}
