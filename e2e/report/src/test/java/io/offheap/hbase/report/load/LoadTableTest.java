package io.offheap.hbase.report.load;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import site.ycsb.Utils;

class LoadTableTest {
  private static final int ROWS = 40_000;

  @Test
  void eachRegionGetsAsManyOfYcsbsRows() {
    var splits =
        Arrays.stream(LoadTable.splits(4)).map(split -> new String(split, US_ASCII)).toList();
    var counts = new int[4];
    for (long i = 0; i < ROWS; i++) {
      var row = LoadTable.rowName(Utils.hash(i));
      counts[(int) splits.stream().filter(split -> split.compareTo(row) <= 0).count()]++;
    }

    assertThat(Arrays.stream(counts).boxed()).allMatch(count -> 9_500 < count && count < 10_500);
  }

  @Test
  void rowHasItsHash() {
    assertThat(LoadTable.rowName(42)).isEqualTo("user0000000000000000042");
    assertThat(LoadTable.hash(LoadTable.rowName(Long.MAX_VALUE))).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void oneRegionHasNoSplit() {
    assertThat(LoadTable.splits(1)).isEmpty();
  }

  /** A cache that holds nothing has not been filled yet. */
  @Test
  void counterIsStillOnceItHasNotChangedForSomeSeconds() {
    var still = new LoadTable.Still();
    long more = LoadTable.Still.NANOS;

    assertThat(still.isSo(more, 0)).isFalse();
    assertThat(still.isSo(2 * more, 5)).isFalse();
    assertThat(still.isSo(3 * more - 1, 5)).isFalse();
    assertThat(still.isSo(3 * more, 6)).isFalse();
    assertThat(still.isSo(4 * more, 6)).isTrue();
  }
}
