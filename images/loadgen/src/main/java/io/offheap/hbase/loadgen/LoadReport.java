package io.offheap.hbase.loadgen;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/**
 * The outcome of a load.
 *
 * @param seconds from the first operation to the last
 * @param rows rows that were written at least once, each of which was read again at the end
 * @param verdicts what the Gets gave
 */
record LoadReport(
    String table, double seconds, long rows, Figures puts, Figures gets, Verdicts verdicts) {

  /**
   * One kind of operation.
   *
   * @param done those that succeeded
   * @param failed those whose exception reached the caller, after all of the client's retries
   * @param p50Millis half of them were faster
   * @param slowestMillis the slowest one
   * @param slowestAt when it began
   * @param slowestRow number of its row
   */
  record Figures(
      long done,
      long failed,
      double p50Millis,
      double p99Millis,
      double p999Millis,
      double slowestMillis,
      Instant slowestAt,
      long slowestRow) {

    private String toJson() {
      return String.format(
          Locale.ROOT,
          "{\"done\":%d,\"failed\":%d,\"p50Millis\":%.3f,\"p99Millis\":%.3f,\"p999Millis\":%.3f,"
              + "\"slowestMillis\":%.1f,\"slowestAt\":\"%s\",\"slowestRow\":%d}",
          done,
          failed,
          p50Millis,
          p99Millis,
          p999Millis,
          slowestMillis,
          slowestAt.truncatedTo(ChronoUnit.MILLIS),
          slowestRow);
    }
  }

  /**
   * Wrong results of Gets.
   *
   * @param wrong values that were never written to that row
   * @param stale values from before the last put that was acknowledged
   * @param missing no value at all
   */
  record Verdicts(long wrong, long stale, long missing) {
    boolean allRight() {
      return wrong == 0 && stale == 0 && missing == 0;
    }
  }

  boolean allRight() {
    return failed() == 0 && verdicts.allRight();
  }

  long operations() {
    return puts.done + gets.done;
  }

  long failed() {
    return puts.failed + gets.failed;
  }

  /** Returns the report as one line of JSON. */
  String toJson() {
    // HBase admits only letters, digits and "_-.:" in a table's name: nothing to escape.
    return String.format(
        Locale.ROOT,
        "{\"table\":\"%s\",\"operations\":%d,\"failed\":%d,\"wrong\":%d,\"stale\":%d,"
            + "\"missing\":%d,\"rows\":%d,\"seconds\":%.3f,\"puts\":%s,\"gets\":%s}",
        table,
        operations(),
        failed(),
        verdicts.wrong,
        verdicts.stale,
        verdicts.missing,
        rows,
        seconds,
        puts.toJson(),
        gets.toJson());
  }
}
