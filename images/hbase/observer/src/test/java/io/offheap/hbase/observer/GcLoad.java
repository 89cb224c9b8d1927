package io.offheap.hbase.observer;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.metrics.impl.MetricRegistryImpl;

/**
 * A process that makes every kind of collection happen and writes down what the observer saw: the
 * metrics into {@code metrics}, a line for each collection into {@code collections}.
 *
 * <p>It runs until the events that it is for have come, however long the machine takes for them.
 */
final class GcLoad {
  private static final Random RANDOM = new Random(20261121);

  /** Of this process's own processor time, which others on the machine cannot take away. */
  private static final Duration PATIENCE = Duration.ofSeconds(100);

  private static final long SHORTEST_PAUSE_MILLIS = 5;
  private static final long LONGEST_PAUSE_MILLIS = 2_000;

  /** Of the heap; more kept would be an OutOfMemoryError. */
  private static final double MOST_KEPT = 0.93;

  private final MetricRegistry registry =
      new MetricRegistryImpl(new MetricRegistryInfo("Test", "", "Test", "test", false));
  private final Map<Integer, CollectionKind> seen = new ConcurrentHashMap<>();
  private final AtomicInteger failedEvacuations = new AtomicInteger();

  /** The gcIds of calls of {@code System.gc()}, in their order. */
  private final Queue<Integer> requestedSeen = new ConcurrentLinkedQueue<>();

  private final List<byte[]> kept = new ArrayList<>();
  private int requested;

  private GcLoad() {}

  /** Arguments: folder for the results, kind of load, collections that it has to see. */
  public static void main(String[] arguments) throws Exception {
    new GcLoad().run(Path.of(arguments[0]), arguments[1], Integer.parseInt(arguments[2]));
  }

  private void run(Path folder, String load, int collections) throws Exception {
    var metrics = new ObserverMetrics(registry);
    var settings = new ObserverSettings(true, Duration.ofSeconds(1), 1L << 20);
    try (var observer =
            new GcObserver(metrics, JfrDisk.ofThisProcess(settings.jfrMaxBytes()), settings);
        var stream = new JfrStream(settings.jfrMaxBytes());
        var lines = new PrintWriter(Files.newBufferedWriter(folder.resolve("collections")))) {
      // First, so that it has every collection that the observer has.
      eachCollection(stream, lines);
      observer.run();
      switch (load) {
        case "all" -> allKinds(collections);
        case "churn" -> churn(collections);
        default -> throw new IllegalArgumentException(load);
      }
      kept.clear();
      awaitAllSeen();
      writeMetrics(folder.resolve("metrics"));
    }
  }

  private void eachCollection(JfrStream stream, PrintWriter lines) {
    var vm = Vm.ofThisProcess();
    var scratch = new MetricRegistryImpl(registry.getMetricRegistryInfo());
    var metrics = new ObserverMetrics(scratch);
    var survivors = vm.g1() ? new SurvivorMetrics(metrics, vm) : null;
    new CollectionAssembly(
            vm.g1(),
            collected -> {
              if (survivors != null) {
                survivors.finished(collected);
              }
              lines.println(line(collected, value(scratch, "survivorDesiredBytes")));
              lines.flush();
              seen.put(collected.gcId(), collected.kind());
              if (collected.isEvacuationFailed()) {
                failedEvacuations.incrementAndGet();
              }
            })
        .follow(stream);
    stream.on(
        "jdk.GarbageCollection",
        event -> {
          if (event.getString("cause").equals("System.gc()")) {
            requestedSeen.add(event.getInt("gcId"));
          }
        });
    stream.start();
  }

  private static String line(Collected collected, long desired) {
    var ages =
        collected
            .ageBytes()
            .map(bytes -> LongStream.of(bytes).mapToObj(Long::toString))
            .map(bytes -> bytes.collect(Collectors.joining(",")))
            .orElse("-");
    return String.join(
        " ",
        Integer.toString(collected.gcId()),
        collected.kind().name(),
        Long.toString(collected.pauseMicros()),
        Long.toString(desired),
        Long.toString(collected.tenuringThreshold()),
        ages,
        Long.toString(collected.before().heap()),
        Long.toString(collected.after().heap()),
        Long.toString(collected.ihopThreshold()),
        Long.toString(collected.before().old()),
        Boolean.toString(collected.isEvacuationFailed()),
        Long.toString(collected.regionsFreed()));
  }

  /** Two stretches, each with so many mixed collections, and what does not come by itself. */
  private void allKinds(int mixed) throws InterruptedException {
    keepUpTo(0.45);
    replaceUntilMixed(mixed);
    // Another recording begins a new chunk; no event may be lost or counted twice over it.
    try (var other = new Recording()) {
      other.start();
      replaceFor(Duration.ofSeconds(1));
      collect();
      other.stop();
    }
    replaceUntilMixed(2L * mixed);
    // Survivors with ever fewer places to go. An OutOfMemoryError would take the stream with it.
    for (var share = 0.75; share < MOST_KEPT && failedEvacuations.get() == 0; share += 0.01) {
      keepUpTo(share);
      replaceFor(Duration.ofMillis(200));
    }
    replaceUntil(() -> failedEvacuations.get() > 0);
    kept.clear();
    collect();
    keepUpTo(0.2);
    replaceFor(Duration.ofSeconds(1));
  }

  private void churn(int collections) throws InterruptedException {
    keepUpTo(0.1);
    // Each hundred has the whole patience: thousands of them take long on a slow machine.
    while (seen.size() < collections) {
      var next = Math.min(collections, seen.size() + 100);
      replaceUntil(() -> seen.size() >= next);
    }
  }

  /** Arrays of 10,000 bytes each on average, as those that replace them are. */
  private void keepUpTo(double share) {
    var target = (long) (Runtime.getRuntime().maxMemory() * share / 10_000);
    while (kept.size() < target) {
      kept.add(new byte[10_000]);
    }
  }

  private void replaceFor(Duration time) throws InterruptedException {
    var end = System.nanoTime() + time.toNanos();
    replaceUntil(() -> System.nanoTime() >= end);
  }

  /** What is replaced leaves garbage in old regions, which only mixed collections take. */
  private void replaceUntil(BooleanSupplier enough) throws InterruptedException {
    replaceUntil(enough, ownNanos() + PATIENCE.toNanos(), SHORTEST_PAUSE_MILLIS);
  }

  private void replaceUntil(BooleanSupplier enough, long end, long pauseMillis)
      throws InterruptedException {
    while (!enough.getAsBoolean()) {
      if (ownNanos() >= end) {
        throw new IllegalStateException("the collections of this load did not come");
      }
      for (var i = 0; i < 2_000; i++) {
        kept.set(RANDOM.nextInt(kept.size()), new byte[RANDOM.nextInt(20_000)]);
      }
      // Not allocating all the time lets marking end.
      Thread.sleep(pauseMillis);
    }
  }

  /**
   * A full collection breaks marking off, and mixed collections come only after it has ended. Where
   * other processes leave its thread little of the processors, it takes seconds: each full
   * collection doubles the pauses, until the heap is no longer full before marking has ended.
   */
  private void replaceUntilMixed(long mixed) throws InterruptedException {
    var end = ownNanos() + PATIENCE.toNanos();
    var pauseMillis = SHORTEST_PAUSE_MILLIS;
    while (count(CollectionKind.MIXED) < mixed) {
      var full = count(CollectionKind.FULL);
      replaceUntil(
          () -> count(CollectionKind.MIXED) >= mixed || count(CollectionKind.FULL) > full,
          end,
          pauseMillis);
      pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
    }
  }

  private static long ownNanos() {
    return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos();
  }

  private void collect() {
    requested++;
    System.gc();
  }

  /**
   * Events come in order and up to a second late. The last collection is one that is requested
   * here; after it, what is left is the end of a marking cycle that it broke off.
   */
  private void awaitAllSeen() throws InterruptedException {
    collect();
    var end = System.nanoTime() + PATIENCE.toNanos();
    while (!isAllSeen()) {
      if (System.nanoTime() >= end) {
        // What is missing is found when it is compared with the log.
        return;
      }
      Thread.sleep(20);
    }
  }

  private boolean isAllSeen() {
    var ids = List.copyOf(requestedSeen);
    if (ids.size() < requested) {
      return false;
    }
    int last = ids.get(requested - 1);
    var first = value(registry, "gcFirstId");
    var counted =
        Stream.of(CollectionKind.values())
            .mapToLong(kind -> Math.max(0, value(registry, "gc" + kind.metricName() + "Count")))
            .sum();
    return seen.containsKey(last)
        && value(registry, "gcLastId") >= last
        && counted == seen.keySet().stream().filter(gcId -> gcId >= first).count()
        && count(CollectionKind.CONCURRENT_CYCLE) >= count(CollectionKind.CONCURRENT_START);
  }

  private long count(CollectionKind kind) {
    return seen.values().stream().filter(kind::equals).count();
  }

  private void writeMetrics(Path file) throws IOException {
    var lines =
        registry.getMetrics().keySet().stream().map(name -> name + "=" + value(registry, name));
    Files.write(file, lines.toList());
  }

  private static long value(MetricRegistry registry, String name) {
    var metric = registry.get(name).orElse(null);
    if (metric instanceof Counter counter) {
      return counter.getCount();
    }
    return metric instanceof Gauge<?> gauge ? ((Number) gauge.getValue()).longValue() : -1;
  }
}
