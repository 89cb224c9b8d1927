package io.offheap.hbase.report.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RpcRetryingCallerFactory;
import site.ycsb.Utils;

/**
 * Reads rows at a fixed rate while the region servers are restarted one after the other. YCSB's
 * client threads would not do: each waits for its own response, so a region that is not served for
 * seconds holds up the reads of all others too. Here each read has a thread when its time comes.
 *
 * <p>Arguments, each as NAME=VALUE: {@code rows}, {@code rate} in reads a second, {@code
 * warmUpSeconds}, of which nothing is measured, {@code rateSeconds} before the first restart and as
 * many after the last one, {@code drains}, whether servers are drained before their restart, {@code
 * logs}, the folder of the region servers' logs, and {@code out}. Standard output has {@code
 * restart PORT} for each server that must be restarted, and standard input a line when it is.
 */
public final class RestartClient {
  private static final int THREADS = 256;
  private static final double SLOW_MILLIS = 50;
  private static final int SLOWEST = 100;
  private static final double THREE_SECONDS = 3_000;
  private static final double MICROS_A_MILLI = 1e3;
  private static final int DIGITS = 3;

  private final Properties properties;
  private final Connection connection;
  private final ExecutorService readers = Executors.newFixedThreadPool(THREADS);
  private final Histogram latencies = new SynchronizedHistogram(DIGITS);
  private final ConcurrentLinkedQueue<SlowRead> slow = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<double[]> all = new ConcurrentLinkedQueue<>();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private volatile boolean isMeasured;
  private volatile boolean isEnded;

  private RestartClient(Properties properties, Connection connection) {
    this.properties = properties;
    this.connection = connection;
  }

  /**
   * What {@code out} has, by the names of the report.
   *
   * @param slowestMillis of each second, by when a read should have begun; 0 where there was none
   */
  record Results(Map<String, Double> figures, List<Double> slowestMillis) {}

  public static void main(String[] args) {
    var properties = new Properties();
    for (String argument : args) {
      int end = argument.indexOf('=');
      properties.setProperty(argument.substring(0, end), argument.substring(end + 1));
    }
    var configuration = HBaseConfiguration.create();
    configuration.set(
        RpcRetryingCallerFactory.CUSTOM_CALLER_CONF_KEY, Attempts.Factory.class.getName());
    int status = 0;
    try (var connection = ConnectionFactory.createConnection(configuration)) {
      new RestartClient(properties, connection).run();
    } catch (IOException | InterruptedException | RuntimeException e) {
      e.printStackTrace();
      status = 1;
    }
    // Threads that read would keep the process, after an error too.
    System.exit(status);
  }

  private void run() throws IOException, InterruptedException {
    var pace = new Thread(this::pace, "pace");
    pace.start();
    TimeUnit.SECONDS.sleep(number("warmUpSeconds"));
    double begin = Attempts.now();
    isMeasured = true;
    TimeUnit.SECONDS.sleep(number("rateSeconds"));
    double first = Attempts.now();
    try (var admin = connection.getAdmin();
        var responses = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
      new Rollout(
              admin, System.out, responses, Boolean.parseBoolean(properties.getProperty("drains")))
          .run();
    }
    double last = Attempts.now();
    TimeUnit.SECONDS.sleep(number("rateSeconds"));
    isEnded = true;
    pace.join();
    readers.shutdown();
    if (!readers.awaitTermination(1, TimeUnit.MINUTES)) {
      throw new IOException("reads have no response a minute after the last one began");
    }
    if (failure.get() != null) {
      throw new IOException("a read failed", failure.get());
    }
    var results = results(begin, (last - first) / MICROS_A_MILLI);
    new ObjectMapper().writeValue(Path.of(properties.getProperty("out")).toFile(), results);
  }

  private int number(String name) {
    return Integer.parseInt(properties.getProperty(name));
  }

  /** Starts each read when its time comes. What comes late counts from its time. */
  private void pace() {
    double interval = 1e3 / number("rate");
    double begin = Attempts.now();
    for (long i = 0; !isEnded; i++) {
      double at = begin + i * interval;
      double early = at - Attempts.now();
      if (early > 0) {
        LockSupport.parkNanos((long) (early * 1e6));
      }
      readers.execute(() -> read(at));
    }
  }

  private void read(double at) {
    boolean counts = isMeasured;
    long row = ThreadLocalRandom.current().nextLong(number("rows"));
    byte[] key = LoadTable.rowName(Utils.hash(row)).getBytes(UTF_8);
    var attempts = Attempts.begin();
    try (var table = connection.getTable(LoadTable.NAME)) {
      if (table.get(new Get(key).addFamily(LoadTable.FAMILY)).isEmpty()) {
        throw new IOException("no row " + row);
      }
      var spans = attempts.end();
      if (counts) {
        keep(key, at, Attempts.now(), spans);
      }
    } catch (IOException | RuntimeException e) {
      failure.compareAndSet(null, e);
    }
  }

  private void keep(byte[] key, double begin, double end, List<Attempts.Span> spans)
      throws IOException {
    latencies.recordValue(Math.max(0, (long) ((end - begin) * MICROS_A_MILLI)));
    all.add(new double[] {begin, end - begin});
    if (end - begin >= SLOW_MILLIS) {
      try (var locator = connection.getRegionLocator(LoadTable.NAME)) {
        var region = locator.getRegionLocation(key).getRegion().getEncodedName();
        slow.add(new SlowRead(region, begin, end, spans));
      }
    }
  }

  private Results results(double begin, double rolloutSeconds) throws IOException {
    var figures = new LinkedHashMap<String, Double>();
    figures.put("p50Millis", millis(50));
    figures.put("p95Millis", millis(95));
    figures.put("p99Millis", millis(99));
    figures.put("p999Millis", millis(99.9));
    figures.put("longestMillis", latencies.getMaxValue() / MICROS_A_MILLI);
    figures.put(
        "overThreeSeconds",
        (double) slow.stream().filter(read -> read.millis() > THREE_SECONDS).count());
    figures.put("rolloutSeconds", rolloutSeconds);
    figures.putAll(shares(List.copyOf(slow), timeline(Path.of(properties.getProperty("logs")))));
    return new Results(figures, slowest(List.copyOf(all), begin));
  }

  private double millis(double percentile) {
    return latencies.getValueAtPercentile(percentile) / MICROS_A_MILLI;
  }

  private static RegionTimeline timeline(Path folder) throws IOException {
    var lines = new ArrayList<String>();
    try (var logs = Files.list(folder)) {
      for (Path log : logs.filter(file -> file.toString().endsWith(".log")).toList()) {
        try (var ofLog = Files.lines(log)) {
          ofLog
              .filter(
                  line -> line.contains(".HRegion: ") || line.contains(".AssignRegionHandler: "))
              .forEach(lines::add);
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return RegionTimeline.of(lines.stream(), ZoneId.systemDefault());
  }

  /** Percent of each part in the time of the slowest reads; none where no read was slow. */
  static Map<String, Double> shares(List<SlowRead> slow, RegionTimeline timeline) {
    var sums = new EnumMap<SlowRead.Part, Double>(SlowRead.Part.class);
    slow.stream()
        .sorted(Comparator.comparingDouble(SlowRead::millis).reversed())
        .limit(SLOWEST)
        .forEach(
            read ->
                read.parts(timeline)
                    .forEach((part, millis) -> sums.merge(part, millis, Double::sum)));
    double sum = sums.values().stream().mapToDouble(Double::doubleValue).sum();
    var shares = new LinkedHashMap<String, Double>();
    if (sum > 0) {
      Stream.of(SlowRead.Part.values())
          .forEach(part -> shares.put(part.figure(), 100 * sums.getOrDefault(part, 0.0) / sum));
    }
    return shares;
  }

  /**
   * The slowest read of each second.
   *
   * @param reads when each should have begun, and its milliseconds
   */
  static List<Double> slowest(List<double[]> reads, double begin) {
    var slowest = new ArrayList<Double>();
    for (double[] read : reads) {
      int second = (int) Math.max(0, (read[0] - begin) / MICROS_A_MILLI);
      while (slowest.size() <= second) {
        slowest.add(0.0);
      }
      slowest.set(second, Math.max(slowest.get(second), read[1]));
    }
    return List.copyOf(slowest);
  }
}
