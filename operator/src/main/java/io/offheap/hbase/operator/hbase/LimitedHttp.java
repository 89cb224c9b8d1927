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
 * GETs from servers that are not the operator's own. A user who may create a cluster controls what
 * responds there, so a response is limited: in bytes, and in the time from the request to the last
 * byte. A response over a limit is an error. It is parsed while it arrives: a GET costs one read
 * buffer and what its parser stores. Each GET has its own connection, which is closed after it. The
 * concurrent GETs of one service are limited; the deadline of a waiting GET begins when its request
 * is sent. If no server responds, the last of n GETs ends after n / atOnce deadlines.
 *
 * <p>The JDK's client is not used: it leaves the connection open if the head of a response is too
 * long, and leaks one more with each further GET.
 */
final class LimitedHttp {
  private static final int MAX_LINE = 4096;
  private static final int MAX_HEAD = 16_384;
  private static final int CHUNK = 8192;

  private final EventLoopGroup threads = ClientThreads.LOOPS;
  private final Duration deadline;
  private final int maxBytes;
  private final TaskLimits services;

  /**
   * Parses the body of one response while it arrives; used on one thread at a time.
   *
   * @param <T> the parsed value
   */
  interface BodyReader<T> extends AutoCloseable {
    /** Parses the next bytes; fails if they are invalid. */
    void read(byte[] bytes) throws IOException;

    /** The parsed value, when the response is complete. */
    T end() throws IOException;

    @Override
    void close() throws IOException;
  }

  /**
   * Creates the parser of a response.
   *
   * @param <T> the parsed value
   */
  interface BodyReaderFactory<T> {
    /** Creates the parser of one response. */
    BodyReader<T> begin() throws IOException;
  }

  /**
   * Creates a client.
   *
   * @param deadline deadline of each GET, from the request to the last byte, without the wait for
   *     other GETs and the host's lookup
   * @param maxBytes most bytes of the body
   * @param atOnce limit of concurrent GETs to one service's servers
   */
  LimitedHttp(Duration deadline, int maxBytes, int atOnce) {
    this.deadline = deadline;
    this.maxBytes = maxBytes;
    this.services = new TaskLimits(atOnce);
  }

  /**
   * Sends a GET and returns the parsed value. The future fails if the response is not complete
   * within the limits, with a {@link RefusedResponseException} if the server exceeds them.
   */
  <T> CompletableFuture<T> get(URI uri, BodyReaderFactory<T> reader) {
    var host = uri.getHost();
    return services.run(
        HostLookups.service(host),
        () ->
            ClientThreads.HOSTS
                .address(host)
                .thenCompose(
                    address -> send(uri, new InetSocketAddress(address, uri.getPort()), reader)));
  }

  private <T> CompletableFuture<T> send(
      URI uri, InetSocketAddress address, BodyReaderFactory<T> reader) {
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

  /** Sends the request when the connection is open, and parses the response. */
  private static final class Exchange<T> extends SimpleChannelInboundHandler<HttpObject> {
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private final URI uri;
    private final BodyReaderFactory<T> reader;
    private final int maxBytes;
    private BodyReader<T> response;
    private int bytes;

    /** Bytes received, including the head and the lengths of chunks. */
    private final AtomicLong sent = new AtomicLong();

    Exchange(URI uri, BodyReaderFactory<T> reader, int maxBytes) {
      this.uri = uri;
      this.reader = reader;
      this.maxBytes = maxBytes;
    }

    /** Counts received bytes: chunks of one byte are ten times as long on the wire. */
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
      result.completeExceptionally(RefusedResponseException.of(uri.getAuthority(), what));
    }

    void end(Duration deadline) {
      if (sent.get() > 0) {
        refuse(
            "sent "
                + sent.get()
                + " bytes, an incomplete response, in "
                + deadline.toSeconds()
                + " s; a response must be complete in this time");
      } else {
        result.completeExceptionally(
            new TimeoutException("no response in " + deadline.toSeconds() + " s"));
      }
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws IOException {
      response = reader.begin();
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
        refuse(
            "sent no valid HTTP within the limits: " + part.decoderResult().cause().getMessage());
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
        // A server that starts or stops sends such a status; redirects are not followed.
        result.completeExceptionally(new IOException("HTTP status " + head.status().code()));
      } else if (!encoding.equalsIgnoreCase("identity")) {
        refuse("sent the encoding " + encoding + "; must be none");
      } else if (length > maxBytes) {
        refuse("sent a response of " + length + " bytes; must be at most " + maxBytes);
      }
    }

    /** 0 if the header is absent or invalid. */
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
        refuse("sent a response of over " + maxBytes + " bytes; must be at most so many");
        return;
      }
      try {
        response.read(ByteBufUtil.getBytes(body.content()));
        if (body instanceof LastHttpContent) {
          result.complete(response.end());
        }
      } catch (JsonProcessingException e) {
        refuse(JsonBodyReader.problem(e));
      } catch (IOException e) {
        result.completeExceptionally(e);
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      result.completeExceptionally(
          new EOFException("closed the connection before the end of the response"));
      if (response != null) {
        IOUtils.closeStream(response::close);
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      result.completeExceptionally(cause);
    }
  }
}
