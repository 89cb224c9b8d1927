package io.offheap.hbase.operator.hbase;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelDuplexHandler;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelHandlerContext;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelPromise;
import org.apache.hbase.thirdparty.io.netty.util.concurrent.ScheduledFuture;

/**
 * Closes a connection if a frame is longer than a limit, before any of it is stored; if a frame is
 * not complete in time, counted from its first byte; if there are more frames than requests; or if
 * the connection's partial frame is evicted because all partial frames exceed {@link FrameBudget}'s
 * limit. HBase's own client accepts frames of up to 2 GiB, waits for them for ever, and skips
 * frames that it has not requested. A frame is its length in four bytes, then that many bytes,
 * which begin with the length of a header.
 */
final class FrameBound extends ChannelDuplexHandler implements FrameBudget.Holder {
  private static final int LENGTH_BYTES = 4;

  /** The header has the stack trace of an exception, and no other long part. */
  static final int MAX_HEADER = 1 << 16;

  private final int maxBytes;
  private final Duration whole;
  private final FrameBudget budget;
  private int length;
  private int digits;
  private int left;
  private int frame;
  private ResponseHeaderBytes header;
  private long requests;
  private long frames;
  private boolean isRefused;
  private ChannelHandlerContext connection;
  private ScheduledFuture<?> end;

  /**
   * Creates a handler with limits.
   *
   * @param maxBytes most bytes of a frame, without its length
   * @param whole longest time from a frame's first byte to its last
   * @param budget limits the partial frames of all connections
   */
  FrameBound(int maxBytes, Duration whole, FrameBudget budget) {
    this.maxBytes = maxBytes;
    this.whole = whole;
    this.budget = budget;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    connection = context;
  }

  /** The connection preamble and a request's cells count as requests too; they are few. */
  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    requests++;
    var unused = context.write(message, promise);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    var bytes = (ByteBuf) message;
    if (isRefused) {
      bytes.release();
      return;
    }
    long held = (left == 0 ? digits : frame - left) + (long) bytes.readableBytes();
    var problem = problem(bytes);
    if (problem != null) {
      bytes.release();
      refuse(problem);
      return;
    }
    // A complete frame counts against the budget until it is parsed.
    budget.hold(this, held);
    try {
      context.fireChannelRead(bytes);
    } finally {
      if (!isRefused) {
        hold();
      }
    }
  }

  /** The fault in the frames that these bytes continue; null if there is none. */
  private String problem(ByteBuf bytes) {
    int at = bytes.readerIndex();
    while (at < bytes.writerIndex()) {
      if (left == 0 && header != null && !header.isRead()) {
        break;
      }
      if (left == 0) {
        if (digits == 0) {
          endTimer();
        }
        length = length << Byte.SIZE | bytes.getUnsignedByte(at++);
        if (++digits == LENGTH_BYTES) {
          if (length < 0 || length > maxBytes) {
            return "sent a response of "
                + Integer.toUnsignedString(length)
                + " bytes; must be at most "
                + maxBytes;
          }
          if (++frames > requests) {
            return "sent responses without a request";
          }
          beginFrame();
        }
      } else if (!header.isRead()) {
        left--;
        var problem = header.add(bytes.getByte(at++), left);
        if (problem != null) {
          return problem;
        }
      } else {
        int skipped = Math.min(left, bytes.writerIndex() - at);
        left -= skipped;
        at += skipped;
      }
    }
    return left == 0 && header != null && !header.isRead()
        ? "sent a response that ends within its header"
        : null;
  }

  private void beginFrame() {
    budget.release(this);
    frame = length;
    left = length;
    length = 0;
    digits = 0;
    header = new ResponseHeaderBytes(MAX_HEADER);
  }

  /** Updates the budget and the timer for the partial frame. */
  private void hold() {
    if (left == 0 && digits == 0) {
      endTimer();
      budget.release(this);
      return;
    }
    if (end == null) {
      end =
          connection
              .executor()
              .schedule(
                  () ->
                      refuse(
                          "sent "
                              + (frame - left)
                              + " of the "
                              + frame
                              + " bytes of a response in "
                              + whole.toSeconds()
                              + " s; a response must be complete in this time"),
                  whole.toMillis(),
                  TimeUnit.MILLISECONDS);
    }
    budget.hold(this, left == 0 ? digits : frame - left);
  }

  private void endTimer() {
    if (end != null) {
      end.cancel(false);
      end = null;
    }
  }

  @Override
  public void drop(long mostHeld) {
    connection
        .executor()
        .execute(
            () ->
                refuse(
                    "sent a response slowly, or of many bytes, while incomplete responses of all"
                        + " servers had over "
                        + mostHeld
                        + " bytes; they must have at most so many"));
  }

  private void refuse(String problem) {
    if (isRefused) {
      return;
    }
    isRefused = true;
    endTimer();
    budget.release(this);
    connection.fireExceptionCaught(RefusedResponseException.of(server(), problem));
    var unused = connection.close();
  }

  private String server() {
    return connection.channel().remoteAddress() instanceof InetSocketAddress address
        ? address.getHostString() + ":" + address.getPort()
        : "a server";
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    endTimer();
    budget.release(this);
    context.fireChannelInactive();
  }
}
