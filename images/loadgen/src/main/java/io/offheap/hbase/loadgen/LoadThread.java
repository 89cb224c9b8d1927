package io.offheap.hbase.loadgen;

import io.offheap.hbase.loadgen.RowVersions.Verdict;
import java.io.IOException;
import java.util.Random;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** One thread of a load, with rows of its own. */
final class LoadThread {
  private final Table table;
  private final RowVersions rows;
  private final ClusterLoad load;
  private final Random random;

  LoadThread(Table table, RowVersions rows, ClusterLoad load, int number) {
    this.table = table;
    this.rows = rows;
    this.load = load;
    this.random = new Random(number);
  }

  private interface Operation {
    void run() throws IOException;
  }

  /** Puts and gets in equal shares until the load is over. */
  void run() {
    while (load.mayBegin()) {
      if (rows.written() == 0 || random.nextBoolean()) {
        put(Math.min(random.nextInt(rows.size()), rows.written()));
      } else {
        get(random.nextInt(rows.written()));
      }
    }
  }

  /** Reads each row once more. */
  void readAll() {
    for (int index = 0; index < rows.written(); index++) {
      get(index);
    }
  }

  /** How many rows it has written at least once. */
  int written() {
    return rows.written();
  }

  private void put(int index) {
    var put =
        new Put(RowData.key(rows.row(index)))
            .addColumn(VerificationTable.FAMILY, VerificationTable.QUALIFIER, rows.next(index));
    if (time("put", load.puts(), index, () -> table.put(put))) {
      rows.acknowledge(index);
    } else {
      rows.doubt(index);
    }
  }

  private void get(int index) {
    var get = new Get(RowData.key(rows.row(index)));
    time(
        "get",
        load.gets(),
        index,
        () -> {
          byte[] value = table.get(get).value();
          var verdict = rows.judge(index, value);
          if (verdict != Verdict.RIGHT) {
            load.report(verdict, "row %d, value %s".formatted(rows.row(index), begin(value)));
          }
        });
  }

  private boolean time(String name, Operations operations, int index, Operation operation) {
    long start = System.nanoTime();
    try {
      operation.run();
    } catch (IOException | RuntimeException e) {
      operations.addFailed();
      load.reportFailure(name + " of row " + rows.row(index), e);
      return false;
    }
    long nanos = System.nanoTime() - start;
    operations.add(nanos, rows.row(index));
    load.reportIfSlow(name, rows.row(index), nanos);
    return true;
  }

  /** A value begins with the row and the version that it is of. */
  private static String begin(byte[] value) {
    return value == null
        ? "none"
        : Bytes.toStringBinary(value, 0, Math.min(value.length, LoadOptions.LEAST_VALUE_BYTES));
  }
}
