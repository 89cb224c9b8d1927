package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Target.HBASE_SITE;

import io.offheap.hbase.operator.plan.Declared.CacheMode;
import io.offheap.hbase.operator.plan.Draft.Chosen;
import io.offheap.hbase.operator.plan.Draft.Field;
import java.math.BigDecimal;

/**
 * Shares of the heap for memstores and for the on-heap block cache. A region server does not start
 * unless {@code trunc(100 m) + trunc(100 l) <= 80}, in float arithmetic.
 *
 * @param memstore {@code hbase.regionserver.global.memstore.size}
 * @param l1 {@code hfile.block.cache.size}
 */
record HeapShares(Chosen<BigDecimal> memstore, Chosen<BigDecimal> l1) {
  private static final String MEMSTORE_FIELD = "spec.regionServers.memstoreFraction";
  private static final String L1_FIELD = "spec.regionServers.blockCache.l1Fraction";
  private static final String L1_KEY = "hfile.block.cache.size";
  private static final int LARGEST_SUM_PERCENT = 80;

  /** At or below this, HBase makes no block cache at all, not even a bucket cache. */
  private static final BigDecimal NO_CACHE = new BigDecimal("0.0001");

  static HeapShares derive(Declared declared, OffHeapBudget offHeap, Draft draft) {
    var memstore = memstore(declared, draft);
    var l1 = l1(declared, draft);
    if (memstore.value().signum() <= 0 || memstore.value().compareTo(new BigDecimal("0.8")) > 0) {
      draft.problem(
          memstore.field(),
          plain(memstore)
              + " is out of range; over 0 and at most 0.8 is right, else HBase falls"
              + " back to 0.4");
    }
    int sum = truncatedPercent(memstore.value()) + truncatedPercent(l1.value());
    if (sum > LARGEST_SUM_PERCENT) {
      draft.problem(
          memstore.field(),
          String.format(
              "memstore %s + on-heap block cache %s (%s) = %d %% of the heap; HBase starts with at"
                  + " most %d %%, so at most %s is right here",
              plain(memstore),
              plain(l1),
              l1.field(),
              sum,
              LARGEST_SUM_PERCENT,
              BigDecimal.valueOf(Math.max(0, LARGEST_SUM_PERCENT - truncatedPercent(l1.value())), 2)
                  .toPlainString()));
    }
    return new HeapShares(memstore, l1);
  }

  private static Chosen<BigDecimal> memstore(Declared declared, Draft draft) {
    boolean offHeap = declared.cacheMode() == CacheMode.OFF_HEAP;
    return draft.decimal(
        HBASE_SITE,
        "hbase.regionserver.global.memstore.size",
        new Field<>(MEMSTORE_FIELD, declared.memstoreFraction()),
        new BigDecimal(offHeap ? "0.45" : "0.4"),
        offHeap
            ? "data blocks are cached off-heap, which leaves the heap to the memstores"
            : "HBase's own share",
        offHeap ? "HBase practice at Xiaomi" : "HBase 2.6: MemorySizeUtil");
  }

  private static Chosen<BigDecimal> l1(Declared declared, Draft draft) {
    var field = new Field<>(L1_FIELD, declared.l1Fraction());
    return switch (declared.cacheMode()) {
      case OFF_HEAP -> {
        var l1 =
            draft.decimal(
                HBASE_SITE,
                L1_KEY,
                field,
                new BigDecimal("0.1"),
                "index and bloom blocks only; data blocks are in the bucket cache",
                "HBase practice at Xiaomi");
        if (l1.value().compareTo(NO_CACHE) <= 0) {
          draft.problem(
              l1.field(),
              plain(l1)
                  + " switches the bucket cache off as well; over 0.0001 is right, or"
                  + " spec.regionServers.blockCache.mode Disabled");
        }
        yield l1;
      }
      case LRU -> {
        var l1 =
            draft.decimal(
                HBASE_SITE,
                L1_KEY,
                field,
                new BigDecimal("0.35"),
                "all blocks; HBase's own 0.4 would leave G1 no room to mark in, see"
                    + " InitiatingHeapOccupancyPercent",
                "HBase 2.6: MemorySizeUtil");
        if (l1.value().compareTo(NO_CACHE) <= 0) {
          draft.problem(
              l1.field(),
              plain(l1)
                  + " switches the block cache off; over 0.0001 is right, or"
                  + " spec.regionServers.blockCache.mode Disabled");
        }
        yield l1;
      }
      case DISABLED -> {
        var l1 =
            draft.decimal(
                HBASE_SITE,
                L1_KEY,
                field,
                BigDecimal.ZERO,
                "spec.regionServers.blockCache.mode Disabled",
                "HBase 2.6: BlockCacheFactory");
        if (l1.value().signum() != 0) {
          draft.problem(
              l1.field(),
              plain(l1)
                  + " makes a block cache, but spec.regionServers.blockCache.mode is"
                  + " Disabled; 0 is right");
        }
        yield l1;
      }
    };
  }

  /** As {@code MemorySizeUtil} does it, with the float that HBase reads: 0.59 becomes 58. */
  static int truncatedPercent(BigDecimal share) {
    return (int) (share.floatValue() * 100);
  }

  private static String plain(Chosen<BigDecimal> share) {
    return share.value().stripTrailingZeros().toPlainString();
  }
}
