package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.GIB;
import static io.offheap.hbase.operator.plan.Bytes.MIB;
import static io.offheap.hbase.operator.plan.DeclaredExample.regionServer;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RamBufferTest {
  private static final String ENABLE = "hbase.bucketcache.rambuffer.enable";
  private static final String SIZE = "hbase.bucketcache.rambuffer.size";

  private static DeclaredExample server(long heap, long offHeap, long file) {
    return regionServer()
        .heap(heap)
        .offHeap(offHeap)
        .file("/ssd", false, OptionalLong.empty())
        .bucketCache(file);
  }

  /** A pool of 118.1 MiB, and a reserve of 1/16. */
  @ParameterizedTest(name = "heap {0}, off-heap {1}, file {2} MiB: {3} MiB")
  @CsvSource({
    // A tenth of the file.
    "16384, 2048, 10240, 1024",
    "16384, 2048, 1290, 128",
    // Four times 32 MiB, a bucket of each size.
    "16384, 2048, 1000, 128",
    // What off-heap leaves.
    "16384, 2048, 102400, 1800",
    "16384, 264, 102400, 128",
    "16384, 200, 102400, 64",
    // A copy takes heap.
    "1024, 2048, 20480, 1024",
    // All of the file.
    "16384, 2048, 100, 100"
  })
  void isATenthOfTheFileWithinItsLimits(long heap, long offHeap, long file, long size) {
    var server = server(heap * MIB, offHeap * MIB, file * MIB).config(ENABLE, "true");

    assertThat(server.plan().hbaseSite())
        .containsEntry(ENABLE, "true")
        .containsEntry(SIZE, Long.toString(size));
    assertThat(server.budget("ramBuffer")).isEqualTo(size * MIB);
    assertThat(
            server.budget("ramBuffer")
                + server.budget("allocatorPool")
                + server.budget("offHeapReserve"))
        .isEqualTo(offHeap * MIB);
  }

  /** A copy of a small block takes as much heap as one of a large block. */
  @Test
  void isSmallerForSmallBlocks() {
    var server =
        server(4 * GIB, 4 * GIB, 20 * GIB)
            .config(ENABLE, "true")
            .blocks(8192, 131_072, 131_072, 100);

    assertThat(server.site(SIZE)).isEqualTo("512");
  }

  /** A plan does not know how the reads are distributed. */
  @ParameterizedTest
  @ValueSource(strings = {"false", ""})
  void isOffUnlessDeclared(String on) {
    var server = server(16 * GIB, 2 * GIB, 100 * GIB);
    var without = server.plan().budget();

    server = on.isEmpty() ? server : server.config(ENABLE, on);

    assertThat(server.plan().hbaseSite()).doesNotContainKey(SIZE);
    assertThat(server.plan().budget()).isEqualTo(without);
  }

  @Test
  void declaredSizeMustHoldABucketOfEachSizeAndFit() {
    assertThat(on(2 * GIB).config(SIZE, "33").budget("ramBuffer"))
        .as("whole pieces of 4 MiB are allocated")
        .isEqualTo(36 * MIB);
    on(2 * GIB).config(SIZE, "31").assertRefused("small", field(SIZE), "31 MiB + allocator pool");
    on(2 * GIB)
        .config(SIZE, "9000000000000000000")
        .assertRefused("large", field(SIZE), "9000000000000000000 MiB + allocator pool");
    on(2 * GIB).config(SIZE, "much").assertRefused("no number", field(SIZE), SIZE + "=much must");
    on(2 * GIB)
        .config("hbase.bucketcache.rambuffer.timeout", "0")
        .assertRefused(
            "no time",
            field("hbase.bucketcache.rambuffer.timeout"),
            "hbase.bucketcache.rambuffer.timeout=0 is out of range; must be");
  }

  @Test
  void isRefusedWithoutRoom() {
    on(148 * MIB).assertRefused("no room", field(ENABLE), "true needs 32 MiB of direct memory");
    assertThat(on(148 * MIB).problems().get(0).message())
        .endsWith(
            "must be false, or spec.regionServers.memory.offHeap must give 168Mi of direct memory");
    on(2 * GIB)
        .config(ENABLE, "yes")
        .assertRefused("no switch", field(ENABLE), ENABLE + "=yes must be true or false");
  }

  @Test
  void wrongSizeIsRefusedBesideADividedLimitToo() {
    limitAlone(8 * GIB, 5000 * MIB)
        .config(ENABLE, "true")
        .config(SIZE, "20")
        .assertRefused("small", field(SIZE), "20 MiB + allocator pool");
    limitAlone(8 * GIB, 5000 * MIB)
        .config(ENABLE, "true")
        .config(SIZE, "7500")
        .assertRefused("large", field(SIZE), "7500 MiB + allocator pool");
  }

  /** The heap takes 600 bytes for a copy of 8 KiB, too. */
  @Test
  void dividedLimitTakesNoMoreThanTheBufferUses() {
    var server =
        limitAlone(8 * GIB, 10 * GIB).config(ENABLE, "true").blocks(8192, 131_072, 131_072, 100);

    long size = Long.parseLong(server.site(SIZE));
    assertThat(size).isLessThan(1024);
    assertThat(server.config(SIZE, Long.toString(size)).plan().hash())
        .isEqualTo(
            limitAlone(8 * GIB, 10 * GIB)
                .config(ENABLE, "true")
                .blocks(8192, 131_072, 131_072, 100)
                .plan()
                .hash());
  }

  private static DeclaredExample on(long offHeap) {
    return server(16 * GIB, offHeap, 100 * GIB).config(ENABLE, "true");
  }

  private static String field(String key) {
    return "config[" + key + "]";
  }

  /** A tenth of the file, from 128 MiB to an eighth of the limit. */
  @ParameterizedTest(name = "limit {0}, file {1} MiB: {2} MiB")
  @CsvSource({
    "8192, 5000, 500",
    "8192, 1000, 128",
    "8192, 102400, 1024",
    "2048, 330, 128",
    "1024, 330, 128"
  })
  void dividedLimitHasATenthOfTheFile(long limit, long file, long size) {
    var server = limitAlone(limit * MIB, file * MIB).config(ENABLE, "true");

    assertThat(server.site(SIZE)).isEqualTo(Long.toString(size));
    assertThat(server.plan().containerMemoryBytes()).isEqualTo(limit * MIB);
  }

  /** The same plan, so that no server restarts for it. */
  @ParameterizedTest
  @ValueSource(longs = {500, 504, 601})
  void dividedLimitHasRoomForADeclaredSize(long size) {
    var server =
        limitAlone(8 * GIB, 5000 * MIB).config(ENABLE, "true").config(SIZE, Long.toString(size));

    assertThat(server.budget("ramBuffer")).isEqualTo((size + 3) / 4 * 4 * MIB);
    if (size == 500) {
      assertThat(server.plan().hash())
          .isEqualTo(limitAlone(8 * GIB, 5000 * MIB).config(ENABLE, "true").plan().hash());
    }
  }

  private static DeclaredExample limitAlone(long limit, long file) {
    return regionServer()
        .limitAlone(limit)
        .cores(2)
        .file("/ssd", false, OptionalLong.empty())
        .bucketCache(file);
  }
}
