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
 * Closes a connection on which a frame is longer than a bound, before any of it is kept; on which
 * one is not whole in its time, from its first byte on; on which there are more of them than
 * requests; or whose part of a frame has to go, as all parts that are held are over {@link
 * FrameBudget}'s bound. HBase's own client takes frames of up to 2 GiB, waits for them for ever,
 * and skips those that it has not asked for. A frame is its length in four bytes, and as many
 * bytes, which begin with the length of a header.
 */
final class FrameBound extends ChannelDuplexHandler implements FrameBudget.Holder {
  private static final int LENGTH_BYTES = 4;

  /** The header has the stack trace of an exception, and nothing else that is long. */
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
   * With bounds.
   *
   * @param maxBytes of a frame, without its length
   * @param whole from a frame's first byte to its last
   * @param budget of the parts of frames that are held, for all connections
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

  /** What begins a connection counts too, and a request's cells: they are few, and no answers. */
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
    // A frame that is whole now is held until it is read.
    budget.hold(this, held);
    try {
      context.fireChannelRead(bytes);
    } finally {
      if (!isRefused) {
        hold();
      }
    }
  }

  /** What is wrong with the frames that these bytes go on with; null where nothing is. */
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
            return "sent an answer of "
                + Integer.toUnsignedString(length)
                + " bytes; at most "
                + maxBytes
                + " are taken";
          }
          if (++frames > requests) {
            return "sent answers to what it was not asked";
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
        ? "sent an answer that ends within its header"
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

  /** What has come of a frame that is not whole is held by what comes next, until it is. */
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
                              + " bytes of an answer in "
                              + whole.toSeconds()
                              + " s; an answer must be whole in this time"),
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
                    "sent a part of an answer, slowly or of many bytes, while such parts of all"
                        + " servers had over "
                        + mostHeld
                        + " bytes; at most so many are held"));
  }

  private void refuse(String problem) {
    if (isRefused) {
      return;
    }
    isRefused = true;
    endTimer();
    budget.release(this);
    connection.fireExceptionCaught(RefusedAnswerException.of(server(), problem));
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
