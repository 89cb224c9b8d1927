package io.offheap.hbase.operator.hbase;

import java.io.ByteArrayOutputStream;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/**
 * The header of an answer while it comes: its length as a varint, and as many bytes. It says how
 * many bytes of cells end the answer, and HBase's client makes an array of this length at once.
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
   * With a bound.
   *
   * @param maxBytes without the length
   */
  ResponseHeaderBytes(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  boolean isRead() {
    return isRead;
  }

  /**
   * Takes one byte more.
   *
   * @param left bytes of the frame behind this one
   * @return what is wrong with it; null where nothing is
   */
  String add(byte next, int left) {
    if (isLengthRead) {
      bytes.write(next);
    } else {
      length |= (next & ~MORE & 0xff) << bits;
      bits += DIGIT_BITS;
      isLengthRead = (next & MORE) == 0;
      if (length < 0 || length > maxBytes || (!isLengthRead && bits >= MOST_BITS)) {
        return "sent an answer whose header, which has its error, has over "
            + maxBytes
            + " bytes; at most so many are taken";
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
          ? "sent an answer with "
              + Integer.toUnsignedString(cells)
              + " bytes of cells in the "
              + left
              + " bytes that it has"
          : null;
    } catch (InvalidProtocolBufferException e) {
      return "sent an answer whose header cannot be read: " + e.getMessage();
    }
  }
}
