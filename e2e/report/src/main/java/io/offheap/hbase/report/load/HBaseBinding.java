package io.offheap.hbase.report.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.RandomRowFilter;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.Utils;
import site.ycsb.generator.HotspotIntegerGenerator;
import site.ycsb.generator.NumberGenerator;
import site.ycsb.generator.ScrambledZipfianGenerator;
import site.ycsb.generator.UniformLongGenerator;

/**
 * YCSB's operations on {@link LoadTable}, one object for each thread of a client.
 *
 * <p>YCSB's read is, by the property {@code operation}:
 *
 * <ul>
 *   <li>{@code get}: a Get of the row;
 *   <li>{@code multiGet}: a Get of the row and of 99 others of the same distribution, in one
 *       request;
 *   <li>{@code filteredScan}: a scan of about 10,000 rows from this one on, all of which a filter
 *       drops at the server;
 *   <li>{@code tenthScan}: the same, of which the filter leaves one in ten.
 * </ul>
 *
 * <p>Inserts are buffered, since only the fill of a table inserts. Updates are sent one by one,
 * each of as many rows as the property {@code updateRows} has: the row and others, each as likely,
 * of the same values, in one request. An operation that the client library abandons fails the run:
 * its time would be missing from the latencies.
 */
public final class HBaseBinding extends DB {
  private static final int GETS = 100;
  private static final int SCANNED_ROWS = 10_000;
  // Less than 0 drops each row.
  private static final float NO_ROW = -1;
  private static final float TENTH = 0.1f;

  private String operation = "get";
  private long rows;
  private int updateRows;
  private NumberGenerator others;
  private Table table;
  private BufferedMutator inserts;

  /** One for all threads of the process, as an application has it; it ends with the process. */
  private static final class Shared {
    private static final Connection CONNECTION = connect();

    private static Connection connect() {
      try {
        return ConnectionFactory.createConnection(HBaseConfiguration.create());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public void init() throws DBException {
    try {
      operation = getProperties().getProperty("operation", operation);
      rows = Long.parseLong(getProperties().getProperty("recordcount"));
      others = others(getProperties(), rows);
      updateRows = Integer.parseInt(getProperties().getProperty("updateRows", "1"));
      table = Shared.CONNECTION.getTable(LoadTable.NAME);
      inserts = Shared.CONNECTION.getBufferedMutator(LoadTable.NAME);
    } catch (IOException e) {
      throw new DBException(e);
    }
  }

  @Override
  public void cleanup() throws DBException {
    try {
      inserts.close();
      table.close();
    } catch (IOException e) {
      throw new DBException(e);
    }
  }

  @Override
  public Status read(
      String name, String key, Set<String> fields, Map<String, ByteIterator> result) {
    try {
      return switch (operation) {
        case "get" -> {
          var row = table.get(get(key));
          copy(row, result);
          yield row.isEmpty() ? Status.NOT_FOUND : Status.OK;
        }
        case "multiGet" -> multiGet(key);
        case "filteredScan" -> scan(key, NO_ROW);
        case "tenthScan" -> scan(key, TENTH);
        default -> throw new IllegalArgumentException(operation);
      };
    } catch (IOException e) {
      return failed(e);
    }
  }

  private static Get get(String key) {
    return new Get(key.getBytes(UTF_8)).addFamily(LoadTable.FAMILY);
  }

  private Status multiGet(String key) throws IOException {
    var gets = new ArrayList<Get>();
    gets.add(get(key));
    while (gets.size() < GETS) {
      gets.add(get(rowName(next(others, rows))));
    }
    for (Result row : table.get(gets)) {
      if (row.isEmpty()) {
        return Status.NOT_FOUND;
      }
    }
    return Status.OK;
  }

  /** Rows are hashes, so a part of the range of hashes has as large a part of the rows. */
  private Status scan(String key, float chance) throws IOException {
    long range = (long) (Long.MAX_VALUE * Math.min(1, (double) SCANNED_ROWS / rows));
    long first = LoadTable.hash(key);
    var scan = new Scan().withStartRow(key.getBytes(UTF_8)).addFamily(LoadTable.FAMILY);
    scan.setFilter(new RandomRowFilter(chance));
    if (first < Long.MAX_VALUE - range) {
      scan.withStopRow(LoadTable.rowName(first + range).getBytes(UTF_8));
    }
    try (ResultScanner scanner = table.getScanner(scan)) {
      while (scanner.next() != null) {
        // Each row is read.
      }
    }
    return Status.OK;
  }

  @Override
  @SuppressWarnings({"JdkObsolete", "NonApiType"}) // YCSB's own types.
  public Status scan(
      String name,
      String start,
      int count,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    var scan =
        new Scan()
            .withStartRow(start.getBytes(UTF_8))
            .addFamily(LoadTable.FAMILY)
            .setLimit(count)
            .setCaching(count);
    if (fields != null) {
      fields.forEach(field -> scan.addColumn(LoadTable.FAMILY, field.getBytes(UTF_8)));
    }
    try (ResultScanner rows = table.getScanner(scan)) {
      for (Result row : rows) {
        var values = new HashMap<String, ByteIterator>();
        copy(row, values);
        result.add(values);
      }
      return Status.OK;
    } catch (IOException e) {
      return failed(e);
    }
  }

  @Override
  public Status update(String name, String key, Map<String, ByteIterator> values) {
    var bytes = bytes(values);
    try {
      var puts = new ArrayList<Put>();
      puts.add(put(key, bytes));
      while (puts.size() < updateRows) {
        puts.add(put(anyRow(), bytes));
      }
      table.put(puts);
      return Status.OK;
    } catch (IOException e) {
      return failed(e);
    }
  }

  @Override
  public Status insert(String name, String key, Map<String, ByteIterator> values) {
    try {
      inserts.mutate(put(key, bytes(values)));
      return Status.OK;
    } catch (IOException e) {
      return failed(e);
    }
  }

  @Override
  public Status delete(String name, String key) {
    try {
      table.delete(new Delete(key.getBytes(UTF_8)));
      return Status.OK;
    } catch (IOException e) {
      return failed(e);
    }
  }

  /**
   * Returns a generator of rows' numbers, as YCSB's workload makes one of its properties, so that
   * the rows that it draws often are the same.
   */
  static NumberGenerator others(Properties properties, long rows) {
    var distribution = properties.getProperty("requestdistribution", "uniform");
    return switch (distribution) {
      case "uniform" -> new UniformLongGenerator(0, rows - 1);
      case "zipfian" -> new ScrambledZipfianGenerator(0, rows);
      case "hotspot" ->
          new HotspotIntegerGenerator(
              0,
              rows - 1,
              Double.parseDouble(properties.getProperty("hotspotdatafraction")),
              Double.parseDouble(properties.getProperty("hotspotopnfraction")));
      default -> throw new IllegalArgumentException(distribution);
    };
  }

  /** The number of a row; of YCSB's zipfian numbers one is too large. */
  static long next(NumberGenerator numbers, long rows) {
    long number = numbers.nextValue().longValue();
    while (number >= rows) {
      number = numbers.nextValue().longValue();
    }
    return number;
  }

  private String anyRow() {
    return rowName(ThreadLocalRandom.current().nextLong(rows));
  }

  private static String rowName(long number) {
    return LoadTable.rowName(Utils.hash(number));
  }

  /** YCSB's values can be read once. */
  private static Map<String, byte[]> bytes(Map<String, ByteIterator> values) {
    var bytes = new HashMap<String, byte[]>();
    values.forEach((field, value) -> bytes.put(field, value.toArray()));
    return bytes;
  }

  private static Put put(String key, Map<String, byte[]> values) {
    var put = new Put(key.getBytes(UTF_8));
    values.forEach((field, value) -> put.addColumn(LoadTable.FAMILY, field.getBytes(UTF_8), value));
    return put;
  }

  private static void copy(Result row, Map<String, ByteIterator> values) {
    if (!row.isEmpty()) {
      row.getFamilyMap(LoadTable.FAMILY)
          .forEach(
              (field, value) ->
                  values.put(new String(field, UTF_8), new ByteArrayByteIterator(value)));
    }
  }

  private static Status failed(IOException e) {
    System.err.println(e);
    return Status.ERROR;
  }
}
