package io.offheap.hbase.loadgen;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.commons.cli.ParseException;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;

/**
 * Writes rows whose every byte follows from their number, flushes them to disk, gets each of them
 * back and compares. The last line on standard output is the {@linkplain VerificationReport report}
 * as JSON.
 *
 * <p>Exit status: 0 if every row is correct, 1 if one is wrong or missing or the cluster does not
 * respond within the client's retries, 64 if the command line is wrong.
 */
public final class ClusterVerification {
  private static final int EX_USAGE = 64;

  private final Connection connection;
  private final VerificationOptions options;
  private final TableName tableName;
  private final AtomicLong written = new AtomicLong();
  private final AtomicLong read = new AtomicLong();
  private final AtomicLong wrong = new AtomicLong();
  private final AtomicLong missing = new AtomicLong();

  private ClusterVerification(Connection connection, VerificationOptions options) {
    this.connection = connection;
    this.options = options;
    this.tableName = TableName.valueOf(options.table());
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    VerificationOptions options;
    try {
      options = VerificationOptions.parse(args);
    } catch (ParseException e) {
      System.err.println(e.getMessage());
      System.err.println(VerificationOptions.USAGE);
      System.exit(EX_USAGE);
      return;
    }
    VerificationReport report;
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create())) {
      report = new ClusterVerification(connection, options).run();
    }
    System.out.println(report.toJson());
    System.exit(report.allRight() ? 0 : 1);
  }

  private VerificationReport run() throws IOException, InterruptedException {
    double writeSeconds = 0;
    double readSeconds = 0;
    try (Admin admin = connection.getAdmin()) {
      var table = new VerificationTable(admin, tableName);
      if (options.mode().writes()) {
        table.ensureExists(options.regions(), options.blockBytes());
        writeSeconds = pass("written").run(Writer::new);
        table.flush();
      }
      if (options.mode().reads()) {
        table.requireMark();
        readSeconds = pass("read").run(Reader::new);
      }
      if (!options.keep()) {
        table.drop();
      }
    }
    return new VerificationReport(
        options.table(),
        written.get(),
        read.get(),
        wrong.get(),
        missing.get(),
        writeSeconds,
        readSeconds);
  }

  private RowPass pass(String verb) {
    return new RowPass(verb, options.rows(), options.threads());
  }

  private final class Writer implements RowPass.Worker {
    private final Table table = connection.getTable(tableName);

    Writer() throws IOException {}

    @Override
    public void handle(long first, long end) throws IOException {
      List<Put> puts = new ArrayList<>();
      for (long row = first; row < end; row++) {
        puts.add(
            new Put(RowData.key(row))
                .addColumn(
                    VerificationTable.FAMILY,
                    VerificationTable.QUALIFIER,
                    RowData.value(row, options.valueBytes())));
      }
      table.put(puts);
      written.addAndGet(end - first);
    }

    @Override
    public void close() throws IOException {
      table.close();
    }
  }

  private final class Reader implements RowPass.Worker {
    private final Table table = connection.getTable(tableName);

    Reader() throws IOException {}

    /** One Get for each row: that is the read path whose allocations matter. */
    @Override
    public void handle(long first, long end) throws IOException {
      for (long row = first; row < end; row++) {
        Result result = table.get(new Get(RowData.key(row)));
        read.incrementAndGet();
        if (result.isEmpty()) {
          missing.incrementAndGet();
        } else if (!Arrays.equals(result.value(), RowData.value(row, options.valueBytes()))) {
          wrong.incrementAndGet();
        }
      }
    }

    @Override
    public void close() throws IOException {
      table.close();
    }
  }
}
