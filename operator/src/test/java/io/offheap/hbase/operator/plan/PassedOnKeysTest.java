package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.GIB;
import static io.offheap.hbase.operator.plan.DeclaredExample.regionServer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys that a plan passes on as declared, and that its formulas use. */
class PassedOnKeysTest {
  private static final String CHECKSUM = "hbase.hstore.bytes.per.checksum";
  private static final String CELL = "hbase.hregion.memstore.mslab.max.allocation";
  private static final String CHUNK = "hbase.hregion.memstore.mslab.chunksize";
  private static final String ACCEPT_FACTOR = "hbase.bucketcache.acceptfactor";
  private static final String BUFFER = "hbase.server.allocator.buffer.size";
  private static final String COUNT = "hbase.server.allocator.max.buffer.count";

  @ParameterizedTest(name = "{0}: buffers of {1}")
  @CsvSource({
    // 66 + 66474 + 4 x ceil(66507 / 4096) = 66608
    "4096, 67584",
    "0x1000, 67584",
    "16384, 66560",
    "131072, 66560",
  })
  void bufferHoldsDeclaredChecksums(String bytes, String buffer) {
    var plan = regionServer().config(CHECKSUM, bytes).plan();

    assertThat(plan.hbaseSite()).containsEntry(BUFFER, buffer).containsEntry(CHECKSUM, bytes);
    assertThat(plan.setting(HBaseKeys.BUFFER_SIZE).orElseThrow().fields())
        .containsExactly(FieldPath.of(HBaseKeys.BYTES_PER_CHECKSUM));
  }

  @ParameterizedTest(name = "{0} = {1}: {2} buffers")
  @CsvSource({
    "hbase.bucketcache.writer.threads, 6, 768",
    "hbase.bucketcache.writer.threads, 1, 128",
    "hbase.bucketcache.writer.queuelength, 128, 768",
    "hbase.bucketcache.writer.queuelength, 16, 96",
  })
  void poolHoldsBlocksOfDeclaredWriters(String key, String value, String count) {
    assertThat(regionServer().handlers(1).config(key, value).site(COUNT)).isEqualTo(count);
  }

  @Test
  void chunkHoldsDeclaredLargestCell() {
    var server = regionServer().config(CHUNK, "131072");

    server.assertRefused("chunk", "config[" + CHUNK + "]", "131072 is out of range; must be from");
    assertThat(server.config(CELL, "131072").site(CHUNK)).isEqualTo("131072");
    server
        .config(CELL, "131073")
        .assertRefused("cell", "config[" + CHUNK + "]", "131072 is out of range; must be from");
  }

  @Test
  void cacheOfWorkingSetIsFilledToDeclaredShare() {
    var server = regionServer().limitAlone(114 * GIB).workingSet(80 * GIB);
    long byDefault = server.budget("bucketCache");

    long filledLess = server.config(ACCEPT_FACTOR, "0.85").budget("bucketCache");

    // 80 GiB / 0.95 and 80 GiB / 0.85 are 84.2 and 94.1 GiB
    assertThat(filledLess - byDefault).isBetween(9 * GIB, 11 * GIB);
  }

  @Test
  void cacheIsFilledToNoLessThanDeclaredLeastShare() {
    var server = regionServer().config(ACCEPT_FACTOR, "0.5");

    server.assertRefused(
        "least share",
        "config[" + ACCEPT_FACTOR + "]",
        ACCEPT_FACTOR + "=0.5 is out of range; must be a number from 0.85 to 1");
    assertThat(server.config("hbase.bucketcache.minfactor", "0.4").problems()).isEmpty();
  }

  @Test
  void markingLeavesRoomForDeclaredReserve() {
    var ihop = "-XX:InitiatingHeapOccupancyPercent=93";

    regionServer()
        .jvmOption("-XX:G1ReservePercent=50")
        .assertRefused(
            "reserve",
            "jvmOptions[G1ReservePercent]",
            "InitiatingHeapOccupancyPercent 65 (memstore 0.45 + on-heap cache 0.1 + 0.10 + 141.8"
                + " MiB of 30720 MiB for the bucket cache's index) + G1NewSizePercent 2 + 50 for"
                + " marking = 117 is over 100 % of the heap; G1ReservePercent must be at most 33");
    assertThat(regionServer().jvmOption("-XX:G1ReservePercent=33").problems()).isEmpty();
    assertThat(regionServer().jvmOption(ihop).jvmOption("-XX:G1ReservePercent=5").problems())
        .isEmpty();
    regionServer()
        .jvmOption(ihop)
        .jvmOption("-XX:G1ReservePercent=6")
        .assertRefused(
            "IHOP",
            "jvmOptions[InitiatingHeapOccupancyPercent]",
            "InitiatingHeapOccupancyPercent 93 + G1NewSizePercent 2 + 6 for marking = 101 is over"
                + " 100 % of the heap; must be at most 92");
  }

  @ParameterizedTest(name = "{0} = {1}")
  @CsvSource({
    "hbase.hstore.bytes.per.checksum, 32, a whole number from 33 to 2147483647",
    "hbase.hstore.bytes.per.checksum, many, a whole number from 33 to 2147483647",
    "hbase.bucketcache.writer.threads, 0, a whole number from 1 to 10000",
    "hbase.bucketcache.writer.queuelength, -1, a whole number from 1 to 10000000",
    "hbase.hregion.memstore.mslab.max.allocation, -1, a whole number from 0 to 2097152",
    "hbase.hregion.memstore.mslab.max.allocation, 4194304, a whole number from 0 to 2097152",
    "hbase.bucketcache.acceptfactor, 1.1, a number from 0.85 to 1",
    "hbase.bucketcache.minfactor, 0.96, a number from 0 to 0.95",
  })
  void refusesPropertyOutOfRange(String key, String value, String range) {
    regionServer()
        .config(key, value)
        .assertRefused(
            "range",
            "config[" + key + "]",
            key + "=" + value + " is out of range; must be " + range);
  }

  @ParameterizedTest
  @CsvSource({
    "G1ReservePercent, 51, is out of range; must be a whole number from 0 to 50",
    "G1HeapWastePercent, 101, is out of range; must be a whole number from 0 to 100",
    "MaxRAMPercentage, 101, is out of range; must be a number from 0 to 100",
  })
  void refusesOptionOutOfRangeOnce(String name, String value, String message) {
    var server = regionServer().jvmOption("-XX:" + name + "=" + value);

    server.assertRefused(
        "range", "jvmOptions[" + name + "]", "-XX:" + name + "=" + value + " " + message);
    assertThat(server.problems()).hasSize(1);
  }

  @Test
  void settingPassedOnHasSourceOfItsKey() {
    var plan = regionServer().config(CHECKSUM, "4096").config("hbase.foo", "bar").plan();

    assertThat(plan.setting(HBaseKeys.BYTES_PER_CHECKSUM).orElseThrow().source())
        .isEqualTo("HBase 2.6: StoreUtils");
    assertThat(plan.setting(Target.HBASE_SITE, "hbase.foo").orElseThrow().source()).isEmpty();
  }

  @Test
  void effectiveValueIsDeclaredElseDefault() {
    assertThat(regionServer().plan().effective(JvmKeys.RESERVE_PERCENT)).isEqualTo(10);
    assertThat(
            regionServer()
                .jvmOption("-XX:G1ReservePercent=0x14")
                .plan()
                .effective(JvmKeys.RESERVE_PERCENT))
        .isEqualTo(20);
    assertThat(JvmKeys.MAX_RAM_PERCENTAGE.constantDefault()).isEqualByComparingTo("25");
    assertThatThrownBy(HBaseKeys.BUFFER_COUNT::constantDefault)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("hbase.server.allocator.max.buffer.count has no constant default");
  }
}
