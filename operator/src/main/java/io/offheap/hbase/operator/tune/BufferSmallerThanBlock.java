package io.offheap.hbase.operator.tune;

import static io.offheap.hbase.operator.tune.Judging.not;
import static java.util.Comparator.comparingLong;

import io.offheap.hbase.operator.plan.TableFit;
import io.offheap.hbase.operator.tune.Outcome.Why;

/**
 * Live tables have blocks that no buffer holds, and reads of them came as several buffers, which
 * are copied to be checked and decoded (HBASE-21879, best practice 2). The buffer becomes the
 * largest read of a block, rounded up to 1 KiB ({@link io.offheap.hbase.operator.plan.BlockRead});
 * the pool keeps its bytes.
 */
final class BufferSmallerThanBlock extends LargerBuffer {
  private static final RuleName NAME = RuleName.BUFFER_SMALLER_THAN_BLOCK;

  /** One block in a thousand is not worth a restart. */
  private static final double LEAST_SHARE = 0.001;

  @Override
  public RuleName name() {
    return NAME;
  }

  @Override
  Outcome judgeBlocks(Evidence evidence) {
    var largest =
        TableFit.misfits(evidence.plan(), evidence.tables()).stream()
            .max(comparingLong(TableFit.Misfit::rightBufferBytes));
    if (largest.isEmpty()) {
      return not(NAME, Why.WITHIN_LIMITS, "a buffer holds a block of every live table");
    }
    var share = symptom(evidence);
    if (share.isEmpty()) {
      return not(
          NAME, Why.NO_EVIDENCE, "%s; whether such blocks are read is not known", largest.get());
    }
    if (share.getAsDouble() < LEAST_SHARE) {
      return not(NAME, Why.WITHIN_LIMITS, "%s; but hardly one is read", largest.get());
    }
    return propose(
        evidence,
        largest.get().rightBufferBytes(),
        Judging.line(
            "%s; %.1f %% of the buffers went to blocks of several",
            largest.get(), 100 * share.getAsDouble()));
  }
}
