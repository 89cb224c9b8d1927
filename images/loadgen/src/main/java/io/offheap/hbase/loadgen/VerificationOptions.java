package io.offheap.hbase.loadgen;

import java.util.List;
import java.util.Locale;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;

/**
 * What to verify.
 *
 * @param mode which of the two passes to make
 * @param table name of the table, made where it does not exist
 * @param rows number of rows
 * @param valueBytes size of each value
 * @param threads number of client threads
 * @param regions number of regions that the table is made with
 * @param blockBytes {@code BLOCKSIZE} that the table is made with
 * @param keep whether to leave the table in place at the end
 */
record VerificationOptions(
    Mode mode,
    String table,
    long rows,
    int valueBytes,
    int threads,
    int regions,
    int blockBytes,
    boolean keep) {

  static final String USAGE =
      "verify [write|read|all] [--rows N] [--value-size BYTES] [--threads T] [--table NAME]"
          + " [--regions R] [--block-size BYTES] [--keep]";

  /** Which passes a run makes. */
  enum Mode {
    WRITE,
    READ,
    ALL;

    boolean writes() {
      return this != READ;
    }

    boolean reads() {
      return this != WRITE;
    }
  }

  /**
   * Reads the command line.
   *
   * @throws ParseException if an argument is unknown, or a number is none or too small
   */
  static VerificationOptions parse(String... args) throws ParseException {
    CommandLine line = new DefaultParser(false).parse(declared(), args);
    List<String> words = line.getArgList();
    if (words.size() > 1) {
      throw new ParseException("one of write, read, all: " + words);
    }
    return new VerificationOptions(
        words.isEmpty() ? Mode.ALL : mode(words.get(0)),
        line.getOptionValue("table", "offheap_verification"),
        Numbers.of(line, "rows", 100_000, 1, Long.MAX_VALUE),
        (int) Numbers.of(line, "value-size", 1_000, 1, 10 << 20),
        (int) Numbers.of(line, "threads", 8, 1, 1_000),
        (int) Numbers.of(line, "regions", 4, 1, 10_000),
        (int) Numbers.of(line, "block-size", 65536, 1024, 64 << 20),
        line.hasOption("keep"));
  }

  private static Options declared() {
    return new Options()
        .addOption(null, "rows", true, null)
        .addOption(null, "value-size", true, null)
        .addOption(null, "threads", true, null)
        .addOption(null, "table", true, null)
        .addOption(null, "regions", true, null)
        .addOption(null, "block-size", true, null)
        .addOption(null, "keep", false, null);
  }

  private static Mode mode(String word) throws ParseException {
    try {
      return Mode.valueOf(word.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new ParseException("one of write, read, all: " + word);
    }
  }
}
