package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.GIB;
import static io.offheap.hbase.operator.plan.Bytes.KIB;
import static io.offheap.hbase.operator.plan.Bytes.MIB;
import static io.offheap.hbase.operator.plan.DeclaredExample.regionServer;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DirectPartsTest {
  private static final String SHORT_CIRCUIT = "dfs.client.read.shortcircuit";

  @Test
  void takesOffHeapMemstoreFromBucketCache() {
    var with = regionServer().offHeapMemstore(4 * GIB);

    assertThat(with.site("hbase.regionserver.offheap.global.memstore.size")).isEqualTo("4096");
    assertThat(with.site("hbase.hregion.memstore.mslab.enabled")).isEqualTo("true");
    assertThat(with.budget("offHeapMemstore")).isEqualTo(4 * GIB);
    assertThat(with.budget("bucketCache"))
        .isLessThanOrEqualTo(regionServer().budget("bucketCache") - 2 * GIB);
  }

  @Test
  void refusesOffHeapMemstoreOfFractionalMebibytes() {
    regionServer()
        .offHeapMemstore(4 * GIB + 1)
        .assertRefused(
            "part of a MiB", "memory.offHeapMemstore", "4294967297; must be a whole number");
  }

  @Test
  void refusesOffHeapMemstorePropertyWithoutField() {
    regionServer()
        .config("hbase.regionserver.offheap.global.memstore.size", "4096")
        .assertRefused(
            "not counted",
            "config[hbase.regionserver.offheap.global.memstore.size]",
            "hbase.regionserver.offheap.global.memstore.size=4096 must be left out: it takes direct"
                + " memory");
  }

  @Test
  void refusesOffHeapMemstoreWithoutMslab() {
    regionServer()
        .offHeapMemstore(4 * GIB)
        .config("hbase.hregion.memstore.mslab.enabled", "false")
        .assertRefused(
            "no chunks",
            "config[hbase.hregion.memstore.mslab.enabled]",
            "hbase.hregion.memstore.mslab.enabled=false is refused");
  }

  @Test
  void countsShortCircuitBufferForEachOpenFile() {
    var server = regionServer().config(SHORT_CIRCUIT, "true").openFiles(1000);

    assertThat(server.budget("shortCircuit")).isEqualTo(1000 * 128 * KIB);
    assertThat(server.plan().hbaseSite()).containsEntry(SHORT_CIRCUIT, "true");
  }

  @Test
  void countsLargerShortCircuitBuffer() {
    var server =
        regionServer()
            .config(SHORT_CIRCUIT, "true")
            .config("hbase.dfs.client.read.shortcircuit.buffer.size", "1048576")
            .openFiles(1000);

    assertThat(server.budget("shortCircuit")).isEqualTo(1000 * MIB);
  }

  @Test
  void refusesShortCircuitReadsWithoutOpenFiles() {
    regionServer()
        .config(SHORT_CIRCUIT, "true")
        .assertRefused("no files", "hfile.openFiles", "must be declared with short-circuit reads");
  }

  @Test
  void refusesOpenFilesWithoutShortCircuitReads() {
    regionServer()
        .openFiles(10)
        .assertRefused("no meaning", "hfile.openFiles", "10 has no meaning without short-circuit");
  }
}
