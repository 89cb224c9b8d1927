package io.offheap.hbase.loadgen;

import java.util.Arrays;

/**
 * The rows of one thread. Only this thread writes and reads them, so the expected result of each
 * Get is known. Rows are created in the order of their indexes.
 *
 * <p>A failed put may have been executed, then or later, so that its version is valid as well from
 * then on.
 */
final class RowVersions {
  private final long first;
  private final long step;
  private final int valueBytes;

  /** The last version of each row that was acknowledged. */
  private final int[] acknowledged;

  /** The last version of each row that was tried. */
  private final int[] tried;

  /** The first version of each row whose put failed. */
  private final int[] doubtful;

  private int written;

  /** What a Get gave. */
  enum Verdict {
    RIGHT,
    /** No put of this row had this value. */
    WRONG,
    /** The value of a put before the last one that was acknowledged. */
    STALE,
    /** No value, though a put was acknowledged. */
    MISSING
  }

  /** Of every {@code step} rows from {@code first} on, below {@code end}. */
  RowVersions(long first, long end, long step, int valueBytes) {
    this.first = first;
    this.step = step;
    this.valueBytes = valueBytes;
    int count = (int) ((end - first + step - 1) / step);
    this.acknowledged = new int[count];
    this.tried = new int[count];
    this.doubtful = new int[count];
  }

  /** How many rows there can be. */
  int size() {
    return tried.length;
  }

  /** How many rows have been put, with or without success. */
  int written() {
    return written;
  }

  long row(int index) {
    return first + index * step;
  }

  /** The value of the next put. */
  byte[] next(int index) {
    return RowData.value(row(index), tried[index] + 1, valueBytes);
  }

  /** That put was acknowledged. */
  void acknowledge(int index) {
    acknowledged[index] = ++tried[index];
    written = Math.max(written, index + 1);
  }

  /** That put failed. */
  void doubt(int index) {
    int version = ++tried[index];
    if (doubtful[index] == 0) {
      doubtful[index] = version;
    }
    written = Math.max(written, index + 1);
  }

  /** Judges what a Get gave, {@code null} for no value. */
  Verdict judge(int index, byte[] value) {
    if (value == null) {
      return acknowledged[index] == 0 ? Verdict.RIGHT : Verdict.MISSING;
    }
    for (int version = tried[index]; version > 0; version--) {
      if (Arrays.equals(value, RowData.value(row(index), version, valueBytes))) {
        return isRight(index, version) ? Verdict.RIGHT : Verdict.STALE;
      }
    }
    return Verdict.WRONG;
  }

  private boolean isRight(int index, int version) {
    return version == acknowledged[index] || (doubtful[index] > 0 && version >= doubtful[index]);
  }
}
