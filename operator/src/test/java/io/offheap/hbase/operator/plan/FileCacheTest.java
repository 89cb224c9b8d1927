package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.GIB;
import static io.offheap.hbase.operator.plan.Bytes.MIB;
import static io.offheap.hbase.operator.plan.DeclaredExample.regionServer;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class FileCacheTest {
  private static DeclaredExample server() {
    return regionServer().heap(16 * GIB).offHeap(2 * GIB);
  }

  @Test
  void cacheLeavesSixteenthOfVolume() {
    var server = server().file("/ssd", true, OptionalLong.of(160 * GIB));

    assertThat(server.plan().hbaseSite())
        .containsEntry("hbase.bucketcache.ioengine", "file:/ssd/bucket.cache")
        .containsEntry("hbase.bucketcache.persistent.path", "/ssd/bucket.map")
        .containsEntry("hbase.bucketcache.size", Long.toString(150 * 1024));
    assertThat(server.plan().bucketCache().orElseThrow().folder()).contains("/ssd");
    assertThat(server.plan().bucketCache().orElseThrow().fileBytes()).isEqualTo(150 * GIB);
  }

  @Test
  void parsesFractionalSizeAsHBaseDoes() {
    var server =
        server()
            .file("/ssd", true, OptionalLong.of(160 * GIB))
            .config("hbase.bucketcache.size", "10240.5");
    var cache = server.plan().bucketCache().orElseThrow();

    assertThat(cache.bytes()).isEqualTo(10240 * MIB + MIB / 2);
    assertThat(cache.directBytes()).isZero();
  }

  @Test
  void fileTakesNeitherOffHeapNorContainerMemory() {
    var file = server().file("/ssd", true, OptionalLong.of(160 * GIB));

    assertThat(file.budget("bucketCache")).isZero();
    assertThat(
            file.budget("ramBuffer") + file.budget("allocatorPool") + file.budget("offHeapReserve"))
        .isEqualTo(2 * GIB);
  }

  @Test
  void indexRaisesStartOfMarking() {
    var small = server().file("/ssd", true, OptionalLong.of(16 * GIB));
    var large = server().file("/ssd", true, OptionalLong.of(320 * GIB));

    assertThat(ihop(large)).isGreaterThan(ihop(small) + 5);
  }

  private static long ihop(DeclaredExample server) {
    var key = "InitiatingHeapOccupancyPercent";
    return Long.parseLong(server.plan().setting(Target.JVM, key).orElseThrow().text());
  }

  @Test
  void refusalNamesLargestCacheWhoseIndexFitsHeap() {
    var server = server().heap(4 * GIB).file("/ssd", true, OptionalLong.of(2048 * GIB));

    server.assertRefused(
        "index over the heap", "blockCache.bucketCacheSize", "InitiatingHeapOccupancyPercent");
    var most =
        server
            .problems()
            .get(0)
            .message()
            .replaceAll(".*; must be at most (\\d+)([GM])i, or.*", "$1 $2");
    long unit = most.endsWith("G") ? GIB : MIB;
    long bytes = Long.parseLong(most.substring(0, most.length() - 2)) * unit;
    assertThat(server.bucketCache(bytes).problems()).isEmpty();
  }

  @Test
  void persistentCacheTakesEightBytesMoreForEachBlock() {
    var kept = server().file("/ssd", true, OptionalLong.of(160 * GIB)).cell(972);
    var lost = server().file("/ssd", false, OptionalLong.of(160 * GIB)).cell(972);

    assertThat(kept.site("hbase.bucketcache.bucket.sizes")).contains("66816");
    assertThat(lost.site("hbase.bucketcache.bucket.sizes"))
        .contains("66560")
        .doesNotContain("66816");
    assertThat(lost.plan().hbaseSite()).doesNotContainKey("hbase.bucketcache.persistent.path");
  }

  @Test
  void refusesUndeclaredSizeWithoutVolume() {
    var server = server().file("/cache", false, OptionalLong.empty());

    server.assertRefused(
        "no size", "blockCache.bucketCacheSize", "must be declared in mode File where");
    assertThat(server.bucketCache(10 * GIB).site("hbase.bucketcache.size")).isEqualTo("10240");
  }

  @Test
  void refusesSizeOverVolume() {
    server()
        .file("/ssd", true, OptionalLong.of(16 * GIB))
        .bucketCache(16 * GIB)
        .assertRefused(
            "over the volume",
            "blockCache.bucketCacheSize",
            "bucket cache 16384 MiB; must be from 32 MiB, a bucket of each size, to 15Gi");
  }
}
