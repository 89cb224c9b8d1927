package io.offheap.hbase.loadgen;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.commons.cli.ParseException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * Loads region servers so that each part of their memory does what it may: writes fill memstores,
 * scans and Gets of many rows fill the caches and hand out the allocator's buffers, and large
 * requests and responses fill Netty's. It works on the rows that {@link ClusterVerification} wrote
 * and kept, and writes the same bytes again, so that they can still be verified.
 *
 * <p>Exit status: 0 when the time is over or the file is there that ends it, 1 when a request
 * failed beyond the client's retries, 64 when the command line is wrong.
 */
public final class MemoryLoad {
  private static final int EX_USAGE = 64;
  private static final int PATIENCE_MILLIS = 300_000;
  private static final int SCANNED_ROWS = 4_000;

  private final List<Connection> connections;
  private final MemoryLoadOptions options;
  private final long end;
  private final LongAdder written = new LongAdder();
  private final LongAdder got = new LongAdder();
  private final LongAdder scanned = new LongAdder();

  private MemoryLoad(List<Connection> connections, MemoryLoadOptions options) {
    this.connections = connections;
    this.options = options;
    this.end = System.nanoTime() + TimeUnit.SECONDS.toNanos(options.seconds());
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    MemoryLoadOptions options;
    try {
      options = MemoryLoadOptions.parse(args);
    } catch (ParseException e) {
      System.err.println(e.getMessage());
      System.exit(EX_USAGE);
      return;
    }
    var connections = new ArrayList<Connection>();
    try {
      for (int i = 0; i < options.connections(); i++) {
        connections.add(ConnectionFactory.createConnection(patient()));
      }
      new MemoryLoad(connections, options).run();
    } finally {
      for (Connection connection : connections) {
        connection.close();
      }
    }
  }

  /** Requests wait long under this load, and an abandoned one would be a gap in it. */
  private static Configuration patient() {
    var configuration = HBaseConfiguration.create();
    for (var timeout : List.of("hbase.rpc.timeout", "hbase.client.scanner.timeout.period")) {
      configuration.setInt(timeout, PATIENCE_MILLIS);
    }
    configuration.setInt("hbase.client.operation.timeout", 2 * PATIENCE_MILLIS);
    return configuration;
  }

  private void run() throws IOException, InterruptedException {
    if (options.isNothingCached()) {
      clearCaches();
    }
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      var running = new ExecutorCompletionService<Void>(threads);
      int started = 0;
      started += start(running, options.writers(), this::write);
      started += start(running, options.getters(), this::get);
      started += start(running, options.scanners(), this::scan);
      for (int i = 0; i < started; i++) {
        running.take().get();
      }
    } catch (ExecutionException e) {
      throw new IOException("the load failed", e.getCause());
    } finally {
      threads.shutdownNow();
    }
    System.out.printf(
        "{\"written\":%d,\"got\":%d,\"scanned\":%d}%n", written.sum(), got.sum(), scanned.sum());
  }

  /** A read that must not fill the caches is still served from them if they have the block. */
  private void clearCaches() throws IOException {
    try (Admin admin = connections.get(0).getAdmin()) {
      admin.clearBlockCache(TableName.valueOf(options.table()));
    }
  }

  /** One round of requests. */
  private interface Round {
    void on(Table table) throws IOException;
  }

  private int start(ExecutorCompletionService<Void> running, int threads, Round round) {
    for (int i = 0; i < threads; i++) {
      var connection = connections.get(i % connections.size());
      running.submit(
          () -> {
            try (Table table = connection.getTable(TableName.valueOf(options.table()))) {
              while (System.nanoTime() < end
                  && !options.until().filter(Files::exists).isPresent()) {
                round.on(table);
                TimeUnit.MILLISECONDS.sleep(options.pauseMillis());
              }
            }
            return null;
          });
    }
    return threads;
  }

  private void write(Table table) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < options.putRows(); i++) {
      long row = anyRow();
      puts.add(
          new Put(RowData.key(row))
              .addColumn(
                  VerificationTable.FAMILY,
                  VerificationTable.QUALIFIER,
                  RowData.value(row, options.valueBytes())));
    }
    table.put(puts);
    written.add(puts.size());
  }

  /** Rows of that many blocks, each of which stays in memory until the response is sent. */
  private void get(Table table) throws IOException {
    boolean cache = !isPastCaches();
    List<Get> gets = new ArrayList<>();
    for (int i = 0; i < options.getRows(); i++) {
      gets.add(new Get(RowData.key(anyRow())).setCacheBlocks(cache));
    }
    got.add(table.get(gets).length);
  }

  private void scan(Table table) throws IOException {
    var scan =
        new Scan()
            .withStartRow(RowData.key(anyRow()))
            .setLimit(SCANNED_ROWS)
            .setCaching(SCANNED_ROWS)
            .setCacheBlocks(!isPastCaches());
    try (var scanner = table.getScanner(scan)) {
      for (Result ignored : scanner) {
        scanned.increment();
      }
    }
  }

  /** Blocks that are not in the caches take pool buffers each time. */
  private boolean isPastCaches() {
    return ThreadLocalRandom.current().nextInt(100) < options.pastCachesPercent();
  }

  private long anyRow() {
    return ThreadLocalRandom.current().nextLong(options.rows());
  }
}
