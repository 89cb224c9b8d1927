package io.offheap.hbase.operator.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CellSizesTest {
  /** HBase's own size of a cell without tags, and what a file may add to it. */
  @ParameterizedTest
  @CsvSource({"1, 1, 0", "10, 3, 100", "200, 50, 4000"})
  void cellSizeIsThatInAFile(int row, int qualifier, int value) {
    var cell =
        new KeyValue(new byte[row], "f".getBytes(UTF_8), new byte[qualifier], 1L, new byte[value]);

    assertThat(CellSizes.inHFile(cell)).isEqualTo(cell.getLength() + 2 + 9);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "939, 0", "940, 1024", "1024, 1024", "1025, 1280", "4041, 4096"})
  void roundsUpSizesOverTheUsual(long bytes, long rounded) {
    assertThat(CellSizes.rounded(bytes)).isEqualTo(rounded);
  }

  @Test
  void spreadsRegionsOverTable() {
    var all = regions(100);

    assertThat(TableSample.spread(all))
        .containsExactly(
            all.get(0),
            all.get(12),
            all.get(25),
            all.get(37),
            all.get(50),
            all.get(62),
            all.get(75),
            all.get(87));
    assertThat(TableSample.spread(regions(3))).hasSize(3);
    assertThat(TableSample.spread(List.of())).isEmpty();
  }

  private static List<RegionInfo> regions(int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                RegionInfoBuilder.newBuilder(TableName.valueOf("t"))
                    .setStartKey(Bytes.toBytes(i))
                    .setEndKey(Bytes.toBytes(i + 1))
                    .build())
        .toList();
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 1", "3, 4", "4, 4", "1073741825, 2147483648"})
  void roundsStoreFilesUpToPowerOfTwo(long bytes, long rounded) {
    assertThat(RegionServerReportSource.powerOfTwo(bytes)).isEqualTo(rounded);
  }

  @ParameterizedTest(name = "{0} cells of 100 bytes and {1} of 9000: {2}")
  @CsvSource({"0, 0, 0", "0, 1, 9000", "98, 1, 9000", "99, 1, 100", "198, 2, 100", "197, 3, 9000"})
  void ignoresOneLargerCellOfAHundred(int small, int large, long common) {
    var sizes = new ArrayList<Long>();
    sizes.addAll(Collections.nCopies(large, 9000L));
    sizes.addAll(Collections.nCopies(small, 100L));

    assertThat(CellSizes.largestCommon(sizes)).isEqualTo(common);
  }
}
