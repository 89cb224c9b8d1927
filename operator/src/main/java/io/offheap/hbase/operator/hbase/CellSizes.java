package io.offheap.hbase.operator.hbase;

import java.util.List;
import org.apache.hadoop.hbase.Cell;

/** How large a cell is. */
final class CellSizes {
  /** What HBase's own buffer size allows for; cells up to here change no plan. */
  static final long COMMON = 939;

  private static final long STEP = 256;

  private static final int LENGTHS = 8;
  private static final int KEY_BESIDE_ROW_AND_COLUMN = 2 + 1 + 8 + 1;
  private static final int LENGTH_OF_TAGS = 2;
  private static final int LARGEST_SEQUENCE_ID = 9;

  private CellSizes() {}

  /**
   * Bytes of a cell in an HFile, at most, but for tags, which servers keep to themselves; nor does
   * a client see the sequence id that the file has.
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

  /** The size that 99 of 100 cells do not pass; the largest of fewer. */
  static long largestCommon(List<Long> sizes) {
    var ascending = sizes.stream().sorted().toList();
    int count = ascending.size();
    return count == 0 ? 0 : ascending.get(count - 1 - count / 100);
  }

  /** In steps, so that another sample of the same data is the same; 0 for what is common. */
  static long rounded(long bytes) {
    return bytes <= COMMON ? 0 : (bytes + STEP - 1) / STEP * STEP;
  }
}
