package io.offheap.hbase.operator.hbase;

import java.io.ByteArrayOutputStream;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/**
 * Collects the header of a response while it arrives: its length as a varint, then that many bytes.
 * The header declares the length of the cell block at the end of the response, and HBase's client
 * allocates an array of this length at once.
 */
final class ResponseHeaderBytes {
  private static final int DIGIT_BITS = 7;
  private static final int MORE = 0x80;
  private static final int MOST_BITS = 5 * DIGIT_BITS;

  private final int maxBytes;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(64);
  private int length;
  private int bits;
  private boolean isLengthRead;
  private boolean isRead;

  /**
   * Creates an empty header.
   *
   * @param maxBytes most bytes, without the length
   */
  ResponseHeaderBytes(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  boolean isRead() {
    return isRead;
  }

  /**
   * Adds one byte.
   *
   * @param left bytes of the frame after this one
   * @return the fault; null if there is none
   */
  String add(byte next, int left) {
    if (isLengthRead) {
      bytes.write(next);
    } else {
      length |= (next & ~MORE & 0xff) << bits;
      bits += DIGIT_BITS;
      isLengthRead = (next & MORE) == 0;
      if (length < 0 || length > maxBytes || (!isLengthRead && bits >= MOST_BITS)) {
        return "sent a response whose header, which has its error, has over "
            + maxBytes
            + " bytes; must be at most so many";
      }
    }
    isRead = isLengthRead && bytes.size() == length;
    return isRead ? problem(left) : null;
  }

  private String problem(int left) {
    try {
      var header = ResponseHeader.parseFrom(bytes.toByteArray());
      int cells = header.getCellBlockMeta().getLength();
      return cells < 0 || cells > left
          ? "sent a response with "
              + Integer.toUnsignedString(cells)
              + " bytes of cells in the "
              + left
              + " bytes that it has"
          : null;
    } catch (InvalidProtocolBufferException e) {
      return "sent a response whose header cannot be read: " + e.getMessage();
    }
  }
}
