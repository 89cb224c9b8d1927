package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.MIB;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * The options of the region server's JVM that a plan derives or depends on, with the defaults of a
 * JDK 17 ({@code -XX:+PrintFlagsFinal}) and, for system properties, of the library.
 */
public final class JvmKeys {
  private static final String HOTSPOT = "HotSpot: gc_globals.hpp";
  private static final String G1 = "HotSpot: g1_globals.hpp";
  private static final String ERGONOMICS = "HotSpot: arguments.cpp";

  /** From this memory and two cores on, a JVM uses G1. */
  private static final long SERVER_CLASS = 1792 * MIB;

  private static final long JVMS_REGIONS = 2048;

  public static final Key<Long> HEAP =
      key("Xmx", Kind.JVM_SIZE, ERGONOMICS)
          .byDefault(context -> Optional.of(Kind.JVM_SIZE.write(context.heapBytes())));

  public static final Key<Long> HEAP_AT_START =
      key("Xms", Kind.JVM_SIZE, ERGONOMICS)
          .byDefault(
              context ->
                  context.limitBytes().stream()
                      .mapToObj(limit -> Kind.JVM_SIZE.write(limit / 64 / MIB * MIB))
                      .findFirst());

  public static final Key<Long> DIRECT_MEMORY =
      key("MaxDirectMemorySize", Kind.JVM_SIZE, "HotSpot: globals.hpp")
          .byDefault(context -> Optional.of(Kind.JVM_SIZE.write(context.offHeapBytes())));

  public static final Key<Boolean> USE_G1 =
      key("UseG1GC", Kind.JVM_SWITCH, HOTSPOT)
          .byDefault(
              context ->
                  Optional.of(
                      Boolean.toString(
                          context.cores() >= 2
                              && context.limitBytes().orElse(Long.MAX_VALUE) >= SERVER_CLASS)));

  public static final Key<Boolean> UNLOCK_EXPERIMENTAL =
      key("UnlockExperimentalVMOptions", Kind.JVM_SWITCH, "HotSpot: globals.hpp").byDefault(false);

  public static final Key<Long> PAUSE_TARGET =
      key("MaxGCPauseMillis", Kind.JVM_NUMBER, HOTSPOT).in(Unit.MILLISECONDS).byDefault(200L);

  public static final Key<Boolean> ADAPTIVE_IHOP =
      key("G1UseAdaptiveIHOP", Kind.JVM_SWITCH, G1).byDefault(true);

  public static final Key<Long> IHOP =
      key("InitiatingHeapOccupancyPercent", Kind.JVM_NUMBER, HOTSPOT)
          .in(Unit.PERCENT_OF_HEAP)
          .byDefault(45L);

  public static final Key<Long> REGION_SIZE =
      key("G1HeapRegionSize", Kind.JVM_SIZE, G1)
          .byDefault(context -> Optional.of(Kind.JVM_SIZE.write(regionBytes(context.heapBytes()))));

  public static final Key<Long> NEW_SIZE_PERCENT =
      key("G1NewSizePercent", Kind.JVM_NUMBER, G1).in(Unit.PERCENT_OF_HEAP).byDefault(5L);

  public static final Key<Long> MAX_NEW_SIZE_PERCENT =
      key("G1MaxNewSizePercent", Kind.JVM_NUMBER, G1).in(Unit.PERCENT_OF_HEAP).byDefault(60L);

  public static final Key<Long> SURVIVOR_RATIO =
      key("SurvivorRatio", Kind.JVM_NUMBER, HOTSPOT).byDefault(8L);

  public static final Key<Long> TARGET_SURVIVOR_RATIO =
      key("TargetSurvivorRatio", Kind.JVM_NUMBER, HOTSPOT).byDefault(50L);

  public static final Key<Long> TENURING_THRESHOLD =
      key("MaxTenuringThreshold", Kind.JVM_NUMBER, HOTSPOT)
          .in(Unit.YOUNG_COLLECTIONS)
          .byDefault(15L);

  public static final Key<Long> MIXED_COUNT_TARGET =
      key("G1MixedGCCountTarget", Kind.JVM_NUMBER, G1).in(Unit.MIXED_COLLECTIONS).byDefault(8L);

  public static final Key<Long> OLD_CSET_PERCENT =
      key("G1OldCSetRegionThresholdPercent", Kind.JVM_NUMBER, G1)
          .in(Unit.PERCENT_OF_HEAP)
          .byDefault(10L);

  /** The heap that G1 keeps free to copy to. */
  public static final Key<Long> RESERVE_PERCENT =
      key("G1ReservePercent", Kind.JVM_NUMBER, G1).in(Unit.PERCENT_OF_HEAP).byDefault(10L);

  /** The garbage that G1 leaves in old regions after mixed collections. */
  public static final Key<Long> HEAP_WASTE_PERCENT =
      key("G1HeapWastePercent", Kind.JVM_NUMBER, G1).in(Unit.PERCENT_OF_HEAP).byDefault(5L);

  /** The heap's percentage of memory where {@link #HEAP} is not set. */
  public static final Key<BigDecimal> MAX_RAM_PERCENTAGE =
      key("MaxRAMPercentage", Kind.FLOAT, HOTSPOT).byDefault(new BigDecimal("25"));

  public static final Key<Long> PARALLEL_THREADS =
      key("ParallelGCThreads", Kind.JVM_NUMBER, HOTSPOT)
          .in(Unit.THREADS)
          .byDefault(
              context -> {
                int cores = context.cores();
                return Optional.of(Integer.toString(cores <= 8 ? cores : 8 + (cores - 8) * 5 / 8));
              });

  public static final Key<Long> CONCURRENT_THREADS =
      key("ConcGCThreads", Kind.JVM_NUMBER, HOTSPOT)
          .in(Unit.THREADS)
          .byDefault(
              context ->
                  context
                      .value(PARALLEL_THREADS)
                      .map(threads -> Long.toString(Math.max(1, (threads + 2) / 4))));

  public static final Key<Boolean> PARALLEL_REFERENCES =
      key("ParallelRefProcEnabled", Kind.JVM_SWITCH, HOTSPOT)
          .byDefault(
              context ->
                  context.value(PARALLEL_THREADS).map(threads -> Boolean.toString(threads > 1)));

  /** {@code bin/hbase} starts every JVM with OnOutOfMemoryError="kill -9 %p", which ends it too. */
  public static final Key<Boolean> EXIT_ON_OUT_OF_MEMORY =
      key("ExitOnOutOfMemoryError", Kind.JVM_SWITCH, "HotSpot: globals.hpp").byDefault(true);

  public static final Key<String> LOG = key("Xlog", Kind.TEXT, "HotSpot: logConfiguration.cpp");

  /** Compared as text: it is a system property, which Netty parses. */
  public static final Key<String> NETTY_DIRECT_MEMORY =
      key(
              "org.apache.hbase.thirdparty.io.netty.maxDirectMemory",
              Kind.TEXT,
              "Netty: PlatformDependent")
          .in(Unit.BYTES)
          .byDefault(context -> Optional.of(Long.toString(context.offHeapBytes())));

  /** Compared as text: it is a system property, which the library parses. */
  public static final Key<String> TEMPORARY_BUFFER =
      key("jdk.nio.maxCachedBufferSize", Kind.TEXT, "JDK 17: sun.nio.ch.Util")
          .in(Unit.BYTES)
          .byDefault(Long.toString(Long.MAX_VALUE));

  /** Selects Hadoop's jars for a region server; the image stops at other values. */
  public static final Key<String> HADOOP_JARS =
      key("hbase.offheap.hadoop", Kind.TEXT, "the image's start script");

  static final List<Key<?>> ALL =
      List.of(
          HEAP,
          HEAP_AT_START,
          DIRECT_MEMORY,
          USE_G1,
          UNLOCK_EXPERIMENTAL,
          PAUSE_TARGET,
          ADAPTIVE_IHOP,
          IHOP,
          REGION_SIZE,
          NEW_SIZE_PERCENT,
          MAX_NEW_SIZE_PERCENT,
          SURVIVOR_RATIO,
          TARGET_SURVIVOR_RATIO,
          TENURING_THRESHOLD,
          MIXED_COUNT_TARGET,
          OLD_CSET_PERCENT,
          RESERVE_PERCENT,
          HEAP_WASTE_PERCENT,
          MAX_RAM_PERCENTAGE,
          PARALLEL_THREADS,
          CONCURRENT_THREADS,
          PARALLEL_REFERENCES,
          EXIT_ON_OUT_OF_MEMORY,
          LOG,
          NETTY_DIRECT_MEMORY,
          TEMPORARY_BUFFER,
          HADOOP_JARS);

  private JvmKeys() {}

  private static <T> Key<T> key(String name, Kind<T> kind, String source) {
    return Key.of(Target.JVM, name, kind, source);
  }

  /** Rounded up to a power of two, as a JDK 17 does. */
  private static long regionBytes(long heap) {
    long ideal = Math.max(MIB, Math.min(32 * MIB, heap / JVMS_REGIONS));
    long below = Long.highestOneBit(ideal);
    return below == ideal ? ideal : below * 2;
  }
}
