package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.GIB;
import static io.offheap.hbase.operator.plan.Bytes.MIB;
import static io.offheap.hbase.operator.plan.DeclaredExample.regionServer;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** G1's regions, the chunks in them, and survivors. */
class HeapRegionsTest {
  private static final String CHUNK = "hbase.hregion.memstore.mslab.chunksize";

  @ParameterizedTest(name = "a heap of {0} MiB: regions of {1} MiB, chunks of {2}")
  @CsvSource({
    "   256,  1,  523264",
    "   512,  1,  523264",
    "  1024,  1,  523264",
    "  1439,  1,  523264",
    // nearer to 2 MiB than to 1
    "  1440,  2, 1047552",
    "  2048,  2, 1047552",
    "  3072,  4, 2096128",
    "  4095,  4, 2096128",
    // from here on a whole chunk of 2 MiB is not humongous
    "  4096,  8, 2097152",
    "  9216,  8, 2097152",
    " 11519,  8, 2097152",
    " 11520, 16, 2097152",
    " 16384, 16, 2097152",
    " 23039, 16, 2097152",
    " 23040, 32, 2097152",
    " 30720, 32, 2097152",
    " 51200, 32, 2097152",
    "102400, 32, 2097152",
  })
  void regionIsNearThousandthOfHeap(long heapMib, long regionMib, String chunk) {
    long heap = heapMib * MIB;

    assertThat(HeapRegions.derivedRegionBytes(heap)).isEqualTo(regionMib * MIB);
    assertThat(regionServer().heap(heap).offHeap(GIB).site(CHUNK)).isEqualTo(chunk);
  }

  @Test
  void derivedChunkIsNeverHumongous() {
    for (long heap = 256 * MIB; heap <= 100 * GIB; heap += 37 * MIB) {
      long region = HeapRegions.derivedRegionBytes(heap);
      long chunk = Long.parseLong(regionServer().heap(heap).offHeap(4 * GIB).site(CHUNK));

      assertThat(Long.bitCount(region)).as("regions of %d", region).isOne();
      assertThat(heap / region).as("regions of a heap of %d", heap).isGreaterThanOrEqualTo(256);
      assertThat(chunk + 16).as("chunk and header in %d", region).isLessThanOrEqualTo(region / 2);
    }
  }

  @ParameterizedTest(name = "{0} regions of {1} MiB, {2} % young, SurvivorRatio {3}: {4}")
  @CsvSource({
    // the talk's own log line
    "960, 32, 1, 8,  33554432",
    "960, 32, 1, 4,  50331648",
    "960, 32, 1, 2,  83886080",
    "960, 32, 2, 8,  50331648",
    "960, 32, 4, 8,  83886080",
    "960, 32, 4, 4, 167772160",
    "960, 32, 5, 8, 100663296",
  })
  void desiredSurvivorSizeIsThatOfG1(
      long regions, long regionMib, long newPercent, long ratio, long bytes) {
    var heap = new HeapRegions(regionMib * MIB, regions);

    assertThat(Survivors.desiredBytes(heap, newPercent, ratio)).isEqualTo(bytes);
  }

  @Test
  void roundsSmallHeapUpToPageOfCardTable() {
    assertThat(regionServer().heap(777 * MIB).offHeap(GIB).budget("heap")).isEqualTo(778 * MIB);
  }

  @Test
  void budgetCountsHeapAsRoundedByJvm() {
    var server = regionServer().heap(30 * GIB + MIB);

    assertThat(server.plan().jvmOptions()).contains("-Xmx30721m", "-XX:G1HeapRegionSize=32m");
    assertThat(server.budget("heap")).isEqualTo(961 * 32 * MIB);
  }
}
