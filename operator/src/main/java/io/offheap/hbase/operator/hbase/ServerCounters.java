package io.offheap.hbase.operator.hbase;

/**
 * Sums of a region server since its process began, and its regions now.
 *
 * @param heapBytes bytes that its allocator took from the heap
 * @param poolBytes bytes that its allocator took from the pool
 * @param hits reads that found their block in a cache
 * @param misses reads that did not
 * @param dataHits those of {@code hits} that were for a data block
 * @param dataMisses those of {@code misses} that were for a data block; HBase counts each twice
 *     where a bucket cache is behind the cache on the heap
 * @param regions regions that it serves
 */
record ServerCounters(
    long heapBytes,
    long poolBytes,
    long hits,
    long misses,
    long dataHits,
    long dataMisses,
    int regions) {}
