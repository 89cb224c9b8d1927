package io.offheap.hbase.operator.plan;

/**
 * The most bytes that HBase requests from the allocator to read one HFile block:
 *
 * <pre>A(B, c) = 66 + (B - 1 + c) + 4 * ceil((33 + B - 1 + c) / 16384)</pre>
 *
 * <ul>
 *   <li>{@code B - 1 + c}, the payload. The writer ends a block before it appends a cell, once the
 *       block has {@code B} bytes or more; so the last cell starts at {@code B - 1} at the latest
 *       and is written in full.
 *   <li>33, the block's header.
 *   <li>4 for each 16 KiB (or part) of header and payload: the checksums. {@code
 *       hbase.hstore.bytes.per.checksum} may have another value than 16 KiB.
 *   <li>33, the next block's header, which is read too, to save the seek for it.
 * </ul>
 *
 * <p>{@code c} is a cell as the file holds it: 8 bytes of lengths, the key (2 + row + 1 + family +
 * qualifier + 8 + 1), the value, where the file has tags 2 bytes and the tags, and the sequence id
 * as a variable length integer of 1 to 9 bytes (1 once all readers are past it).
 *
 * <p>Source: HBase 2.6.4, {@code HFileWriterImpl.checkBlockBoundary}, {@code NoneEncoder.write} and
 * {@code HFileBlock.FSReaderImpl.readBlockDataInternal}.
 */
public final class BlockRead {
  /** A block's header; HBase accepts no fewer bytes for each checksum. */
  static final long HEADER_BYTES = 33;

  private static final int CHECKSUM_BYTES = 4;
  private static final long BYTES_PER_CHECKSUM = HBaseKeys.BYTES_PER_CHECKSUM.constantDefault();

  private BlockRead() {}

  /**
   * Bytes of the largest read of a block whose last cell has this size, with HBase's own bytes for
   * each checksum.
   */
  public static long bytes(long blockBytes, long largestCellBytes) {
    return bytes(blockBytes, largestCellBytes, BYTES_PER_CHECKSUM);
  }

  /** The same with other bytes for each checksum. */
  public static long bytes(long blockBytes, long largestCellBytes, long bytesPerChecksum) {
    return 2 * HEADER_BYTES
        + payloadBytes(blockBytes, largestCellBytes)
        + CHECKSUM_BYTES * checksums(blockBytes, largestCellBytes, bytesPerChecksum);
  }

  /** The number of checksums of such a block, for formulas in reasons. */
  static long checksums(long blockBytes, long largestCellBytes, long bytesPerChecksum) {
    return checksums(HEADER_BYTES + payloadBytes(blockBytes, largestCellBytes), bytesPerChecksum);
  }

  /** A plan that was stored before a value was refused may have fewer bytes than a header. */
  private static long checksums(long checked, long bytesPerChecksum) {
    long each = Math.max(HEADER_BYTES, bytesPerChecksum);
    return Bytes.roundUp(checked, each) / each;
  }

  /**
   * A size that fits each read of at most these bytes, computed with HBase's own bytes for each
   * checksum: what is larger by HBase's own might be larger than the buffer.
   *
   * @param bufferBytes what a read may have with the given bytes for each checksum
   */
  public static long byOwnChecksums(long bufferBytes, long bytesPerChecksum) {
    return bytesPerChecksum >= BYTES_PER_CHECKSUM
        ? bufferBytes
        : bufferBytes - CHECKSUM_BYTES * checksums(bufferBytes, bytesPerChecksum);
  }

  private static long payloadBytes(long blockBytes, long largestCellBytes) {
    return blockBytes - 1 + largestCellBytes;
  }
}
