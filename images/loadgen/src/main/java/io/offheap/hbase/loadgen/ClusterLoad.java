package io.offheap.hbase.loadgen;

import io.offheap.hbase.loadgen.RowVersions.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.commons.cli.ParseException;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * Puts and gets single rows with HBase's client and its defaults, while the cluster is changed, and
 * checks the result of each Get:
 *
 * <ol>
 *   <li>each thread puts rows of its own, again and again with another version, and gets those that
 *       were acknowledged, comparing every byte;
 *   <li>so until there were enough operations and the file is there that ends it, or SIGTERM comes;
 *   <li>then each row is read once more.
 * </ol>
 *
 * <p>Every few seconds a line of JSON on standard error reports the progress. The last line on
 * standard output is the {@linkplain LoadReport report}.
 *
 * <p>Exit status: 0 if no operation failed and every Get returned the expected value, 1 if not, 64
 * if the command line is wrong; after SIGTERM 143.
 */
public final class ClusterLoad {
  private static final int EX_USAGE = 64;
  private static final int BLOCK_BYTES = 65_536;
  private static final long PROGRESS_SECONDS = 5;
  private static final long SLOW_SECONDS = 1;
  private static final int MOST_LINES = 200;

  private final LoadOptions options;
  private final Operations puts = new Operations();
  private final Operations gets = new Operations();
  private final Map<Verdict, LongAdder> verdicts = new EnumMap<>(Verdict.class);
  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong nextTurn = new AtomicLong();
  private final AtomicInteger lines = new AtomicInteger();
  private final long intervalNanos;
  private volatile boolean isOver;
  private volatile boolean isTerminated;

  private ClusterLoad(LoadOptions options) {
    this.options = options;
    this.intervalNanos = options.rate() == 0 ? 0 : TimeUnit.SECONDS.toNanos(1) / options.rate();
    for (Verdict verdict : Verdict.values()) {
      verdicts.put(verdict, new LongAdder());
    }
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    LoadOptions options;
    try {
      options = LoadOptions.parse(args);
    } catch (ParseException e) {
      System.err.println(e.getMessage());
      System.err.println(LoadOptions.USAGE);
      System.exit(EX_USAGE);
      return;
    }
    var load = new ClusterLoad(options);
    var reported = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> load.terminate(reported)));
    LoadReport report;
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create())) {
      report = load.run(connection);
      System.out.println(report.toJson());
    } finally {
      reported.countDown();
    }
    System.exit(report.allRight() ? 0 : 1);
  }

  /** SIGTERM ends the load, not the report. */
  private void terminate(CountDownLatch reported) {
    isTerminated = true;
    try {
      reported.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private LoadReport run(Connection connection) throws IOException, InterruptedException {
    var name = TableName.valueOf(options.table());
    try (var admin = connection.getAdmin()) {
      var table = new VerificationTable(admin, name);
      table.ensureExists(options.regions(), BLOCK_BYTES);
      var report = load(connection, name);
      if (!options.keep()) {
        table.drop();
      }
      return report;
    }
  }

  private LoadReport load(Connection connection, TableName name)
      throws IOException, InterruptedException {
    var threads = new ArrayList<LoadThread>();
    for (int i = 0; i < options.threads(); i++) {
      var rows = new RowVersions(i, options.rows(), options.threads(), options.valueBytes());
      threads.add(new LoadThread(connection.getTable(name), rows, this, i));
    }
    long start = System.nanoTime();
    ExecutorService pool = Executors.newFixedThreadPool(threads.size());
    try {
      onAll(pool, threads, LoadThread::run);
      onAll(pool, threads, LoadThread::readAll);
    } finally {
      pool.shutdownNow();
    }
    return new LoadReport(
        options.table(),
        (System.nanoTime() - start) / 1e9,
        threads.stream().mapToLong(LoadThread::written).sum(),
        puts.figures(),
        gets.figures(),
        new LoadReport.Verdicts(
            count(Verdict.WRONG), count(Verdict.STALE), count(Verdict.MISSING)));
  }

  /** Waits for all threads, ends the load in time, and reports the progress. */
  private void onAll(ExecutorService pool, List<LoadThread> threads, Consumer<LoadThread> part)
      throws IOException, InterruptedException {
    var running = new ArrayList<Future<?>>();
    for (LoadThread thread : threads) {
      running.add(pool.submit(() -> part.accept(thread)));
    }
    var progress = new Progress();
    while (!running.stream().allMatch(Future::isDone)) {
      TimeUnit.MILLISECONDS.sleep(200);
      isOver = isTerminated || isEnough();
      progress.printEvery(PROGRESS_SECONDS);
    }
    progress.printEvery(0);
    try {
      for (Future<?> one : running) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("the load itself failed", e.getCause());
    }
  }

  private boolean isEnough() {
    return begun.get() >= options.operations() && options.until().map(Files::exists).orElse(true);
  }

  /** Waits for a thread's turn; returns false when there are no more. */
  boolean mayBegin() {
    if (intervalNanos > 0) {
      long now = System.nanoTime();
      long turn =
          nextTurn.updateAndGet(
              last -> last == 0 || last - now < 0 ? now + intervalNanos : last + intervalNanos);
      for (long wait = turn - now; wait > 0 && !isOver; wait = turn - System.nanoTime()) {
        LockSupport.parkNanos(wait);
      }
    }
    // A thread must not end for a number of operations where a file decides.
    boolean may = !isOver && (options.until().isPresent() || begun.get() < options.operations());
    if (may) {
      begun.incrementAndGet();
    }
    return may;
  }

  Operations puts() {
    return puts;
  }

  Operations gets() {
    return gets;
  }

  private long count(Verdict verdict) {
    return verdicts.get(verdict).sum();
  }

  void report(Verdict verdict, String what) {
    verdicts.get(verdict).increment();
    print(verdict + " " + what);
  }

  void reportFailure(String what, Exception e) {
    print("FAILED " + what + ": " + e);
    // What fails at once would fail thousands of times a second.
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
  }

  void reportIfSlow(String name, long row, long nanos) {
    if (nanos > TimeUnit.SECONDS.toNanos(SLOW_SECONDS)) {
      print("slow %s of row %d: %d ms".formatted(name, row, nanos / 1_000_000));
    }
  }

  private void print(String line) {
    if (lines.incrementAndGet() <= MOST_LINES) {
      System.err.println(Instant.now().truncatedTo(ChronoUnit.MILLIS) + " " + line);
    }
  }

  /** What happened since the last line. */
  private final class Progress {
    private long operations = puts.done() + gets.done();
    private long nanos = System.nanoTime();

    void printEvery(long seconds) {
      long now = System.nanoTime();
      if (now - nanos < TimeUnit.SECONDS.toNanos(seconds)) {
        return;
      }
      long done = puts.done() + gets.done();
      System.err.printf(
          Locale.ROOT,
          "{\"at\":\"%s\",\"operations\":%d,\"perSecond\":%.0f,\"slowestPutMillis\":%.1f,"
              + "\"slowestGetMillis\":%.1f,\"failed\":%d,\"wrong\":%d,\"stale\":%d,"
              + "\"missing\":%d}%n",
          Instant.now().truncatedTo(ChronoUnit.MILLIS),
          done,
          (done - operations) / Math.max((now - nanos) / 1e9, 1e-3),
          puts.takeSlowestLately() / 1e6,
          gets.takeSlowestLately() / 1e6,
          puts.failed() + gets.failed(),
          count(Verdict.WRONG),
          count(Verdict.STALE),
          count(Verdict.MISSING));
      operations = done;
      nanos = now;
    }
  }
}
