package io.offheap.hbase.operator.property;

import io.offheap.hbase.operator.property.Resources.Change;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/**
 * Values that are invalid by themselves. The API server refuses many of them, but not every
 * resource passes an API server.
 */
final class Wrong {
  private static final List<String> SIZE_FIELDS =
      List.of(
          Resource.HEAP,
          Resource.OFF_HEAP,
          Resource.LIMIT,
          Resource.BUCKET_CACHE,
          "allocator.poolSize",
          "hfile.blockSize",
          "hfile.indexBlockSize",
          "hfile.bloomBlockSize");

  private static final List<String> NUMBER_FIELDS =
      List.of(
          "resources.limits.cpu", "handlers", "hfile.cellSize", "allocator.minimalAllocateSize");

  private static final List<String> SHARE_FIELDS =
      List.of("memstoreFraction", "blockCache.l1Fraction");

  private static final List<String> SIZES =
      List.of(
          "x",
          "-1Gi",
          "0",
          "1",
          "1023",
          "1500m",
          "0.5",
          "1.5Gi",
          "300M",
          "1000000001",
          "9Ti",
          "7Ei",
          "20Ei",
          "1e30",
          "9223372036854775807");

  private static final List<Integer> NUMBERS =
      List.of(Integer.MIN_VALUE, -1, 0, 1, 66_560, 10_000, 1 << 26, Integer.MAX_VALUE);

  private static final List<String> SHARES =
      List.of("-1", "0", "1e-300", "0.0001", "590m", "0.8", "0.805", "1", "5", "1e300", "x");

  private static final List<String> OPTIONS =
      List.of(
          "",
          "x",
          "-server -Xmx1g",
          "-Xmn1g",
          "-XX:NewSize=1g",
          "-XX:+UseZGC",
          "-XX:+PrintGCDateStamps",
          "-XX:Flags=file",
          "@file");

  private static final List<String> PROPERTIES =
      List.of(
          "",
          "a b",
          "hbase.rootdir",
          "hfile.block.cache.memory.size",
          "hbase.server.allocator.pool.enabled",
          "hbase.ipc.server.reservoir.enabled");

  private Wrong() {}

  static Arbitrary<Change> fields() {
    return Arbitraries.oneOf(
        both(SIZE_FIELDS, SIZES).as((field, value) -> it -> it.with(field, value)),
        both(NUMBER_FIELDS, NUMBERS).as((field, value) -> it -> it.with(field, value)),
        both(SHARE_FIELDS, SHARES).as((field, value) -> it -> it.with(field, value)),
        Arbitraries.of(OPTIONS).map(option -> it -> it.withJvmOption(option)),
        Arbitraries.of(PROPERTIES).map(key -> it -> it.withConfig(key, "1")));
  }

  private static <F, V> Combinators.Combinator2<F, V> both(List<F> fields, List<V> values) {
    return Combinators.combine(Arbitraries.of(fields), Arbitraries.of(values));
  }
}
