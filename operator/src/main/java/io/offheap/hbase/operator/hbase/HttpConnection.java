package io.offheap.hbase.operator.hbase;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.hbase.thirdparty.io.netty.bootstrap.Bootstrap;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.hbase.thirdparty.io.netty.channel.Channel;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelHandlerContext;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelInitializer;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelOption;
import org.apache.hbase.thirdparty.io.netty.channel.SimpleChannelInboundHandler;
import org.apache.hbase.thirdparty.io.netty.channel.socket.nio.NioSocketChannel;
import org.apache.hbase.thirdparty.io.netty.handler.codec.http.HttpObject;
import org.apache.hbase.thirdparty.io.netty.handler.codec.http.HttpRequestEncoder;
import org.apache.hbase.thirdparty.io.netty.handler.codec.http.HttpResponseDecoder;

/**
 * A connection to one server, with one exchange at a time; all state is used on its event loop
 * alone. It is closed after an exchange, or kept for the next one ({@link KeptConnections}). What a
 * server sends after a response, or between two exchanges, closes it.
 */
final class HttpConnection extends SimpleChannelInboundHandler<HttpObject> {
  private static final int MAX_LINE = 4096;
  private static final int CHUNK = 8192;

  private final String authority;
  private final KeptConnections kept;
  private final long openedNanos = System.nanoTime();
  private final Decoder decoder = new Decoder();
  private volatile Channel channel;
  private HttpExchange<?> current;
  private long begunNanos;
  private boolean isReused;

  /** The end of the exchange's time, or of the time without one. */
  private Future<?> timer;

  /**
   * Of responses to GETs alone. It passes the last part of a response on before it decodes what
   * follows in the same read: a head without an end would stay in it, uncounted, until the next
   * exchange.
   */
  private static final class Decoder extends HttpResponseDecoder {
    Decoder() {
      super(MAX_LINE, HttpExchange.MAX_HEAD, CHUNK);
    }

    boolean isEmpty() {
      return actualReadableBytes() == 0;
    }
  }

  private HttpConnection(String authority, KeptConnections kept) {
    this.authority = authority;
    this.kept = kept;
  }

  /**
   * Connects, and sends the first request; its deadline begins now.
   *
   * @param kept keeps the connection after an exchange that permits it
   */
  static void open(SocketAddress address, KeptConnections kept, HttpExchange<?> first) {
    var connection = new HttpConnection(first.authority(), kept);
    var unused =
        new Bootstrap()
            .group(ClientThreads.LOOPS)
            .channel(NioSocketChannel.class)
            .option(
                ChannelOption.CONNECT_TIMEOUT_MILLIS, Math.toIntExact(first.deadline().toMillis()))
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel
                        .pipeline()
                        .addLast(connection.counted())
                        .addLast(connection.decoder)
                        .addLast(new HttpRequestEncoder())
                        .addLast(connection);
                    connection.channel = channel;
                    connection.begin(first);
                  }
                })
            .connect(address)
            .addListener(
                done -> {
                  if (!done.isSuccess() && !first.result().isDone()) {
                    first.fail(done.cause());
                    connection.endExchange(first);
                  }
                });
  }

  /** {@code host:port} of the server. */
  String authority() {
    return authority;
  }

  /** Since when this connection, and with it the address of its host, is used. */
  long openedNanos() {
    return openedNanos;
  }

  /** Sends a request on this kept connection, which the caller has taken; on any thread. */
  void send(HttpExchange<?> next) {
    try {
      channel
          .eventLoop()
          .execute(
              () -> {
                isReused = true;
                begin(next);
                if (channel.isActive()) {
                  request(channel);
                } else {
                  fail(new EOFException("closed the connection"));
                }
              });
    } catch (RejectedExecutionException stopped) {
      next.fail(stopped);
      next.complete();
    }
  }

  /** Closes a connection that is not kept any more; on any thread. */
  void close() {
    var unused = channel.close();
  }

  private void begin(HttpExchange<?> next) {
    stopTimer();
    current = next;
    begunNanos = System.nanoTime();
    startTimer(isReused ? kept.bounds().firstByte() : next.deadline(), () -> late(next));
  }

  /** The deadline has passed, or the time until the first byte on a kept connection. */
  private void late(HttpExchange<?> exchange) {
    var left = exchange.deadline().minusNanos(System.nanoTime() - begunNanos);
    if (current != exchange) {
      return;
    }
    if (isReused && !exchange.hasBegunResponse()) {
      fail(new EOFException("no byte of a response on a kept connection"));
    } else if (left.toMillis() > 0) {
      startTimer(left, () -> late(exchange));
    } else {
      exchange.timeOut();
      endExchange(exchange);
    }
  }

  private void startTimer(Duration delay, Runnable task) {
    timer = channel.eventLoop().schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void stopTimer() {
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
  }

  private void request(Channel to) {
    try {
      var unused = to.writeAndFlush(current.begin(), to.voidPromise());
    } catch (IOException e) {
      fail(e);
    }
  }

  /** Ends the current exchange, if any, which has failed. */
  private void fail(Throwable cause) {
    if (current == null) {
      drop();
      return;
    }
    boolean isStale = isReused && !current.hasBegunResponse();
    current.fail(isStale ? new KeptConnections.StaleException(cause) : cause);
    endExchange(current);
  }

  private void endExchange(HttpExchange<?> exchange) {
    stopTimer();
    current = null;
    boolean isQuick = System.nanoTime() - begunNanos < kept.bounds().firstByte().toNanos();
    if (exchange.keepsConnection() && isQuick && decoder.isEmpty() && channel.isActive()) {
      keep();
    } else if (channel != null) {
      close();
    }
    exchange.complete();
  }

  private void keep() {
    if (kept.put(this)) {
      startTimer(kept.bounds().idle(), this::drop);
    } else {
      close();
    }
  }

  /**
   * Closes this connection without a request. If it has just been taken for one, that finds it
   * closed, and is sent on another.
   */
  private void drop() {
    stopTimer();
    kept.remove(this);
    close();
  }

  ChannelInboundHandlerAdapter counted() {
    return new ChannelInboundHandlerAdapter() {
      @Override
      public void channelRead(ChannelHandlerContext context, Object message) {
        if (current != null) {
          current.count(((ByteBuf) message).readableBytes());
        }
        if (current == null || current.isOver()) {
          ((ByteBuf) message).release();
          over();
        } else {
          context.fireChannelRead(message);
        }
      }
    };
  }

  /** After what ended the exchange, or came without one. */
  private void over() {
    if (current == null) {
      drop();
    } else if (current.isOver()) {
      endExchange(current);
    }
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    if (current != null) {
      request(context.channel());
    }
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
    if (current != null) {
      current.take(part);
    }
    over();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    fail(new EOFException("closed the connection before the end of the response"));
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    fail(cause);
  }
}
