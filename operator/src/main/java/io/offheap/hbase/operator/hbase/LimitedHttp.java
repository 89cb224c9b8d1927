package io.offheap.hbase.operator.hbase;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.io.IOUtils;
import org.apache.hbase.thirdparty.io.netty.bootstrap.Bootstrap;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBufUtil;
import org.apache.hbase.thirdparty.io.netty.channel.Channel;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelHandlerContext;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelInitializer;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelOption;
import org.apache.hbase.thirdparty.io.netty.channel.EventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.SimpleChannelInboundHandler;
import org.apache.hbase.thirdparty.io.netty.channel.socket.nio.NioSocketChannel;
import org.apache.hbase.thirdparty.io.netty.handler.codec.http.DefaultFullHttpRequest;
import org.apache.hbase.thirdparty.io.netty.handler.codec.http.HttpClientCodec;
import org.apache.hbase.thirdparty.io.netty.handler.codec.http.HttpContent;
import org.apache.hbase.thirdparty.io.netty.handler.codec.http.HttpHeaderNames;
import org.apache.hbase.thirdparty.io.netty.handler.codec.http.HttpHeaderValues;
import org.apache.hbase.thirdparty.io.netty.handler.codec.http.HttpMethod;
import org.apache.hbase.thirdparty.io.netty.handler.codec.http.HttpObject;
import org.apache.hbase.thirdparty.io.netty.handler.codec.http.HttpResponse;
import org.apache.hbase.thirdparty.io.netty.handler.codec.http.HttpResponseStatus;
import org.apache.hbase.thirdparty.io.netty.handler.codec.http.HttpUtil;
import org.apache.hbase.thirdparty.io.netty.handler.codec.http.HttpVersion;
import org.apache.hbase.thirdparty.io.netty.handler.codec.http.LastHttpContent;

/**
 * GETs of servers that are not the operator's own. Whoever may create a cluster chooses what
 * answers there, so an answer is bounded: in bytes, and in the time from the request to its last
 * byte. One that goes over a bound is an error. It is read while it comes, so that what has come is
 * not held: a GET costs the buffer of a read and what its reader keeps. Each GET has a connection
 * of its own, which is closed with it. Of the servers of one service a few are asked at a time; the
 * time of a GET that waits begins when its request is sent. Where none responds, the last of n GETs
 * ends after n / atOnce deadlines.
 *
 * <p>Not the JDK's client: it leaves the connection open when an answer's head is too long, and one
 * more with each further GET.
 */
final class LimitedHttp {
  private static final int MAX_LINE = 4096;
  private static final int MAX_HEAD = 16_384;
  private static final int CHUNK = 8192;

  private final EventLoopGroup threads = ClientThreads.LOOPS;
  private final Duration deadline;
  private final int maxBytes;
  private final Lanes services;

  /**
   * Reads the body of one answer while it comes; used on one thread at a time.
   *
   * @param <T> what is made of it
   */
  interface Answer<T> extends AutoCloseable {
    /** The next bytes; fails where they are not as they should be. */
    void read(byte[] bytes) throws IOException;

    /** What the answer comes to, as it is whole. */
    T end() throws IOException;

    @Override
    void close() throws IOException;
  }

  /**
   * Makes what reads an answer.
   *
   * @param <T> what is made of it
   */
  interface Reader<T> {
    /** For one answer. */
    Answer<T> begin() throws IOException;
  }

  /**
   * With bounds for each answer.
   *
   * @param deadline of each GET, from the request to the last byte, without its wait for others and
   *     the lookup of the host
   * @param maxBytes of the body
   * @param atOnce GETs of one service's servers at a time
   */
  LimitedHttp(Duration deadline, int maxBytes, int atOnce) {
    this.deadline = deadline;
    this.maxBytes = maxBytes;
    this.services = new Lanes(atOnce);
  }

  /**
   * What a reader makes of an answer; fails where it does not come whole within the bounds, by a
   * {@link RefusedAnswerException} where it is the server that does not keep them.
   */
  <T> CompletableFuture<T> get(URI uri, Reader<T> reader) {
    var host = uri.getHost();
    return services.run(
        HostLookups.service(host),
        () ->
            ClientThreads.HOSTS
                .address(host)
                .thenCompose(
                    address -> send(uri, new InetSocketAddress(address, uri.getPort()), reader)));
  }

  private <T> CompletableFuture<T> send(URI uri, InetSocketAddress address, Reader<T> reader) {
    var exchange = new Exchange<T>(uri, reader, maxBytes);
    var connection =
        new Bootstrap()
            .group(threads)
            .channel(NioSocketChannel.class)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, Math.toIntExact(deadline.toMillis()))
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel
                        .pipeline()
                        .addLast(exchange.counted())
                        .addLast(new HttpClientCodec(MAX_LINE, MAX_HEAD, CHUNK))
                        .addLast(exchange);
                  }
                })
            .connect(address)
            .addListener(
                done -> {
                  if (!done.isSuccess()) {
                    exchange.result.completeExceptionally(done.cause());
                  }
                });
    var end =
        threads.schedule(() -> exchange.end(deadline), deadline.toMillis(), TimeUnit.MILLISECONDS);
    return exchange.result.whenComplete(
        (body, error) -> {
          end.cancel(false);
          var unused = connection.channel().close();
        });
  }

  /** Asks when it is connected, and reads the answer. */
  private static final class Exchange<T> extends SimpleChannelInboundHandler<HttpObject> {
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private final URI uri;
    private final Reader<T> reader;
    private final int maxBytes;
    private Answer<T> answer;
    private int bytes;

    /** Bytes of all that has come, the head and the lengths of chunks among it. */
    private final AtomicLong sent = new AtomicLong();

    Exchange(URI uri, Reader<T> reader, int maxBytes) {
      this.uri = uri;
      this.reader = reader;
      this.maxBytes = maxBytes;
    }

    /** Counts what comes: chunks of one byte are ten times as long on the wire. */
    ChannelInboundHandlerAdapter counted() {
      return new ChannelInboundHandlerAdapter() {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
          long most = 2L * maxBytes + MAX_HEAD;
          if (sent.addAndGet(((ByteBuf) message).readableBytes()) > most) {
            ((ByteBuf) message).release();
            refuse("sent over " + most + " bytes, heads of chunks among them");
          } else {
            context.fireChannelRead(message);
          }
        }
      };
    }

    private void refuse(String what) {
      result.completeExceptionally(RefusedAnswerException.of(uri.getAuthority(), what));
    }

    void end(Duration deadline) {
      if (sent.get() > 0) {
        refuse(
            "sent "
                + sent.get()
                + " bytes, and not its whole answer, in "
                + deadline.toSeconds()
                + " s; an answer must be whole in this time");
      } else {
        result.completeExceptionally(
            new TimeoutException("no answer in " + deadline.toSeconds() + " s"));
      }
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws IOException {
      answer = reader.begin();
      var path = uri.getRawPath() + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
      var request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, path);
      request
          .headers()
          .set(HttpHeaderNames.HOST, uri.getAuthority())
          .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
      var unused = context.writeAndFlush(request, context.voidPromise());
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
      if (result.isDone()) {
        return;
      }
      if (part.decoderResult().isFailure()) {
        refuse("sent no HTTP within the bounds: " + part.decoderResult().cause().getMessage());
        return;
      }
      if (part instanceof HttpResponse head) {
        take(head);
      }
      if (part instanceof HttpContent body && !result.isDone()) {
        take(body);
      }
    }

    private void take(HttpResponse head) {
      var encoding = head.headers().get(HttpHeaderNames.CONTENT_ENCODING, "identity");
      long length = length(head);
      if (!head.status().equals(HttpResponseStatus.OK)) {
        // One that starts or stops answers so; redirects are not followed.
        result.completeExceptionally(new IOException("HTTP status " + head.status().code()));
      } else if (!encoding.equalsIgnoreCase("identity")) {
        refuse("sent the encoding " + encoding + "; none is read, as none is asked for");
      } else if (length > maxBytes) {
        refuse("sent an answer of " + length + " bytes; at most " + maxBytes + " are read");
      }
    }

    /** 0 where it is not told. */
    private static long length(HttpResponse head) {
      try {
        return HttpUtil.getContentLength(head, 0L);
      } catch (NumberFormatException e) {
        return Long.MAX_VALUE;
      }
    }

    private void take(HttpContent body) {
      bytes += body.content().readableBytes();
      if (bytes > maxBytes) {
        refuse("sent an answer of over " + maxBytes + " bytes; at most so many are read");
        return;
      }
      try {
        answer.read(ByteBufUtil.getBytes(body.content()));
        if (body instanceof LastHttpContent) {
          result.complete(answer.end());
        }
      } catch (JsonProcessingException e) {
        refuse(JsonAnswer.problem(e));
      } catch (IOException e) {
        result.completeExceptionally(e);
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      result.completeExceptionally(new EOFException("hung up before the answer's end"));
      if (answer != null) {
        IOUtils.closeStream(answer::close);
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      result.completeExceptionally(cause);
    }
  }
}
