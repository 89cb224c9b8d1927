package io.offheap.hbase.loadgen;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;

/**
 * What to load, and for how long.
 *
 * @param table name of the table, made where it does not exist
 * @param regions number of regions that the table is made with
 * @param threads client threads; each has its own share of the rows
 * @param rows number of rows; once they exist, they are written again and again
 * @param valueBytes size of each value
 * @param operations puts and Gets that are made at least
 * @param until a file without which the load does not end; empty where the operations alone decide
 * @param rate operations a second that are not exceeded; 0 for as many as go
 * @param keep whether to leave the table in place at the end
 */
@RecordBuilder
record LoadOptions(
    String table,
    int regions,
    int threads,
    int rows,
    int valueBytes,
    long operations,
    Optional<Path> until,
    int rate,
    boolean keep) {

  static final String USAGE =
      "load [--operations N] [--until FILE] [--rate N] [--threads T] [--rows N]"
          + " [--value-size BYTES] [--table NAME] [--regions R] [--keep]";

  /** A value starts with its row and version. */
  static final int LEAST_VALUE_BYTES = 16;

  /**
   * Reads the command line.
   *
   * @throws ParseException if an argument is unknown, or a number is none or out of range
   */
  static LoadOptions parse(String... args) throws ParseException {
    CommandLine line = new DefaultParser(false).parse(declared(), args);
    if (!line.getArgList().isEmpty()) {
      throw new ParseException("unknown: " + line.getArgList());
    }
    var options =
        LoadOptionsBuilder.builder()
            .table(line.getOptionValue("table", "offheap_load"))
            .regions((int) Numbers.of(line, "regions", 30, 1, 10_000))
            .threads((int) Numbers.of(line, "threads", 12, 1, 1_000))
            .rows((int) Numbers.of(line, "rows", 50_000, 1, 100_000_000))
            .valueBytes((int) Numbers.of(line, "value-size", 200, LEAST_VALUE_BYTES, 10 << 20))
            .operations(Numbers.of(line, "operations", 1_000_000, 0, Long.MAX_VALUE))
            .until(Optional.ofNullable(line.getOptionValue("until")).map(Path::of))
            .rate((int) Numbers.of(line, "rate", 0, 0, 1_000_000))
            .keep(line.hasOption("keep"))
            .build();
    if (options.rows < options.threads) {
      throw new ParseException("--rows: each thread needs one of its own");
    }
    return options;
  }

  private static Options declared() {
    return new Options()
        .addOption(null, "table", true, null)
        .addOption(null, "regions", true, null)
        .addOption(null, "threads", true, null)
        .addOption(null, "rows", true, null)
        .addOption(null, "value-size", true, null)
        .addOption(null, "operations", true, null)
        .addOption(null, "until", true, null)
        .addOption(null, "rate", true, null)
        .addOption(null, "keep", false, null);
  }
}
