package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.MIB;
import static io.offheap.hbase.operator.plan.Bytes.mib;
import static io.offheap.hbase.operator.plan.Bytes.quantity;

import io.offheap.hbase.operator.plan.Draft.Chosen;
import java.math.BigDecimal;
import java.util.Locale;

/**
 * The room that G1 needs above the start of marking: the young generation, and its reserve, ten
 * percent of the heap by default, for objects that are promoted while marking runs. Without it G1
 * falls back to full collections, which take seconds.
 *
 * @param ihop where marking starts, in percent
 * @param newSizePercent smallest young generation
 * @param reservePercent {@code G1ReservePercent}
 * @param shares memstores and on-heap cache
 * @param index heap of the bucket cache's index
 * @param heapBytes the heap
 */
record MarkingRoom(
    Chosen<Long> ihop,
    long newSizePercent,
    long reservePercent,
    HeapShares shares,
    IndexHeap index,
    long heapBytes) {
  void check(Draft draft) {
    long over = ihop.value() - G1Sums.mostIhop(newSizePercent, reservePercent);
    if (over <= 0) {
      return;
    }
    long mostReserve = reservePercent - over;
    if (mostReserve >= JvmKeys.RESERVE_PERCENT.constantDefault()) {
      // There is room for G1's own reserve, so the declared one is too large.
      problem(
          FieldPath.of(JvmKeys.RESERVE_PERCENT),
          ihop.declared() ? "" : sum(),
          Sentence.of(JvmKeys.RESERVE_PERCENT + " must be at most " + mostReserve),
          draft);
      return;
    }
    if (ihop.declared()) {
      problem(ihop.field(), "", Sentence.of("must be at most " + (ihop.value() - over)), draft);
      return;
    }
    long indexToGo = heapBytes / 100 * over;
    if (index.bytes() >= indexToGo) {
      tooLargeCache(indexToGo, draft);
      return;
    }
    var share = shares.toChange();
    var right = share.value().subtract(BigDecimal.valueOf(over, 2));
    problem(
        share.field(),
        sum(),
        right.signum() > 0
            ? Sentence.of("must be a share of at most " + right.toPlainString())
            : Sentence.of("needs a larger {}", Sentence.name(MemorySizes.HEAP)),
        draft);
  }

  private void tooLargeCache(long indexToGo, Draft draft) {
    long smaller = index.cachedBytes() / index.bytes() * (index.bytes() - indexToGo);
    problem(
        FieldPath.of("blockCache.bucketCacheSize"),
        sum(),
        Sentence.of(
            "must be at most {}, or needs a larger {}",
            Sentence.of(quantity(Bytes.roundDown(smaller, MIB))),
            Sentence.name(MemorySizes.HEAP)),
        draft);
  }

  private String sum() {
    return String.format(
        Locale.ROOT,
        " (memstore %s + on-heap cache %s + 0.10 + %s of %s for the bucket cache's index)",
        shares.memstore().value().toPlainString(),
        shares.l1().value().toPlainString(),
        mib(index.bytes()),
        mib(heapBytes));
  }

  private void problem(FieldPath field, String sum, Sentence remedy, Draft draft) {
    var taken =
        String.format(
            Locale.ROOT,
            "%s %d%s + %s %d + %d for marking = %d is over 100 %% of the heap",
            JvmKeys.IHOP,
            ihop.value(),
            sum,
            JvmKeys.NEW_SIZE_PERCENT,
            newSizePercent,
            reservePercent,
            ihop.value() + newSizePercent + reservePercent);
    draft.problem(field, Sentence.of("{}; {}", Sentence.of(taken), remedy));
  }
}
