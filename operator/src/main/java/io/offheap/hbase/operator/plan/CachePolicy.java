package io.offheap.hbase.operator.plan;

import io.offheap.hbase.operator.plan.Declared.CacheMode;
import io.offheap.hbase.operator.plan.Sentence.Input;
import java.util.List;

/**
 * Which blocks the on-heap cache accepts. In mode MetaOnly only index and bloom blocks: HBase reads
 * a block for the on-heap cache onto the heap before the cache rejects it, so caching of data
 * blocks is switched off and they are read through the pool.
 */
final class CachePolicy {
  /** Data blocks are not cached on the heap. */
  static final String INDEX_ONLY = "IndexOnlyLRU";

  private static final String SOURCE = "HBase 2.6: CacheConfig, HFileReaderImpl";
  private static final List<String> POLICIES = List.of("LRU", "TinyLFU", "AdaptiveLRU");

  private static final FieldPath MODE = FieldPath.of("blockCache.mode");

  private CachePolicy() {}

  private static Sentence metaOnly(String why) {
    return Sentence.of(
        "{} {}: {}",
        Sentence.name(MODE),
        Input.choice(MODE.path(), CacheMode.META_ONLY.text()).from(MODE),
        Sentence.of(why));
  }

  static void derive(Declared declared, Draft draft) {
    if (declared.cacheMode() != CacheMode.META_ONLY) {
      draft
          .declared(HBaseKeys.CACHE_POLICY)
          .filter(policy -> POLICIES.stream().noneMatch(policy::equalsIgnoreCase))
          .ifPresent(
              policy ->
                  draft.problem(
                      FieldPath.of(HBaseKeys.CACHE_POLICY),
                      Sentence.of(
                          "{}; must be one of {}, or {} must be MetaOnly",
                          Sentence.of(HBaseKeys.CACHE_POLICY + "=" + policy),
                          Sentence.of(POLICIES.toString()),
                          Sentence.name(MODE))));
      return;
    }
    draft.constant(
        HBaseKeys.CACHE_DATA_ON_READ,
        false,
        metaOnly("data blocks are read through the pool"),
        SOURCE);
    draft.constant(
        HBaseKeys.CACHE_POLICY,
        INDEX_ONLY,
        metaOnly("written data blocks are not cached either"),
        SOURCE);
    draft.constant(
        HBaseKeys.PREFETCH_ON_OPEN, false, metaOnly("prefetched blocks would be cached"), SOURCE);
  }
}
