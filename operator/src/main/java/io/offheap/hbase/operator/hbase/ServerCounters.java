package io.offheap.hbase.operator.hbase;

/**
 * Sums of a region server since its process began, and its regions now.
 *
 * @param heapBytes bytes that its allocator took from the heap
 * @param poolBytes bytes that its allocator took from the pool
 * @param hits reads that found their block in a cache
 * @param misses reads that did not
 * @param regions regions that it serves
 */
record ServerCounters(long heapBytes, long poolBytes, long hits, long misses, int regions) {}
