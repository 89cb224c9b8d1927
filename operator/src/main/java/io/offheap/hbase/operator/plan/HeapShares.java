package io.offheap.hbase.operator.plan;

import io.offheap.hbase.operator.plan.Declared.CacheMode;
import io.offheap.hbase.operator.plan.Draft.Chosen;
import io.offheap.hbase.operator.plan.Draft.Field;
import io.offheap.hbase.operator.plan.Sentence.Input;
import java.math.BigDecimal;
import java.util.Locale;

/**
 * Shares of the heap for memstores and for the on-heap block cache. A region server does not start
 * unless {@code trunc(100 m) + trunc(100 l) <= 80}, in float arithmetic.
 *
 * @param memstore {@code hbase.regionserver.global.memstore.size}
 * @param l1 {@code hfile.block.cache.size}
 */
record HeapShares(Chosen<BigDecimal> memstore, Chosen<BigDecimal> l1) {
  private static final FieldPath MEMSTORE_FIELD = FieldPath.of("memstoreFraction");
  private static final FieldPath L1_FIELD = FieldPath.of("blockCache.l1Fraction");
  private static final FieldPath MODE = FieldPath.of("blockCache.mode");
  private static final String XIAOMI = "HBase practice at Xiaomi";
  private static final int LARGEST_SUM_PERCENT = 80;

  private static final BigDecimal LARGEST_SHARE = new BigDecimal("0.8");

  static HeapShares derive(Declared declared, IndexHeap index, long heapBytes, Draft draft) {
    var shares = new HeapShares(memstore(declared, draft), l1(declared, index, heapBytes, draft));
    int sum = truncatedPercent(shares.memstore.value()) + truncatedPercent(shares.l1.value());
    if (sum > LARGEST_SUM_PERCENT) {
      shares.tooMuch(sum, draft);
    }
    return shares;
  }

  /**
   * The share to change: the declared one, or that of memstores where both or none are declared.
   */
  Chosen<BigDecimal> toChange() {
    return l1.declared() && !memstore.declared() ? l1 : memstore;
  }

  private void tooMuch(int sum, Draft draft) {
    var wrong = toChange();
    var other = wrong.equals(l1) ? memstore : l1;
    int room = LARGEST_SUM_PERCENT - truncatedPercent(other.value());
    draft.problem(
        wrong.field(),
        String.format(
            Locale.ROOT,
            "memstore %s + on-heap block cache %s = %d %% of the heap; HBase starts with at most"
                + " %d %%, so it must be at most %s here",
            plain(memstore),
            plain(l1),
            sum,
            LARGEST_SUM_PERCENT,
            BigDecimal.valueOf(room, 2).toPlainString()));
  }

  private static Chosen<BigDecimal> memstore(Declared declared, Draft draft) {
    boolean offHeap =
        declared.cacheMode().hasBucketCache() || declared.cacheMode() == CacheMode.META_ONLY;
    var derived = offHeap ? new BigDecimal("0.45") : HBaseKeys.OWN_MEMSTORE_SHARE;
    var memstore =
        draft.value(
            HBaseKeys.MEMSTORE_SHARE,
            new Field<>(MEMSTORE_FIELD, declared.memstoreFraction()),
            derived,
            Sentence.of(
                offHeap
                    ? "data blocks are not on the heap, so that memstores may use it"
                    : "HBase's default"),
            offHeap ? XIAOMI : HBaseKeys.MEMSTORE_SHARE.source());
    // As HBase's float, which is 0 for a very small number.
    if (memstore.value().floatValue() <= 0 || memstore.value().compareTo(LARGEST_SHARE) > 0) {
      return outOfRange(
          memstore,
          derived,
          Sentence.of(
              "is out of range; must be over 0 and at most 0.8, else HBase falls back to "
                  + HBaseKeys.OWN_MEMSTORE_SHARE),
          draft);
    }
    return memstore;
  }

  private static Chosen<BigDecimal> l1(
      Declared declared, IndexHeap index, long heapBytes, Draft draft) {
    boolean none = declared.cacheMode() == CacheMode.DISABLED;
    var derived =
        new BigDecimal(l1Share(declared.cacheMode())).max(index.metaBlocksShare(heapBytes));
    var l1 =
        draft.value(
            HBaseKeys.L1_SHARE,
            new Field<>(L1_FIELD, declared.cache().l1Fraction()),
            derived,
            l1Reason(declared.cacheMode(), index),
            declared.cacheMode().hasBucketCache()
                ? XIAOMI
                : HBaseKeys.L1_SHARE.source() + ", BlockCacheFactory");
    if (none && l1.value().signum() != 0) {
      return outOfRange(
          l1,
          derived,
          Sentence.of("creates a block cache, but {} is Disabled; must be 0", Sentence.name(MODE)),
          draft);
    }
    if (!none && l1.value().compareTo(HBaseKeys.NO_CACHE_SHARE) <= 0) {
      return outOfRange(
          l1,
          derived,
          Sentence.of(
              "switches the block cache off, the bucket cache as well; must be over "
                  + HBaseKeys.NO_CACHE_SHARE
                  + ", or {} must be Disabled",
              Sentence.name(MODE)),
          draft);
    }
    if (l1.value().compareTo(LARGEST_SHARE) > 0) {
      return outOfRange(l1, derived, Sentence.of("is out of range; must be at most 0.8"), draft);
    }
    return l1;
  }

  private static String l1Share(CacheMode mode) {
    return switch (mode) {
      case OFF_HEAP, FILE, META_ONLY -> "0.1";
      case LRU -> "0.35";
      case DISABLED -> "0";
    };
  }

  private static Sentence l1Reason(CacheMode mode, IndexHeap index) {
    return switch (mode) {
      case OFF_HEAP, FILE ->
          Sentence.of(
              "index and bloom blocks only; those of a full bucket cache take about {}",
              Input.mib("index and bloom blocks", index.metaBlockBytes()));
      case META_ONLY -> Sentence.of("index and bloom blocks only; data blocks are not cached");
      case LRU ->
          Sentence.of(
              "all blocks; HBase's default of 0.4 would leave G1 no room for marking, see "
                  + JvmKeys.IHOP);
      case DISABLED ->
          Sentence.of(
              "{} {}", Sentence.name(MODE), Input.choice(MODE.path(), mode.text()).from(MODE));
    };
  }

  /** The derivation continues with the derived share, so that one error is reported once. */
  private static Chosen<BigDecimal> outOfRange(
      Chosen<BigDecimal> share, BigDecimal derived, Sentence message, Draft draft) {
    draft.problem(share.field(), Sentence.of("{} {}", Sentence.of(plain(share)), message));
    return new Chosen<>(derived, share.field(), true);
  }

  /** The percent as {@code MemorySizeUtil} truncates it, from a float: 0.59 becomes 58. */
  static int truncatedPercent(BigDecimal share) {
    return (int) (share.floatValue() * 100);
  }

  private static String plain(Chosen<BigDecimal> share) {
    var number = share.value().stripTrailingZeros();
    return number.scale() < -9 ? number.toString() : number.toPlainString();
  }
}
