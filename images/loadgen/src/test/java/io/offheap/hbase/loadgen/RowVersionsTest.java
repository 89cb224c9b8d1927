package io.offheap.hbase.loadgen;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.loadgen.RowVersions.Verdict;
import java.util.ArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RowVersionsTest {
  private static final int SIZE = 40;

  private final RowVersions rows = new RowVersions(1, 10, 3, SIZE);

  @Test
  void threadsShareOutTheRows() {
    var all = new ArrayList<Long>();
    for (int first = 0; first < 3; first++) {
      var share = new RowVersions(first, 10, 3, SIZE);
      IntStream.range(0, share.size()).forEach(index -> all.add(share.row(index)));
    }
    assertThat(all).hasSize(10).doesNotHaveDuplicates().allMatch(row -> row >= 0 && row < 10);
  }

  @Test
  void acceptsOnlyLastAcknowledgedVersion() {
    byte[] first = rows.next(0);
    rows.acknowledge(0);
    assertThat(rows.judge(0, first)).isEqualTo(Verdict.RIGHT);
    byte[] second = rows.next(0);
    rows.acknowledge(0);

    assertThat(rows.judge(0, second)).isEqualTo(Verdict.RIGHT);
    assertThat(rows.judge(0, first)).isEqualTo(Verdict.STALE);
    assertThat(rows.judge(0, null)).isEqualTo(Verdict.MISSING);
    assertThat(rows.judge(0, rows.next(0))).isEqualTo(Verdict.WRONG);
    assertThat(rows.judge(0, new byte[0])).isEqualTo(Verdict.WRONG);
  }

  @Test
  void oneWrongByteAnywhereIsSeen() {
    byte[] value = rows.next(0);
    rows.acknowledge(0);

    for (int i = 0; i < SIZE; i++) {
      byte[] changed = value.clone();
      changed[i]++;
      assertThat(rows.judge(0, changed)).as("byte %d", i).isEqualTo(Verdict.WRONG);
    }
  }

  @Test
  void anotherRowsValueIsWrong() {
    rows.acknowledge(0);
    byte[] other = rows.next(1);
    rows.acknowledge(1);

    assertThat(rows.judge(0, other)).isEqualTo(Verdict.WRONG);
  }

  @Test
  void aPutThatFailedMayHaveBeenCarriedOut() {
    byte[] failed = rows.next(0);
    rows.doubt(0);
    assertThat(rows.judge(0, null)).isEqualTo(Verdict.RIGHT);
    assertThat(rows.judge(0, failed)).isEqualTo(Verdict.RIGHT);

    byte[] acknowledged = rows.next(0);
    rows.acknowledge(0);
    assertThat(rows.judge(0, acknowledged)).isEqualTo(Verdict.RIGHT);
    assertThat(rows.judge(0, failed)).as("carried out late").isEqualTo(Verdict.RIGHT);
    assertThat(rows.judge(0, null)).isEqualTo(Verdict.MISSING);
  }

  @Test
  void whatWasAcknowledgedBeforeAFailureIsStaleOnceMoreIsAcknowledged() {
    byte[] first = rows.next(0);
    rows.acknowledge(0);
    rows.doubt(0);
    assertThat(rows.judge(0, first)).isEqualTo(Verdict.RIGHT);

    rows.acknowledge(0);
    assertThat(rows.judge(0, first)).isEqualTo(Verdict.STALE);
  }

  @Test
  void rowsComeInOrder() {
    assertThat(rows.written()).isZero();
    rows.acknowledge(0);
    rows.doubt(1);
    rows.acknowledge(0);
    assertThat(rows.written()).isEqualTo(2);
  }
}
