package io.offheap.hbase.report.load;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.htrace.core.Tracer;
import site.ycsb.ClientThread;
import site.ycsb.DB;
import site.ycsb.DBWrapper;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/**
 * Runs YCSB's workload, threads and measurements in three phases of one process. YCSB's own command
 * would measure its JVM's first seconds too, which have a thousand times the latency of the rest.
 *
 * <p>The phases: to warm up, which nothing of is measured, once all regions are open, and where the
 * load writes to settle at the fixed rate; at a fixed rate; as fast as the server responds; and so
 * with other numbers of threads, where there is a sweep. After the first one it makes the file
 * {@code ready}, after the second one {@code rated}, and waits for a byte on standard input each
 * time. After the last one it writes its results to {@code out}.
 *
 * <p>Arguments: YCSB's properties, and {@code threads}, {@code rate} in operations a second, {@code
 * warmUpSeconds}, at least, and {@code mostWarmUpSeconds}, {@code settleSeconds}, {@code
 * rateSeconds}, {@code fullSeconds}, {@code sweep}, numbers with commas between them or nothing,
 * {@code sweepSeconds}, {@code ready}, {@code rated} and {@code out}, {@code servers}, the HTTP
 * ports of the region server and of others that are to be warm, and {@code prefetch}, whether
 * regions read their blocks ahead, each as NAME=VALUE. It fails where an operation failed, or a
 * phase had none.
 */
public final class Load {
  private static final double UNTHROTTLED = 0;

  private final Properties properties;
  private final int threads;

  private Load(Properties properties) {
    this.properties = properties;
    this.threads = Integer.parseInt(properties.getProperty("threads"));
  }

  /**
   * What a phase did.
   *
   * @param operations that were responded to
   * @param seconds from its begin until its last operation
   */
  record Phase(long operations, double seconds) {}

  /**
   * What {@code out} has.
   *
   * @param sweep by number of threads
   * @param rateReached the share of the fixed rate's operations that were carried out
   * @param latencies of the phase with a rate, from the moment at which each operation should have
   *     begun
   */
  record Results(
      WarmUp.Result warmUp,
      Phase rate,
      Phase full,
      Map<Integer, Phase> sweep,
      double rateReached,
      ExportedLatencies latencies) {}

  /** What ends a phase. */
  private interface End {
    /**
     * Waits for it.
     *
     * @return whether all threads ended before
     */
    boolean await(CountDownLatch threads) throws IOException, InterruptedException;
  }

  public static void main(String[] args) {
    var properties = new Properties();
    for (String argument : args) {
      int end = argument.indexOf('=');
      properties.setProperty(argument.substring(0, end), argument.substring(end + 1));
    }
    int status = 0;
    try {
      new Load(properties).run();
    } catch (IOException | InterruptedException | WorkloadException | RuntimeException e) {
      e.printStackTrace();
      status = 1;
    }
    // Threads of HBase's client would keep the process, after an error too.
    System.exit(status);
  }

  private void run() throws IOException, InterruptedException, WorkloadException {
    Measurements.setProperties(properties);
    var servers = ports().stream().map(Jmx::new).toList();
    LoadTable.awaitRegions();
    if (Boolean.parseBoolean(properties.getProperty("prefetch"))) {
      LoadTable.awaitStill("end of the prefetch", servers.get(0)::cachedBlocks);
    }
    var warmUp = warmUp(servers);
    phase(false, threads, UNTHROTTLED, warmUp::await);
    if (number("settleSeconds") > 0) {
      phase(false, threads, number("rate"), seconds("settleSeconds"));
    }
    reach("ready");
    var rate = phase(true, threads, number("rate"), seconds("rateSeconds"));
    var latencies = ExportedLatencies.of(Measurements.getMeasurements());
    reach("rated");
    var full = phase(true, threads, UNTHROTTLED, seconds("fullSeconds"));
    var sweep = new TreeMap<Integer, Phase>();
    for (int step : steps()) {
      sweep.put(step, phase(true, step, UNTHROTTLED, seconds("sweepSeconds")));
    }
    // Of all phases.
    ExportedLatencies.of(Measurements.getMeasurements()).requireNoFailure();
    var results =
        new Results(
            warmUp.result(),
            rate,
            full,
            sweep,
            reached(rate, threads, number("rate"), number("rateSeconds")),
            latencies);
    if (Stream.concat(Stream.of(rate, full), sweep.values().stream())
        .anyMatch(phase -> phase.operations() == 0)) {
      throw new IOException("a phase without an operation: " + results);
    }
    new ObjectMapper().writeValue(Path.of(properties.getProperty("out")).toFile(), results);
  }

  /** Makes a file, and waits until the server's state was noted. */
  private void reach(String name) throws IOException {
    Files.createFile(Path.of(properties.getProperty(name)));
    if (System.in.read() < 0) {
      throw new IOException("the process that measures the server ended");
    }
  }

  private WarmUp warmUp(List<Jmx> servers) {
    var own = ManagementFactory.getCompilationMXBean();
    var compilers = new ArrayList<WarmUp.Compilers>();
    compilers.add(own::getTotalCompilationTime);
    servers.forEach(server -> compilers.add(server::compilationMillis));
    return new WarmUp(number("warmUpSeconds"), number("mostWarmUpSeconds"), compilers);
  }

  private End seconds(String name) {
    int seconds = number(name);
    return threads -> threads.await(seconds, TimeUnit.SECONDS);
  }

  /**
   * Returns the share of the operations that were due in a phase. Each thread begins at a moment of
   * its own within its first interval, so it may have one fewer.
   */
  static double reached(Phase phase, int threads, int rate, int seconds) {
    return Math.min(1, (phase.operations() + threads) / ((double) rate * seconds));
  }

  private int number(String name) {
    return Integer.parseInt(properties.getProperty(name));
  }

  private List<Integer> ports() {
    return numbers("servers");
  }

  private List<Integer> steps() {
    return numbers("sweep");
  }

  private List<Integer> numbers(String name) {
    return Pattern.compile(",")
        .splitAsStream(properties.getProperty(name))
        .filter(step -> !step.isEmpty())
        .map(Integer::valueOf)
        .toList();
  }

  private Phase phase(boolean measured, int threads, double rate, End end)
      throws IOException, InterruptedException, WorkloadException {
    var workload = new CoreWorkload();
    workload.init(properties);
    var ended = new CountDownLatch(threads);
    var clients = new ArrayList<ClientThread>();
    for (int i = 0; i < threads; i++) {
      var client =
          new ClientThread(
              database(measured),
              true,
              workload,
              properties,
              Integer.MAX_VALUE,
              rate / threads / TimeUnit.SECONDS.toMillis(1),
              ended);
      client.setThreadId(i);
      client.setThreadCount(threads);
      clients.add(client);
    }
    long begin = System.nanoTime();
    var running = new ArrayList<Thread>();
    for (ClientThread client : clients) {
      var thread = new Thread(client);
      running.add(thread);
      thread.start();
    }
    // A thread that ends before was stopped by an error.
    boolean early = end.await(ended);
    workload.requestStop();
    for (Thread thread : running) {
      thread.join();
    }
    double elapsed = (System.nanoTime() - begin) / 1e9;
    if (early) {
      throw new IllegalStateException("all threads of the load ended early");
    }
    return new Phase(operations(clients), elapsed);
  }

  private static long operations(List<ClientThread> clients) {
    return clients.stream().mapToLong(ClientThread::getOpsDone).sum();
  }

  private DB database(boolean measured) {
    DB database = new HBaseBinding();
    if (measured) {
      database = new DBWrapper(database, new Tracer.Builder("load").build());
    }
    database.setProperties(properties);
    return database;
  }
}
