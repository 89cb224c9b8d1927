package io.offheap.hbase.operator.property;

import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Target;
import io.offheap.hbase.operator.property.Resources.Change;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Declared {@code config} and {@code jvmOptions} for derived values. */
final class KnownKeys {
  private static final String ALLOCATOR = "hbase.server.allocator.";

  /** Plausible values. */
  static final List<Arbitrary<Change>> PLAUSIBLE =
      List.of(
          config("hbase.foo", "bar"),
          config(ALLOCATOR + "buffer.size", "16384", "65536", "66560", "133120", "1048576"),
          configNumber(ALLOCATOR + "max.buffer.count", 100, 5000),
          configNumber(ALLOCATOR + "minimal.allocate.size", 0, 11_264),
          configShare("hbase.bucketcache.size", 10, 100),
          config(
              "hbase.bucketcache.bucket.sizes",
              "66816",
              "5120,66816,132096",
              "132096, 66816",
              "1048832,66816"),
          Resources.percent(5, 60)
              .map(share -> config("hbase.regionserver.global.memstore.size", share)),
          Resources.percent(5, 40).map(share -> config("hfile.block.cache.size", share)),
          configNumber("hbase.hregion.memstore.mslab.chunksize", 262_144, 2_097_152),
          config("hbase.hregion.memstore.mslab.max.allocation", "131072", "262144"),
          config("hbase.hstore.bytes.per.checksum", "4096", "16384", "65536"),
          configNumber("hbase.bucketcache.writer.threads", 1, 8),
          configNumber("hbase.bucketcache.writer.queuelength", 1, 128),
          Resources.percent(85, 100).map(share -> config("hbase.bucketcache.acceptfactor", share)),
          jvm("G1HeapRegionSize", "1m", "2m", "4m", "8m", "16m", "32m", "4194304"),
          jvmNumber("MaxGCPauseMillis", 10, 1000),
          jvmNumber("InitiatingHeapOccupancyPercent", 40, 90),
          jvmNumber("G1NewSizePercent", 1, 20),
          jvmNumber("SurvivorRatio", 1, 64),
          jvmNumber("MaxTenuringThreshold", 0, 15),
          jvmNumber("G1MixedGCCountTarget", 1, 1000),
          jvmNumber("G1OldCSetRegionThresholdPercent", 1, 100),
          jvmNumber("G1ReservePercent", 0, 20),
          jvmNumber("G1HeapWastePercent", 0, 20),
          jvmNumber("ParallelGCThreads", 1, 64),
          jvmNumber("ConcGCThreads", 1, 16),
          jvm("Xlog", "gc:stdout", "gc*=debug:stdout:uptime", "disable"),
          jvmOption("-XX:-ParallelRefProcEnabled"),
          jvmOption("-XX:-ExitOnOutOfMemoryError"),
          jvmOption("-Dfoo=bar"),
          jvmOption("--add-opens=java.base/java.nio=ALL-UNNAMED"));

  private static final List<String> VALUES =
      List.of(
          "0",
          "1",
          "-1",
          "+7",
          "007",
          "0.3",
          "1024",
          "4096",
          "66560",
          "2097152",
          "true",
          "false",
          "x",
          "",
          " ",
          "1e9",
          "1e999999999",
          "9223372036854775807",
          "17592186072064",
          "99999999999999999999",
          "32m",
          "8M",
          "16777216t");

  private KnownKeys() {}

  /** Any value for any key that a plan has: it need not make sense. */
  static Arbitrary<Change> anyValue() {
    var derived =
        Resource.ofMib(30_720, 30_720).planned().orElseThrow().settings().stream()
            .filter(setting -> setting.target() != Target.CONTAINER)
            .toList();
    return Combinators.combine(Arbitraries.of(derived), Arbitraries.of(VALUES))
        .as((setting, value) -> resource -> declare(resource, setting, value));
  }

  private static Resource declare(Resource resource, Setting setting, String value) {
    return setting.target() == Target.HBASE_SITE
        ? resource.withConfig(setting.name(), value)
        : resource.withJvmOption(option(setting.name(), value));
  }

  /** The option for {@code java}. */
  static String option(String name, String value) {
    if (name.contains(".")) {
      return "-D" + name + "=" + value;
    }
    if (name.equals("Xlog")) {
      return "-Xlog:" + value;
    }
    return name.startsWith("Xm") ? "-" + name + value : "-XX:" + name + "=" + value;
  }

  private static Arbitrary<Change> config(String key, String... values) {
    return Arbitraries.of(values).map(value -> resource -> resource.withConfig(key, value));
  }

  private static Change config(String key, int percent) {
    return resource -> resource.withConfig(key, Double.toString(percent / 100.0));
  }

  private static Arbitrary<Change> configNumber(String key, int least, int most) {
    return Arbitraries.integers()
        .between(least, most)
        .map(number -> resource -> resource.withConfig(key, Integer.toString(number)));
  }

  private static Arbitrary<Change> configShare(String key, int least, int most) {
    return Resources.percent(least, most)
        .map(
            share ->
                resource ->
                    resource.withConfig(
                        key, Long.toString(resource.mibOf(Resource.OFF_HEAP) * share / 100)));
  }

  private static Arbitrary<Change> jvm(String name, String... values) {
    return Arbitraries.of(values)
        .map(value -> resource -> resource.withJvmOption(option(name, value)));
  }

  private static Arbitrary<Change> jvmNumber(String name, int least, int most) {
    return Arbitraries.integers()
        .between(least, most)
        .map(number -> resource -> resource.withJvmOption(option(name, Integer.toString(number))));
  }

  private static Arbitrary<Change> jvmOption(String option) {
    return Arbitraries.just(resource -> resource.withJvmOption(option));
  }
}
