package io.offheap.hbase.loadgen;

import java.util.Locale;

/**
 * The outcome of a run.
 *
 * @param wrong rows whose value is not, byte by byte, what was written
 * @param missing rows that are not there
 */
record VerificationReport(
    String table,
    long rowsWritten,
    long rowsRead,
    long wrong,
    long missing,
    double writeSeconds,
    double readSeconds) {

  boolean allRight() {
    return wrong == 0 && missing == 0;
  }

  /** Returns the report as one line of JSON. */
  String toJson() {
    // HBase admits only letters, digits and "_-.:" in a table's name: nothing to escape.
    return String.format(
        Locale.ROOT,
        "{\"table\":\"%s\",\"rowsWritten\":%d,\"rowsRead\":%d,\"wrong\":%d,\"missing\":%d,"
            + "\"writeSeconds\":%.3f,\"readSeconds\":%.3f}",
        table,
        rowsWritten,
        rowsRead,
        wrong,
        missing,
        writeSeconds,
        readSeconds);
  }
}
