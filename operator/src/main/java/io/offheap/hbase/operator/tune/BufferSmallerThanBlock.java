package io.offheap.hbase.operator.tune;

import static io.offheap.hbase.operator.tune.RuleResults.noChange;
import static java.util.Comparator.comparingLong;

import io.offheap.hbase.operator.plan.TableFit;
import io.offheap.hbase.operator.tune.RuleResult.Reason;

/**
 * Blocks of live tables are larger than a buffer. A read of one takes several buffers, which are
 * copied to verify and decode the block (HBASE-21879, best practice 2). The buffer becomes the
 * largest read of a block, rounded up to 1 KiB ({@link io.offheap.hbase.operator.plan.BlockRead});
 * the pool keeps its bytes.
 */
final class BufferSmallerThanBlock extends LargerBuffer {
  static final String NAME = "BufferSmallerThanBlock";

  /** One block in a thousand is not worth a restart. */
  private static final double LEAST_SHARE = 0.001;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean isProven() {
    return true;
  }

  @Override
  public String suspicion() {
    return "requests are larger than any block of the live tables: cells are large,"
        + " or a table is not among the live tables";
  }

  @Override
  RuleResult evaluateBlocks(Evidence evidence) {
    var largest =
        TableFit.misfits(evidence.plan(), evidence.tables()).stream()
            .max(comparingLong(TableFit.Misfit::sufficientBufferBytes));
    if (largest.isEmpty()) {
      return noChange(NAME, Reason.WITHIN_LIMITS, "a buffer holds a block of every live table");
    }
    var share = symptom(evidence);
    if (share.isEmpty()) {
      return noChange(
          NAME,
          Reason.NO_EVIDENCE,
          "%s; no metrics show whether such blocks are read",
          largest.get());
    }
    if (share.getAsDouble() < LEAST_SHARE) {
      return noChange(
          NAME, Reason.WITHIN_LIMITS, "%s; but almost no such block is read", largest.get());
    }
    return propose(
        evidence,
        largest.get().sufficientBufferBytes(),
        RuleResults.line(
            "%s; %.1f %% of the buffers went to blocks that take several",
            largest.get(), 100 * share.getAsDouble()));
  }
}
