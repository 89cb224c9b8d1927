package io.offheap.hbase.operator.plan;

/**
 * What HBase's {@code ByteBuffAllocator} takes for one request of {@code N} bytes.
 *
 * <p>With buffers of {@code b} bytes and {@code hbase.server.allocator.minimal.allocate.size = m},
 * {@code ByteBuffAllocator.allocate} does this:
 *
 * <ol>
 *   <li>{@code N = 0} takes nothing from the pool, whatever {@code m} is.
 *   <li>While the rest of the request is at least {@code m} and the pool has a buffer, it takes
 *       one: {@code floor((N - m) / b) + 1} buffers where {@code N >= m}, none where it is not, and
 *       no more than are free.
 *   <li>The rest after that, if any, comes from the heap in one piece.
 * </ol>
 *
 * <p>The rest may be 0 and still be at least {@code m}: {@code m = 0} takes one buffer too many
 * where {@code N} is an exact multiple of {@code b}, a negative one takes more. {@code m = 1} is
 * the smallest value with which everything comes from the pool and no buffer is wasted. Where
 * {@code m > b}, a request between the two is served by one buffer or more, and one of exactly
 * {@code b} by the heap.
 *
 * <p>A returned buffer counts as free, and so does one that the pool may still create: it creates
 * buffers on request, up to {@code hbase.server.allocator.max.buffer.count}.
 *
 * <p>Source: HBase 2.6.4, {@code ByteBuffAllocator.allocate} and {@code getBuffer}.
 *
 * @param buffers direct buffers taken from the pool
 * @param heapBytes bytes allocated on the heap, which the garbage collector must free
 */
public record Allocation(long buffers, long heapBytes) {

  /** The allocation where the pool has enough free buffers. */
  public static Allocation of(long requestBytes, long bufferBytes, long minimalAllocateSize) {
    return of(requestBytes, bufferBytes, minimalAllocateSize, Long.MAX_VALUE);
  }

  /**
   * The allocation where the pool has this many free buffers.
   *
   * @throws IllegalArgumentException for a negative request or number of buffers, or a buffer of no
   *     size
   */
  public static Allocation of(
      long requestBytes, long bufferBytes, long minimalAllocateSize, long freeBuffers) {
    if (requestBytes < 0 || bufferBytes <= 0 || freeBuffers < 0) {
      throw new IllegalArgumentException(
          requestBytes + " bytes from " + freeBuffers + " buffers of " + bufferBytes);
    }
    if (requestBytes == 0 || requestBytes < minimalAllocateSize) {
      return new Allocation(0, requestBytes);
    }
    long wanted = (requestBytes - minimalAllocateSize) / bufferBytes + 1;
    long buffers = Math.min(wanted, freeBuffers);
    return new Allocation(buffers, Math.max(0, requestBytes - buffers * bufferBytes));
  }

  /**
   * Whether the request gets one direct buffer, the only kind that HBase verifies and decodes
   * without copies.
   */
  public boolean isSingle() {
    return buffers == 1 && heapBytes == 0;
  }
}
