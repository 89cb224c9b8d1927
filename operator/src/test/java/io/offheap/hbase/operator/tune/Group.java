package io.offheap.hbase.operator.tune;

import io.offheap.hbase.operator.plan.Declared;
import io.offheap.hbase.operator.plan.Declared.Blocks;
import io.offheap.hbase.operator.plan.Declared.Cache;
import io.offheap.hbase.operator.plan.Declared.CacheFile;
import io.offheap.hbase.operator.plan.Declared.CacheMode;
import io.offheap.hbase.operator.plan.Declared.Disk;
import io.offheap.hbase.operator.plan.Declared.Load;
import io.offheap.hbase.operator.plan.Declared.Memory;
import io.offheap.hbase.operator.plan.FieldNames;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.MemoryPlanner;
import io.offheap.hbase.operator.plan.PlanResult;
import io.offheap.hbase.operator.plan.TableBlocks;
import io.offheap.hbase.operator.plan.Target;
import io.offheap.hbase.operator.plan.Tuned;
import io.offheap.hbase.operator.plan.TunedKey;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The talk's servers, 30 GiB of heap and of off-heap memory, with their metrics. */
final class Group {
  static final long GIB = 1L << 30;
  static final double MIB = 1 << 20;
  static final Instant START = Instant.parse("2026-01-05T00:00:00Z");
  static final Duration WINDOW = Duration.ofMinutes(15);
  static final Duration WARM_UP = Duration.ofMinutes(2);

  private CacheMode mode = CacheMode.OFF_HEAP;
  private int handlers = 30;
  private OptionalLong bucketCache = OptionalLong.empty();
  private boolean mayShrinkCache;
  private final Map<String, String> config = new LinkedHashMap<>();
  private final Map<String, String> options = new LinkedHashMap<>();
  private final Map<TunedKey, Long> tuned = new EnumMap<>(TunedKey.class);
  private final Set<String> declared = new HashSet<>();
  private final List<TableBlocks> tables = new ArrayList<>();
  private final List<ServerWindow> servers = new ArrayList<>();

  /** A day has many minutes with the same plan. */
  private final Map<Map<TunedKey, Long>, PlanResult> plans = new HashMap<>();

  static Group talk() {
    return new Group();
  }

  Group mode(CacheMode value) {
    mode = value;
    return this;
  }

  Group handlers(int value) {
    handlers = value;
    return this;
  }

  Group bucketCache(long bytes) {
    bucketCache = OptionalLong.of(bytes);
    return this;
  }

  Group mayShrinkCache() {
    mayShrinkCache = true;
    return this;
  }

  /** The talk's values, which are not declared. */
  Group with(TunedKey key, long value) {
    plans.clear();
    (key.target() == Target.JVM ? options : config).put(key.keyName(), Long.toString(value));
    return this;
  }

  /** A declared option of the JVM that tuning never changes. */
  Group option(String name, long value) {
    plans.clear();
    options.put(name, Long.toString(value));
    return this;
  }

  Group tuned(TunedKey key, long value) {
    tuned.put(key, value);
    return this;
  }

  Group declared(TunedKey key) {
    declared.add(key.keyName());
    return this;
  }

  Group table(TableBlocks table) {
    tables.add(table);
    return this;
  }

  /** A server with these metrics at the start and at the end of the window. */
  Group server(UnaryOperator<Metrics> first, UnaryOperator<Metrics> last) {
    return server(Arrays.asList(first.apply(new Metrics()), last.apply(new Metrics())));
  }

  Group server(List<Metrics> readings) {
    var pod = "demo-rs-" + servers.size();
    var server = pod + ",16020," + START.toEpochMilli();
    var from = START.plus(Duration.ofHours(1));
    var windowReadings = new ArrayList<Reading>();
    for (int i = 0; i < readings.size(); i++) {
      var at = from.plus(WINDOW.multipliedBy(i).dividedBy(readings.size() - 1));
      windowReadings.add(new Reading(pod, server, at, readings.get(i).values));
    }
    servers.add(new ServerWindow(windowReadings));
    return this;
  }

  /** Metrics of a server at one time. */
  static final class Metrics {
    private final Map<Metric, Double> values = new EnumMap<>(Metric.class);

    Metrics with(Metric metric, double value) {
      values.put(metric, value);
      return this;
    }

    Map<Metric, Double> values() {
      return values;
    }
  }

  static Metrics metrics() {
    return new Metrics();
  }

  MemoryPlan plan() {
    return planned(tuned);
  }

  private MemoryPlan planned(Map<TunedKey, Long> values) {
    if (plan(values) instanceof PlanResult.Planned planned) {
      return planned.plan();
    }
    throw new AssertionError(plan(values));
  }

  PlanResult plan(Map<TunedKey, Long> values) {
    return plans.computeIfAbsent(Map.copyOf(values), this::derive);
  }

  private PlanResult derive(Map<TunedKey, Long> values) {
    var site = new LinkedHashMap<>(config);
    var jvm = new LinkedHashMap<>(options);
    // A replacement of a derived value is not a declared value.
    var tunedNames = TunedKey.texts(values).keySet();
    site.keySet().removeAll(tunedNames);
    jvm.keySet().removeAll(tunedNames);
    var tunedValues =
        values.entrySet().stream()
            .map(it -> new Tuned(it.getKey(), it.getValue(), "ARule"))
            .toList();
    return new MemoryPlanner()
        .plan(
            new Declared(
                new Memory(
                    OptionalLong.of(30 * GIB),
                    OptionalLong.of(30 * GIB),
                    OptionalLong.empty(),
                    Optional.empty(),
                    0),
                24,
                Disk.HDD,
                Load.NORMAL,
                new Cache(
                    mode,
                    mode == CacheMode.OFF_HEAP
                        ? Optional.of(new BigDecimal("0.1"))
                        : Optional.empty(),
                    bucketCache,
                    new CacheFile(CacheFile.DEFAULT_FOLDER, true, OptionalLong.empty())),
                new Blocks(
                    OptionalLong.of(65536),
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    OptionalLong.of(939),
                    OptionalInt.empty()),
                List.of(),
                tunedValues,
                OptionalLong.empty(),
                OptionalInt.empty(),
                handlers,
                Optional.empty(),
                OptionalLong.empty(),
                site,
                jvm.entrySet().stream()
                    .map(it -> "-XX:" + it.getKey() + "=" + it.getValue())
                    .toList(),
                OptionalInt.empty(),
                FieldNames.below("spec.regionServers")));
  }

  Evidence evidence() {
    return evidence(servers, tuned);
  }

  Evidence evidence(List<ServerWindow> windows, Map<TunedKey, Long> values) {
    return new Evidence(
        planned(values), values, declared, windows, List.of(), tables, mayShrinkCache, this::plan);
  }
}
