package io.offheap.hbase.operator.hbase;

import java.io.EOFException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hbase.thirdparty.io.netty.bootstrap.Bootstrap;
import org.apache.hbase.thirdparty.io.netty.channel.Channel;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelHandlerContext;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelInitializer;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelOption;
import org.apache.hbase.thirdparty.io.netty.channel.EventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.SimpleChannelInboundHandler;
import org.apache.hbase.thirdparty.io.netty.channel.socket.nio.NioSocketChannel;
import org.apache.hbase.thirdparty.io.netty.handler.codec.http.DefaultFullHttpRequest;
import org.apache.hbase.thirdparty.io.netty.handler.codec.http.FullHttpResponse;
import org.apache.hbase.thirdparty.io.netty.handler.codec.http.HttpClientCodec;
import org.apache.hbase.thirdparty.io.netty.handler.codec.http.HttpHeaderNames;
import org.apache.hbase.thirdparty.io.netty.handler.codec.http.HttpHeaderValues;
import org.apache.hbase.thirdparty.io.netty.handler.codec.http.HttpMethod;
import org.apache.hbase.thirdparty.io.netty.handler.codec.http.HttpObjectAggregator;
import org.apache.hbase.thirdparty.io.netty.handler.codec.http.HttpVersion;

/**
 * GETs of servers that are not the operator's own. Whoever may create a cluster chooses what
 * answers there, so an answer is bounded: in bytes, and in the time from the request to its last
 * byte. One that goes over a bound is an error. Each GET has a connection of its own, which is
 * closed with it. Of the servers of one service a few are asked at a time, so that they do not all
 * fill their bounds at once; the time of a GET that waits begins when its request is sent. Where
 * none responds, the last of n GETs ends after n / atOnce deadlines.
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

  /** An answer's body as text; an error where it does not come whole within the bounds. */
  CompletableFuture<String> get(URI uri) {
    var host = uri.getHost();
    return services.run(
        HostLookups.service(host),
        () ->
            ClientThreads.HOSTS
                .address(host)
                .thenCompose(address -> send(uri, new InetSocketAddress(address, uri.getPort()))));
  }

  private CompletableFuture<String> send(URI uri, InetSocketAddress address) {
    var answer = new CompletableFuture<String>();
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
                        .addLast(new HttpClientCodec(MAX_LINE, MAX_HEAD, CHUNK))
                        .addLast(new HttpObjectAggregator(maxBytes))
                        .addLast(new Exchange(uri, answer));
                  }
                })
            .connect(address)
            .addListener(
                done -> {
                  if (!done.isSuccess()) {
                    answer.completeExceptionally(done.cause());
                  }
                });
    var end =
        threads.schedule(
            () -> answer.completeExceptionally(new TimeoutException("no answer in " + deadline)),
            deadline.toMillis(),
            TimeUnit.MILLISECONDS);
    return answer.whenComplete(
        (body, error) -> {
          end.cancel(false);
          var unused = connection.channel().close();
        });
  }

  /** Asks when it is connected, and takes the whole answer. */
  private static final class Exchange extends SimpleChannelInboundHandler<FullHttpResponse> {
    private final URI uri;
    private final CompletableFuture<String> answer;

    Exchange(URI uri, CompletableFuture<String> answer) {
      this.uri = uri;
      this.answer = answer;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
      var path = uri.getRawPath() + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
      var request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, path);
      request
          .headers()
          .set(HttpHeaderNames.HOST, uri.getAuthority())
          .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
      var unused = context.writeAndFlush(request, context.voidPromise());
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) {
      if (response.decoderResult().isFailure()) {
        answer.completeExceptionally(response.decoderResult().cause());
      } else {
        answer.complete(response.content().toString(StandardCharsets.UTF_8));
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      answer.completeExceptionally(new EOFException("hung up before the answer's end"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      answer.completeExceptionally(cause);
    }
  }
}
