package io.offheap.hbase.operator.hbase;

import io.offheap.hbase.operator.plan.HFileDefaults;
import java.util.List;
import org.apache.hadoop.hbase.Cell;

/** Sizes of cells. */
final class CellSizes {
  /**
   * The cell size that HBase's default buffer has room for; cells up to this size change no plan.
   */
  static final long COMMON = HFileDefaults.CELL;

  private static final long STEP = 256;

  private static final int LENGTHS = 8;
  private static final int KEY_BESIDE_ROW_AND_COLUMN = 2 + 1 + 8 + 1;
  private static final int LENGTH_OF_TAGS = 2;
  private static final int LARGEST_SEQUENCE_ID = 9;

  private CellSizes() {}

  /**
   * Most bytes of a cell in an HFile, without the values of tags, which servers do not send; the
   * sequence id, which a client does not get, counts with its largest size.
   */
  static long inHFile(Cell cell) {
    return LENGTHS
        + (long) KEY_BESIDE_ROW_AND_COLUMN
        + cell.getRowLength()
        + cell.getFamilyLength()
        + cell.getQualifierLength()
        + cell.getValueLength()
        + LENGTH_OF_TAGS
        + LARGEST_SEQUENCE_ID;
  }

  /** The 99th percentile; the largest of fewer than 100 sizes. */
  static long largestCommon(List<Long> sizes) {
    var ascending = sizes.stream().sorted().toList();
    int count = ascending.size();
    return count == 0 ? 0 : ascending.get(count - 1 - count / 100);
  }

  /**
   * Rounds up in steps, so that another sample of the same data gives the same size; 0 for the
   * usual size.
   */
  static long rounded(long bytes) {
    return bytes <= COMMON ? 0 : (bytes + STEP - 1) / STEP * STEP;
  }
}
