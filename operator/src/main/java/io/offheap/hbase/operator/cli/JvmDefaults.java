package io.offheap.hbase.operator.cli;

import static java.util.Map.entry;

import io.offheap.hbase.operator.plan.Kind;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a JDK 17 takes for the options that a plan derives, where nothing sets them: as {@code
 * -XX:+PrintFlagsFinal} shows them, and the library's own for system properties.
 */
final class JvmDefaults {
  private static final long MIB = 1L << 20;
  private static final long SERVER_CLASS = 1792 * MIB;
  private static final long JVMS_REGIONS = 2048;

  private static final Map<String, String> CONSTANTS =
      Map.ofEntries(
          entry("UnlockExperimentalVMOptions", "false"),
          entry("MaxGCPauseMillis", "200"),
          entry("G1UseAdaptiveIHOP", "true"),
          entry("InitiatingHeapOccupancyPercent", "45"),
          entry("G1NewSizePercent", "5"),
          entry("SurvivorRatio", "8"),
          entry("MaxTenuringThreshold", "15"),
          entry("G1MixedGCCountTarget", "8"),
          entry("G1OldCSetRegionThresholdPercent", "10"),
          // bin/hbase starts every JVM with OnOutOfMemoryError="kill -9 %p", which ends it as well.
          entry("ExitOnOutOfMemoryError", "true"),
          entry("jdk.nio.maxCachedBufferSize", Long.toString(Long.MAX_VALUE)));

  private JvmDefaults() {}

  /**
   * The value of an option that nothing sets; none where there is no log, or nobody knows.
   *
   * @param effective values of other options, set or not
   */
  static Optional<String> of(
      String name, Running running, Function<String, Optional<String>> effective) {
    int cores = running.machine().cores();
    return switch (name) {
      case "Xms" ->
          running.limit().stream()
              .mapToObj(limit -> Kind.JVM_SIZE.write(limit / 64 / MIB * MIB))
              .findFirst();
      case "UseG1GC" ->
          Optional.of(
              Boolean.toString(
                  cores >= 2 && running.limit().orElse(Long.MAX_VALUE) >= SERVER_CLASS));
      case "G1HeapRegionSize" -> Optional.of(Kind.JVM_SIZE.write(regionBytes(running.heapBytes())));
      case "ParallelGCThreads" ->
          Optional.of(Integer.toString(cores <= 8 ? cores : 8 + (cores - 8) * 5 / 8));
      case "ConcGCThreads" ->
          parallel(effective).map(threads -> Long.toString(Math.max(1, (threads + 2) / 4)));
      case "ParallelRefProcEnabled" ->
          parallel(effective).map(threads -> Boolean.toString(threads > 1));
      case "org.apache.hbase.thirdparty.io.netty.maxDirectMemory" ->
          Optional.of(Long.toString(running.offHeapBytes()));
      default -> Optional.ofNullable(CONSTANTS.get(name));
    };
  }

  private static Optional<Long> parallel(Function<String, Optional<String>> effective) {
    return effective.apply("ParallelGCThreads").flatMap(Kind.JVM_NUMBER::read);
  }

  /** Rounded up to a power of two, as a JDK 17 does. */
  private static long regionBytes(long heap) {
    long ideal = Math.max(MIB, Math.min(32 * MIB, heap / JVMS_REGIONS));
    long below = Long.highestOneBit(ideal);
    return below == ideal ? ideal : below * 2;
  }
}
