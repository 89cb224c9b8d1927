package io.offheap.hbase.operator.cli;

import io.offheap.hbase.operator.api.BlockCacheSpec;
import io.offheap.hbase.operator.api.HFileSpec;
import io.offheap.hbase.operator.cli.Finding.Severity;
import io.offheap.hbase.operator.plan.CacheEngine;
import io.offheap.hbase.operator.plan.HBaseKeys;
import io.offheap.hbase.operator.plan.JvmKeys;
import io.offheap.hbase.operator.plan.Key;
import io.offheap.hbase.operator.plan.Kind;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Parses a configuration as HBase 2.6.4 and a JDK 17 do. */
final class RunningConfigurationReader {
  static final String ENGINE = HBaseKeys.CACHE_ENGINE.name();
  static final String PERSISTENCE = HBaseKeys.CACHE_PERSISTENCE.name();
  static final String CACHE_SIZE = HBaseKeys.CACHE_SIZE.name();
  static final String L1_SIZE = HBaseKeys.L1_SHARE.name();
  static final String HANDLERS = HBaseKeys.HANDLERS.name();
  static final String INDEX_BLOCK = HBaseKeys.INDEX_BLOCK.name();
  static final String BLOOM_BLOCK = HBaseKeys.BLOOM_BLOCK.name();
  static final String OFF_HEAP_MEMSTORE = HBaseKeys.OFF_HEAP_MEMSTORE.name();

  private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

  /** More than the planner accepts, and small enough for bytes in a long. */
  private static final long MOST_MIB = 1L << 40;

  private final ConfFolder conf;
  private final JvmLine line;
  private final Machine machine;
  private final List<Finding> findings = new ArrayList<>();

  RunningConfigurationReader(ConfFolder conf, JvmLine line, Machine machine) {
    this.conf = conf;
    this.line = line;
    this.machine = machine;
  }

  /** Findings of values that could not be parsed. */
  List<Finding> findings() {
    return findings;
  }

  /**
   * What the configuration declares.
   *
   * @throws RefusedException if it has no heap size
   */
  RunningConfiguration read() throws RefusedException {
    var limit = machine.limitBytes();
    long heap = heap(limit);
    boolean shortCircuit = isTrue(RunningConfiguration.SHORT_CIRCUIT);
    return RunningConfigurationBuilder.builder()
        .heapBytes(heap)
        .offHeapBytes(size(JvmKeys.DIRECT_MEMORY.name()).filter(bytes -> bytes > 0).orElse(heap))
        .limit(limit)
        .cache(cache())
        .hfile(
            new HFileSpec(
                machine.blockSize(),
                RunningConfiguration.bytes(number(HBaseKeys.INDEX_BLOCK)),
                RunningConfiguration.bytes(number(HBaseKeys.BLOOM_BLOCK)),
                machine.cellSize(),
                shortCircuit ? machine.openFiles() : null))
        .handlers((int) clamped(number(HBaseKeys.HANDLERS), Integer.MAX_VALUE))
        .offHeapMemstoreMib(clamped(number(HBaseKeys.OFF_HEAP_MEMSTORE), MOST_MIB))
        .shortCircuit(shortCircuit)
        .machine(machine)
        .build();
  }

  private long heap(OptionalLong limit) throws RefusedException {
    var declared = size(JvmKeys.HEAP.name());
    if (declared.isPresent()) {
      return declared.get();
    }
    if (limit.isEmpty()) {
      throw new RefusedException(
          "DIR",
          "-" + JvmKeys.HEAP,
          "is in none of the files"
              + (conf.unclear().isEmpty() ? "" : " (" + firstUnclear() + ")")
              + ", so that the JVM uses a quarter of the memory; must be given, or --limit SIZE");
    }
    double share =
        line.value(JvmKeys.MAX_RAM_PERCENTAGE.name())
                .flatMap(JvmKeys.MAX_RAM_PERCENTAGE.kind()::read)
                .filter(it -> it.signum() >= 0 && it.compareTo(HUNDRED) <= 0)
                .orElseGet(JvmKeys.MAX_RAM_PERCENTAGE::constantDefault)
                .doubleValue()
            / 100;
    return (long) (limit.getAsLong() * share) / RunningConfiguration.MIB * RunningConfiguration.MIB;
  }

  private String firstUnclear() {
    var first = conf.unclear().get(0);
    return first.place() + ": " + first.key() + " " + first.message();
  }

  private Optional<Long> size(String name) throws RefusedException {
    if (line.isUnknown(name)) {
      var found = line.unknown().get(name);
      throw new RefusedException(
          "DIR",
          found.place(),
          "has " + found.value() + ", which is not evaluated; must be a size, for example 30g");
    }
    var value = line.value(name);
    var size = value.flatMap(Kind.JVM_SIZE::read);
    if (value.isEmpty() || size.isPresent()) {
      return size;
    }
    add(Severity.error, name, line.find(name).orElseThrow(), "must be a size, for example 30g");
    return Optional.empty();
  }

  private BlockCacheSpec cache() {
    var l1 = text(L1_SIZE).map(RunningConfigurationReader::share).orElse(1.0);
    var engine = text(ENGINE);
    if (l1 <= HBaseKeys.NO_CACHE_SHARE.doubleValue()) {
      return mode(BlockCacheSpec.Mode.Disabled);
    }
    if (engine.isEmpty()) {
      boolean metaOnly =
          text(HBaseKeys.CACHE_POLICY.name()).filter("IndexOnlyLRU"::equalsIgnoreCase).isPresent()
              || text(HBaseKeys.CACHE_DATA_ON_READ.name())
                  .flatMap(Kind.BOOLEAN::read)
                  .filter(cached -> !cached)
                  .isPresent();
      return mode(metaOnly ? BlockCacheSpec.Mode.MetaOnly : BlockCacheSpec.Mode.Lru);
    }
    var parsed = engine.flatMap(CacheEngine::of);
    if (parsed.isEmpty()) {
      add(
          Severity.error,
          ENGINE,
          conf.properties().get(ENGINE),
          "is not an engine of HBase 2.6; must be offheap or file:/folder/bucket.cache");
      return mode(BlockCacheSpec.Mode.OffHeap);
    }
    if (parsed.get().isOffHeap()) {
      return mode(BlockCacheSpec.Mode.OffHeap);
    }
    var paths = parsed.get().paths();
    if (parsed.get().file().isEmpty() || paths.contains(",")) {
      add(
          Severity.warning,
          ENGINE,
          conf.properties().get(ENGINE),
          "is checked as one file; must be offheap, or file: with one file, for a plan");
    }
    return file(paths.split(",", 2)[0]);
  }

  private BlockCacheSpec file(String path) {
    int slash = path.lastIndexOf('/');
    var size = text(CACHE_SIZE).map(RunningConfigurationReader::share).filter(mib -> mib >= 1);
    return new BlockCacheSpec(
        BlockCacheSpec.Mode.File,
        null,
        size.map(
                mib ->
                    RunningConfiguration.bytes(
                        clamped(mib.longValue(), MOST_MIB) * RunningConfiguration.MIB))
            .orElse(null),
        new BlockCacheSpec.FileSpec(
            slash > 0 ? path.substring(0, slash) : "/", text(PERSISTENCE).isPresent(), null));
  }

  private static BlockCacheSpec mode(BlockCacheSpec.Mode mode) {
    return new BlockCacheSpec(mode, null, null, null);
  }

  /** A number; 0 for another text, which the planner refuses. */
  private static double share(String text) {
    return Kind.FLOAT.read(text).map(BigDecimal::doubleValue).orElse(1.0);
  }

  private boolean isTrue(String key) {
    return text(key).flatMap(Kind.BOOLEAN::read).orElse(false);
  }

  private Optional<String> text(String key) {
    return Optional.ofNullable(conf.properties().get(key))
        .map(PlacedValue::value)
        .filter(value -> !value.isEmpty());
  }

  /** A number in a range; the planner refuses the original. */
  private static long clamped(long number, long most) {
    return Math.max(-most, Math.min(most, number));
  }

  private long number(Key<Long> key) {
    long defaultValue = key.constantDefault();
    var value = text(key.name());
    var number = value.flatMap(Kind.LONG::read);
    if (value.isEmpty() || number.isPresent()) {
      return number.orElse(defaultValue);
    }
    add(
        Severity.error,
        key.name(),
        conf.properties().get(key.name()),
        "must be a whole number, for example " + defaultValue + ", HBase's default");
    return defaultValue;
  }

  private void add(Severity severity, String key, PlacedValue found, String message) {
    findings.add(
        new Finding(
            severity, key, JvmLine.shown(found.value()), found.place(), true, null, message));
  }
}
