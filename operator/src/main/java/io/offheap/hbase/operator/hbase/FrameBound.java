package io.offheap.hbase.operator.hbase;

import org.apache.hbase.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelHandlerContext;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.hbase.thirdparty.io.netty.handler.codec.TooLongFrameException;

/**
 * Closes a connection on which a frame says that it is longer than a bound, before any of it is
 * kept. HBase's own client takes frames of up to 2 GiB. A frame is its length in four bytes, and as
 * many bytes.
 */
final class FrameBound extends ChannelInboundHandlerAdapter {
  private static final int LENGTH_BYTES = 4;

  private final int maxBytes;
  private int length;
  private int digits;
  private int left;

  /**
   * With a bound.
   *
   * @param maxBytes of a frame, without its length
   */
  FrameBound(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    var bytes = (ByteBuf) message;
    if (isWithinBound(bytes)) {
      context.fireChannelRead(bytes);
      return;
    }
    bytes.release();
    context.fireExceptionCaught(
        new TooLongFrameException(
            "an answer has "
                + Integer.toUnsignedString(length)
                + " bytes; at most "
                + maxBytes
                + " are taken"));
    var unused = context.close();
  }

  private boolean isWithinBound(ByteBuf bytes) {
    int at = bytes.readerIndex();
    while (at < bytes.writerIndex()) {
      if (left > 0) {
        int skipped = Math.min(left, bytes.writerIndex() - at);
        left -= skipped;
        at += skipped;
      } else {
        length = length << Byte.SIZE | bytes.getUnsignedByte(at++);
        if (++digits == LENGTH_BYTES) {
          if (length < 0 || length > maxBytes) {
            return false;
          }
          left = length;
          length = 0;
          digits = 0;
        }
      }
    }
    return true;
  }
}
