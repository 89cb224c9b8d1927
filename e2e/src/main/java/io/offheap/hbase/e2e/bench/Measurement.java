package io.offheap.hbase.e2e.bench;

/**
 * One server's counters over a number of Gets.
 *
 * @param scenario what the server was configured for
 * @param server which jars and settings it has
 * @param used the counters
 */
record Measurement(String scenario, String server, Snapshot used) {
  double handlerBytesPerGet() {
    return (double) used.allocated().handlers() / used.gets();
  }

  double nettyBytesPerGet() {
    return (double) used.allocated().netty() / used.gets();
  }

  /** Of all threads of the process but those that measure it. */
  double processBytesPerGet() {
    return (double) used.allocated().process() / used.gets();
  }

  /**
   * Of the Gets that found their data block in the bucket cache. Each needs one block. The server
   * counts each miss twice, before and after it takes the block's lock.
   */
  double hitShare() {
    return Math.min(1, (double) used.l2Hits() / used.gets());
  }

  /** The heap's share of the bytes that the allocator handed out; NaN when it had nothing to do. */
  double heapShare() {
    return (double) used.allocatorHeapBytes()
        / (used.allocatorHeapBytes() + used.allocatorPoolBytes());
  }
}
