package io.offheap.hbase.operator.plan;

import io.offheap.hbase.operator.plan.Declared.CacheMode;
import io.offheap.hbase.operator.plan.Draft.Chosen;
import io.offheap.hbase.operator.plan.Draft.Field;
import io.offheap.hbase.operator.plan.Sentence.Input;
import java.math.BigDecimal;
import java.math.RoundingMode;
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
  private static final BigDecimal LEAST_L1 = new BigDecimal("0.1");
  private static final BigDecimal LARGEST_LRU = new BigDecimal("0.35");

  /** What an idle region server has on its heap. */
  private static final long SERVER_BYTES = 100 * Bytes.MIB;

  /** Of a handler: a request and a response, each of up to 4 MiB. */
  private static final long CALL_BYTES = 8 * Bytes.MIB;

  static HeapShares derive(Declared declared, IndexHeap index, long heapBytes, Draft draft) {
    var memstore = memstore(declared, draft);
    var shares = new HeapShares(memstore, l1(declared, index, memstore.value(), heapBytes, draft));
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
      Declared declared, IndexHeap index, BigDecimal memstore, long heapBytes, Draft draft) {
    boolean none = declared.cacheMode() == CacheMode.DISABLED;
    var room = lruRoom(declared, memstore, heapBytes);
    var derived = l1Share(declared.cacheMode(), room).max(index.metaBlocksShare(heapBytes));
    var l1 =
        draft.value(
            HBaseKeys.L1_SHARE,
            new Field<>(L1_FIELD, declared.cache().l1Fraction()),
            derived,
            l1Reason(declared, index, room),
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

  private static BigDecimal l1Share(CacheMode mode, BigDecimal room) {
    return switch (mode) {
      case OFF_HEAP, FILE, META_ONLY -> LEAST_L1;
      case LRU -> LARGEST_LRU.min(room.max(LEAST_L1));
      case DISABLED -> BigDecimal.ZERO;
    };
  }

  /**
   * The share of the heap beside memstores and what calls take. A server with a heap of 1 GiB, 30
   * handlers and 0.75 of the heap in memstores and cache had 230 MiB beside them and ran out of
   * memory, after 47 minutes of {@code e2e/bin/measure}.
   */
  private static BigDecimal lruRoom(Declared declared, BigDecimal memstore, long heapBytes) {
    var calls =
        BigDecimal.valueOf(callBytes(declared))
            .divide(BigDecimal.valueOf(heapBytes), 2, RoundingMode.CEILING);
    return BigDecimal.ONE.subtract(memstore).subtract(calls);
  }

  private static long callBytes(Declared declared) {
    return SERVER_BYTES + declared.handlers() * CALL_BYTES;
  }

  private static Sentence l1Reason(Declared declared, IndexHeap index, BigDecimal room) {
    var mode = declared.cacheMode();
    return switch (mode) {
      case OFF_HEAP, FILE ->
          Sentence.of(
              "index and bloom blocks only; those of a full bucket cache take about {}",
              Input.mib("index and bloom blocks", index.metaBlockBytes()));
      case META_ONLY -> Sentence.of("index and bloom blocks only; data blocks are not cached");
      case LRU ->
          room.compareTo(LARGEST_LRU) < 0
              ? Sentence.of(
                  "all blocks; the rest beside memstores and {} for the server and the calls of {},"
                      + " at least "
                      + LEAST_L1,
                  Input.mib("server and calls", callBytes(declared)),
                  Input.number("handlers", declared.handlers(), Unit.HANDLERS)
                      .from(FieldPath.of("handlers")))
              : Sentence.of(
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
