package io.offheap.hbase.operator.tune;

import static io.offheap.hbase.operator.tune.RuleResults.noChange;

import io.offheap.hbase.operator.plan.BlockRead;
import io.offheap.hbase.operator.plan.HBaseKeys;
import io.offheap.hbase.operator.plan.HFileDefaults;
import io.offheap.hbase.operator.plan.TunedKey;
import io.offheap.hbase.operator.tune.RuleResult.Reason;
import java.util.stream.LongStream;

/**
 * Without a block cache, index and bloom blocks are read through the pool too, and a buffer is too
 * small for them (HBASE-21879, best practice 3). The buffer becomes the largest read of such a
 * block, rounded up to 1 KiB; the pool keeps its bytes.
 */
final class MetaBlocksSpill extends LargerBuffer {
  static final String NAME = "MetaBlocksSpill";

  private static final long KIB = 1024;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean isProven() {
    return false;
  }

  @Override
  public String suspicion() {
    return "blocks other than index and bloom blocks take several buffers";
  }

  @Override
  RuleResult evaluateBlocks(Evidence evidence) {
    if (evidence.plan().heapShares().l1().compareTo(HBaseKeys.NO_CACHE_SHARE) > 0) {
      return noChange(NAME, Reason.WITHIN_LIMITS, "index and bloom blocks are cached on the heap");
    }
    long block = largestBlock(evidence);
    long read = BlockRead.bytes(block, HFileDefaults.CELL, evidence.bytesPerChecksum());
    long buffer = evidence.planned(TunedKey.BUFFER_SIZE);
    if (read <= buffer) {
      return noChange(
          NAME,
          Reason.WITHIN_LIMITS,
          "a buffer of %d bytes holds %d, the largest read of an index or bloom block",
          buffer,
          read);
    }
    return propose(
        evidence,
        (read + KIB - 1) / KIB * KIB,
        RuleResults.line(
            "without a block cache, index and bloom blocks of up to %d bytes are read through the"
                + " pool: %d bytes",
            block, read));
  }

  private static long largestBlock(Evidence evidence) {
    var server =
        LongStream.of(
            evidence.plan().required(HBaseKeys.INDEX_BLOCK),
            evidence.plan().required(HBaseKeys.BLOOM_BLOCK));
    var tables =
        evidence.tables().stream()
            .flatMapToLong(it -> LongStream.of(it.indexBlockBytes(), it.bloomBlockBytes()));
    return LongStream.concat(server, tables).max().orElse(0);
  }
}
