package io.offheap.hbase.loadgen;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowDataTest {
  private static final long ROWS = 100_000;

  @Test
  void everyRowHasAKeyOfItsOwn() {
    assertThat(LongStream.range(0, ROWS).mapToObj(RowDataTest::key).distinct()).hasSize(100_000);
  }

  @Test
  void keysSpreadEvenlyOverTheRegions() {
    byte[][] splits = RowData.splitKeys(8);
    long[] rowsOfRegion = new long[8];

    for (long row = 0; row < ROWS; row++) {
      int found = Arrays.binarySearch(splits, RowData.key(row), Arrays::compareUnsigned);
      rowsOfRegion[found >= 0 ? found + 1 : -found - 1]++;
    }

    assertThat(LongStream.of(rowsOfRegion))
        .allMatch(rows -> Math.abs(rows - ROWS / 8) < ROWS / 8 / 20);
  }

  @Test
  void splitKeysCutTheKeySpaceIntoEqualParts() {
    assertThat(Arrays.stream(RowData.splitKeys(4)).map(key -> new String(key, US_ASCII)))
        .containsExactly("3fffffffffffffff", "7ffffffffffffffe", "bffffffffffffffd");
  }

  @Test
  void oneRegionNeedsNoSplit() {
    assertThat(RowData.splitKeys(1)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 9, 1_000})
  void valueHasRequestedSizeAndIsDeterministic(int size) {
    assertThat(RowData.value(42, size)).hasSize(size).isEqualTo(RowData.value(42, size));
  }

  @Test
  void everyRowHasAValueOfItsOwn() {
    assertThat(
            LongStream.range(0, ROWS)
                .mapToObj(row -> HexFormat.of().formatHex(RowData.value(row, 16)))
                .distinct())
        .hasSize(100_000);
  }

  @Test
  void everyVersionOfARowHasAValueOfItsOwn() {
    assertThat(
            LongStream.range(0, 1_000)
                .mapToObj(
                    it ->
                        HexFormat.of().formatHex(RowData.value(it / 10, (int) it % 10, 32), 16, 32))
                .distinct())
        .hasSize(1_000);
  }

  @Test
  void valuesStayTheSameFromReleaseToRelease() {
    assertThat(key(0)).isEqualTo("e220a8397b1dcdaf");
    assertThat(HexFormat.of().formatHex(RowData.value(0, 12)))
        .isEqualTo("bda5668a01d7049c82b43276");
  }

  private static String key(long row) {
    return new String(RowData.key(row), US_ASCII);
  }
}
