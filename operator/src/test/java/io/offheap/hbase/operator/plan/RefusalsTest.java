package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.GIB;
import static io.offheap.hbase.operator.plan.Bytes.MIB;
import static io.offheap.hbase.operator.plan.DeclaredExample.regionServer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.offheap.hbase.operator.plan.Declared.CacheMode;
import io.offheap.hbase.operator.plan.Declared.Load;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Refused sizes and shares; each problem names the field, the value and what it must be. */
class RefusalsTest {
  static Stream<Arguments> sizes() {
    return Stream.of(
        arguments(
            "off-heap holds pool and reserve, but no bucket cache",
            regionServer().offHeap(160 * MIB),
            "memory.offHeap",
            "160Mi is too small: allocator pool 118.1 MiB (1860 x 66560) + reserve 16 MiB leave 24"
                + " MiB for the bucket cache, which needs 32 MiB for a bucket of each size; must be"
                + " at least 168Mi"),
        arguments(
            "off-heap is smaller than the pool",
            regionServer().offHeap(GIB).pool(2 * GIB),
            "memory.offHeap",
            "1Gi is too small: allocator pool 2047.9 MiB (32263 x 66560) + reserve 64 MiB leave 0"
                + " MiB for the bucket cache, which needs 32 MiB for a bucket of each size; must be"
                + " at least 2220Mi"),
        arguments(
            "off-heap is smaller than the pool, without a bucket cache",
            regionServer().mode(CacheMode.DISABLED).offHeap(GIB).pool(2 * GIB),
            "memory.offHeap",
            "1Gi is too small: allocator pool 2047.9 MiB (16131 x 133120) + reserve 64 MiB ="
                + " 2111.9 MiB; must be at least 2188Mi"),
        arguments(
            "bucket cache over the budget",
            regionServer().offHeap(4 * GIB).bucketCache(4 * GIB),
            "blockCache.bucketCacheSize",
            "bucket cache 4096 MiB + allocator pool 118.1 MiB (1860 x 66560) + reserve 256 MiB must"
                + " fit into spec.regionServers.memory.offHeap 4Gi, and a bucket of each size into"
                + " the cache; must be from 32 MiB to 3720 MiB"),
        arguments(
            "bucket cache too small for its sizes",
            regionServer().offHeap(4 * GIB).bucketCache(28 * MIB),
            "blockCache.bucketCacheSize",
            "bucket cache 28 MiB + allocator pool 118.1 MiB (1860 x 66560) + reserve 256 MiB must"
                + " fit into spec.regionServers.memory.offHeap 4Gi, and a bucket of each size into"
                + " the cache; must be from 32 MiB to 3720 MiB"),
        arguments(
            "bucket cache without its mode",
            regionServer().mode(CacheMode.LRU).bucketCache(GIB),
            "blockCache.bucketCacheSize",
            "1Gi must be left out: there is no bucket cache, because"
                + " spec.regionServers.blockCache.mode is Lru"),
        arguments(
            "container limit under the sum",
            regionServer().limit(60 * GIB),
            "memory.limit",
            "60Gi is too small: heap 30720 MiB + bucketCache 27648 MiB + allocatorPool 118.1 MiB +"
                + " offHeapReserve 2953.9 MiB + netty 1024 MiB + g1 1420 MiB +"
                + " metaspaceCodeAndStacks 1168 MiB = 65052 MiB; must be at least 65052Mi"),
        arguments(
            "pool smaller than a buffer",
            regionServer().blocks(4 * MIB, 131072, 131072, 939).offHeap(64 * GIB).pool(MIB),
            "allocator.poolSize",
            "0 buffers of 4196352 bytes; must be from 1 to 2147483647 buffers"));
  }

  static Stream<Arguments> shares() {
    return Stream.of(
        arguments(
            "both shares declared",
            regionServer().memstore("0.5").l1("0.4"),
            "memstoreFraction",
            "memstore 0.5 + on-heap block cache 0.4 = 90 % of the heap; HBase starts with at most"
                + " 80 %, so it must be at most 0.40 here"),
        arguments(
            "the on-heap cache's share declared",
            regionServer().l1("0.4"),
            "blockCache.l1Fraction",
            "memstore 0.45 + on-heap block cache 0.4 = 85 % of the heap; HBase starts with at most"
                + " 80 %, so it must be at most 0.35 here"),
        arguments(
            "no memstores",
            regionServer().memstore("0"),
            "memstoreFraction",
            "0 is out of range; must be over 0 and at most 0.8, else HBase falls back to 0.4"),
        arguments(
            "no on-heap cache, and with it no bucket cache",
            regionServer().l1("0"),
            "blockCache.l1Fraction",
            "0 switches the block cache off, the bucket cache as well; must be over 0.0001, or"
                + " spec.regionServers.blockCache.mode must be Disabled"),
        arguments(
            "a cache where there is none",
            regionServer().mode(CacheMode.DISABLED).l1("0.1"),
            "blockCache.l1Fraction",
            "0.1 creates a block cache, but spec.regionServers.blockCache.mode is Disabled;"
                + " must be 0"),
        arguments(
            "no room to mark in",
            regionServer().load(Load.HEAVY).memstore("0.6").l1("0.2"),
            "memstoreFraction",
            "InitiatingHeapOccupancyPercent 90 (memstore 0.6 + on-heap cache 0.2 + 0.10 + 141.8 MiB"
                + " of 30720 MiB for the bucket cache's index) + G1NewSizePercent 5 + 10 for"
                + " marking = 105 is over 100 % of the heap; must be a share of at most 0.55"),
        arguments(
            "no room to mark in, by the on-heap cache's share",
            regionServer().load(Load.HEAVY).l1("0.35"),
            "blockCache.l1Fraction",
            "InitiatingHeapOccupancyPercent 90 (memstore 0.45 + on-heap cache 0.35 + 0.10 + 141.8"
                + " MiB of 30720 MiB for the bucket cache's index) + G1NewSizePercent 5 + 10 for"
                + " marking = 105 is over 100 % of the heap; must be a share of at most 0.30"),
        arguments(
            "no room to mark in, by a declared IHOP",
            regionServer().jvmOption("-XX:InitiatingHeapOccupancyPercent=95"),
            "jvmOptions[InitiatingHeapOccupancyPercent]",
            "InitiatingHeapOccupancyPercent 95 + G1NewSizePercent 2 + 10 for marking = 107 is over"
                + " 100 % of the heap; must be at most 88"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"sizes", "shares"})
  void refusesWithFieldAndRemedy(String why, DeclaredExample server, String field, String message) {
    server.assertRefused(why, field, message);
  }

  @ParameterizedTest(name = "{0} MiB of pool, cells of {1}")
  @CsvSource({"1, 939", "120, 939", "500, 4035", "2048, 939", "40960, 10485760"})
  void refusalNamesLeastOffHeap(long poolMib, long cell) {
    for (CacheMode mode : List.of(CacheMode.OFF_HEAP, CacheMode.DISABLED)) {
      var server = regionServer().mode(mode).pool(poolMib * MIB).cell(cell).offHeap(16 * MIB);
      var message = server.problems().get(0).message();
      if (message.contains(" buffers of ")) {
        continue;
      }
      var least = message.replaceAll(".*must be at least (\\d+[MG])i.*", "$1");
      long rightBytes = bytes(least);

      assertThat(server.offHeap(rightBytes).problems()).as(message).isEmpty();
      assertThat(server.offHeap(rightBytes - 4 * MIB).problems()).as(message).isNotEmpty();
    }
  }

  @Test
  void reportsAllProblemsAtOnce() {
    var problems =
        regionServer()
            .memstore("0.9")
            .limit(GIB)
            .config("hbase.rootdir", "x")
            .config("hbase.bucketcache.size", "1")
            .jvmOption("-Xmx1g")
            .jvmOption("nonsense")
            .problems();

    assertThat(problems)
        .extracting(PlanProblem::field)
        .containsExactlyInAnyOrder(
            "spec.regionServers.memstoreFraction",
            "spec.regionServers.memory.limit",
            "spec.regionServers.config[hbase.rootdir]",
            "spec.regionServers.config[hbase.bucketcache.size]",
            "spec.regionServers.jvmOptions[Xmx]",
            "spec.regionServers.jvmOptions");
  }

  private static long bytes(String size) {
    return Kind.JVM_SIZE.read(size).orElseThrow();
  }
}
