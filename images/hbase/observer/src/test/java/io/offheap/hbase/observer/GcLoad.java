package io.offheap.hbase.observer;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import jdk.jfr.Recording;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.metrics.impl.MetricRegistryImpl;

/**
 * A process that makes every kind of collection happen and writes down what the observer saw: the
 * metrics into {@code metrics}, a line for each collection into {@code collections}.
 */
final class GcLoad {
  private static final Random RANDOM = new Random(20261121);

  private final MetricRegistry registry =
      new MetricRegistryImpl(new MetricRegistryInfo("Test", "", "Test", "test", false));
  private final AtomicInteger seen = new AtomicInteger();
  private final List<byte[]> kept = new ArrayList<>();

  private GcLoad() {}

  /** Arguments: folder for the results, kind of load, seconds of it. */
  public static void main(String[] arguments) throws Exception {
    new GcLoad().run(Path.of(arguments[0]), arguments[1], Integer.parseInt(arguments[2]));
  }

  private void run(Path folder, String load, int seconds) throws Exception {
    var metrics = new ObserverMetrics(registry);
    var settings = new ObserverSettings(true, Duration.ofSeconds(1), 1L << 20);
    try (var observer =
            new GcObserver(metrics, JfrDisk.ofThisProcess(settings.jfrMaxBytes()), settings);
        var stream = new JfrStream(settings.jfrMaxBytes());
        var lines = new PrintWriter(Files.newBufferedWriter(folder.resolve("collections")))) {
      observer.run();
      eachCollection(stream, lines);
      switch (load) {
        case "all" -> allKinds(seconds);
        case "churn" -> churn(seconds);
        default -> throw new IllegalArgumentException(load);
      }
      kept.clear();
      awaitQuiet();
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
              seen.incrementAndGet();
            })
        .follow(stream);
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

  private void allKinds(int seconds) throws InterruptedException {
    keepUpTo(0.45);
    replaceFor(Duration.ofSeconds(seconds));
    // Another recording begins a new chunk; no event may be lost or counted twice over it.
    try (var other = new Recording()) {
      other.start();
      replaceFor(Duration.ofSeconds(1));
      System.gc();
      other.stop();
    }
    replaceFor(Duration.ofSeconds(seconds));
    // Survivors with hardly anywhere to go. An OutOfMemoryError would take the stream with it.
    keepUpTo(0.3);
    replaceFor(Duration.ofSeconds(1));
    kept.clear();
    System.gc();
    keepUpTo(0.2);
    replaceFor(Duration.ofSeconds(1));
  }

  private void churn(int seconds) throws InterruptedException {
    keepUpTo(0.1);
    replaceFor(Duration.ofSeconds(seconds));
    System.gc();
  }

  private void keepUpTo(double share) {
    var target = (long) (Runtime.getRuntime().maxMemory() * share);
    for (var bytes = 0L; bytes < target; bytes += 10_000) {
      kept.add(new byte[10_000]);
    }
  }

  /** What is replaced leaves garbage in old regions, which only mixed collections take. */
  private void replaceFor(Duration time) throws InterruptedException {
    var end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() < end) {
      for (var i = 0; i < 2_000; i++) {
        kept.set(RANDOM.nextInt(kept.size()), new byte[RANDOM.nextInt(20_000)]);
      }
      // Not allocating all the time lets marking end.
      Thread.sleep(5);
    }
  }

  // The stream is a second behind, and a marking cycle may still run.
  private void awaitQuiet() throws InterruptedException {
    var before = -1;
    for (var quiet = 0; quiet < 4; quiet++) {
      Thread.sleep(1_000);
      if (seen.get() != before) {
        before = seen.get();
        quiet = 0;
      }
    }
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
