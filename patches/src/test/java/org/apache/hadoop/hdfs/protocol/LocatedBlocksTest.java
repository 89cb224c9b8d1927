package org.apache.hadoop.hdfs.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A block is found as Hadoop's own search with a comparator finds it. */
class LocatedBlocksTest {
  private static final int SEED = 21879;

  @Test
  void findsWhatTheSearchWithAComparatorFinds() {
    var random = new Random(SEED);
    for (int i = 0; i < 500; i++) {
      var blocks = blocks(random);
      var located = new LocatedBlocks(1, false, blocks, null, false, null, null);
      for (long offset = -2; offset < 300; offset++) {
        assertThat(located.findBlock(offset))
            .as("offset %s of %s", offset, blocks)
            .isEqualTo(Collections.binarySearch(blocks, block(offset, 1), INSIDE));
      }
    }
  }

  /** Ordered by offset, some of them empty, some with a gap before them. */
  private static List<LocatedBlock> blocks(Random random) {
    List<LocatedBlock> blocks = new ArrayList<>();
    long offset = random.nextInt(5);
    for (int count = random.nextInt(12); count > 0; count--) {
      int size = random.nextInt(4) == 0 ? random.nextInt(2) : random.nextInt(40);
      blocks.add(block(offset, size));
      offset += size + (random.nextInt(3) == 0 ? random.nextInt(10) : 0);
    }
    return blocks;
  }

  private static LocatedBlock block(long offset, long size) {
    var block = new LocatedBlock(new ExtendedBlock("BP-1", 1, size, 1), DatanodeInfo.EMPTY_ARRAY);
    block.setStartOffset(offset);
    return block;
  }

  /** Equal where one is inside the other, as in Hadoop's LocatedBlocks. */
  private static final Comparator<LocatedBlock> INSIDE =
      (a, b) -> {
        long aEnd = a.getStartOffset() + a.getBlockSize();
        long bEnd = b.getStartOffset() + b.getBlockSize();
        boolean inside =
            (a.getStartOffset() <= b.getStartOffset() && bEnd <= aEnd)
                || (b.getStartOffset() <= a.getStartOffset() && aEnd <= bEnd);
        if (inside) {
          return 0;
        }
        return a.getStartOffset() < b.getStartOffset() ? -1 : 1;
      };
}
