package io.offheap.hbase.loadgen;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;

/**
 * What to load, and how hard.
 *
 * @param table name of the table that a verification wrote
 * @param rows how many rows it has
 * @param valueBytes size of each value
 * @param seconds how long
 * @param until a file that ends it sooner
 * @param connections the threads share them
 * @param writers threads that put
 * @param putRows rows in each of their requests
 * @param getters threads that get many rows at once
 * @param getRows rows in each of their requests
 * @param scanners threads that scan
 * @param pastCachesPercent how many requests of a hundred keep the blocks that they read out of the
 *     caches; with 100, what they have of the table is thrown out at the start
 * @param pauseMillis how long each thread waits between its requests
 */
@RecordBuilder
record MemoryLoadOptions(
    String table,
    long rows,
    int valueBytes,
    int seconds,
    Optional<Path> until,
    int connections,
    int writers,
    int putRows,
    int getters,
    int getRows,
    int scanners,
    int pastCachesPercent,
    int pauseMillis) {

  /** Whether every read is to go past the caches. */
  boolean isNothingCached() {
    return pastCachesPercent == 100;
  }

  /**
   * Reads the command line.
   *
   * @throws ParseException if an argument is unknown or no number
   */
  static MemoryLoadOptions parse(String... args) throws ParseException {
    var declared = new Options();
    for (String name :
        new String[] {
          "table",
          "rows",
          "value-size",
          "seconds",
          "connections",
          "writers",
          "put-rows",
          "until",
          "getters",
          "get-rows",
          "scanners",
          "past-caches",
          "pause-millis"
        }) {
      declared.addOption(null, name, true, null);
    }
    CommandLine line = new DefaultParser(false).parse(declared, args);
    return MemoryLoadOptionsBuilder.builder()
        .table(line.getOptionValue("table", "offheap_verification"))
        .rows(number(line, "rows", 100_000))
        .valueBytes((int) number(line, "value-size", 1_000))
        .seconds((int) number(line, "seconds", 60))
        .until(Optional.ofNullable(line.getOptionValue("until")).map(Path::of))
        .connections((int) number(line, "connections", 1))
        .writers((int) number(line, "writers", 2))
        .putRows((int) number(line, "put-rows", 1_000))
        .getters((int) number(line, "getters", 8))
        .getRows((int) number(line, "get-rows", 200))
        .scanners((int) number(line, "scanners", 4))
        .pastCachesPercent((int) number(line, "past-caches", 50))
        .pauseMillis((int) number(line, "pause-millis", 0))
        .build();
  }

  private static long number(CommandLine line, String option, long defaultValue)
      throws ParseException {
    String text = line.getOptionValue(option);
    try {
      return text == null ? defaultValue : Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new ParseException("--%s: %s is no number".formatted(option, text));
    }
  }
}
