package io.offheap.hbase.report.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;
import site.ycsb.Utils;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/** The further rows of a request are drawn as YCSB draws the first one. */
class HBaseBindingTest {
  private static final int ROWS = 10_000;
  private static final int DRAWN = 200_000;

  /** The share of the reads that are of the hundred rows that YCSB reads most. */
  @ParameterizedTest
  @ValueSource(strings = {"uniform", "zipfian", "hotspot"})
  void furtherRowsAreOfTheDistributionOfTheFirst(String distribution) throws Exception {
    var properties = new Properties();
    properties.setProperty("recordcount", Integer.toString(ROWS));
    properties.setProperty("requestdistribution", distribution);
    properties.setProperty("hotspotdatafraction", "0.002");
    properties.setProperty("hotspotopnfraction", "0.9");
    properties.setProperty("zeropadding", "19");
    properties.setProperty("operationcount", Integer.toString(DRAWN));
    Measurements.setProperties(properties);
    var workload = new CoreWorkload();
    workload.init(properties);
    var ofYcsb = new HashMap<String, Integer>();
    var database = new Counting(ofYcsb);
    for (int i = 0; i < DRAWN; i++) {
      workload.doTransactionRead(database);
    }

    var numbers = HBaseBinding.others(properties, ROWS);
    var ours = new HashMap<String, Integer>();
    LongStream.generate(() -> HBaseBinding.next(numbers, ROWS))
        .limit(DRAWN)
        .forEach(it -> ours.merge(LoadTable.rowName(Utils.hash(it)), 1, Integer::sum));

    assertThat(ofYcsb.keySet()).hasSizeGreaterThan(ROWS / 2);
    var most =
        ofYcsb.entrySet().stream()
            .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
            .limit(100)
            .map(Map.Entry::getKey)
            .toList();
    assertThat(share(ours, most)).isBetween(share(ofYcsb, most) - 0.02, share(ofYcsb, most) + 0.02);
  }

  private static double share(Map<String, Integer> drawn, Iterable<String> rows) {
    int sum = 0;
    for (String row : rows) {
      sum += drawn.getOrDefault(row, 0);
    }
    return (double) sum / DRAWN;
  }

  /** Counts the rows that are read. */
  private static final class Counting extends DB {
    private final Map<String, Integer> read;

    Counting(Map<String, Integer> read) {
      this.read = read;
    }

    @Override
    public Status read(
        String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
      read.merge(key, 1, Integer::sum);
      return Status.OK;
    }

    @Override
    @SuppressWarnings({"JdkObsolete", "NonApiType"}) // YCSB's own types.
    public Status scan(
        String table,
        String start,
        int count,
        Set<String> fields,
        Vector<HashMap<String, ByteIterator>> result) {
      return Status.NOT_IMPLEMENTED;
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
      return Status.NOT_IMPLEMENTED;
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
      return Status.NOT_IMPLEMENTED;
    }

    @Override
    public Status delete(String table, String key) {
      return Status.NOT_IMPLEMENTED;
    }
  }
}
