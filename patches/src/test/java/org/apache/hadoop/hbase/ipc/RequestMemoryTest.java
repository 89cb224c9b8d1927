package org.apache.hadoop.hbase.ipc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offheap.hbase.patches.FailsOnStock;
import io.offheap.hbase.patches.FilledNetty;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.hbase.thirdparty.io.netty.buffer.PooledByteBufAllocator;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelHandlerContext;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.hbase.thirdparty.io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The buffers of requests that come in parts. */
class RequestMemoryTest {
  private static final SocketAddress CLIENT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

  private static final int READ = 64 << 10;

  private final Configuration conf = HBaseConfiguration.create();
  private final List<byte[]> received = new ArrayList<>();
  private NettyRpcServer server;
  private Client client;
  private ByteBuf last;

  private static final class Client extends EmbeddedChannel {
    @Override
    protected SocketAddress remoteAddress0() {
      return CLIENT;
    }
  }

  @BeforeEach
  void start() throws IOException {
    server =
        new NettyRpcServer(
            null,
            "test",
            List.of(),
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            conf,
            new FifoRpcScheduler(conf, 1),
            true);
    connect();
  }

  private void connect() {
    client = new Client();
    client.config().setAllocator(PooledByteBufAllocator.DEFAULT);
    client
        .pipeline()
        .addLast(
            NettyRpcServerResponseEncoder.NAME, new NettyRpcServerResponseEncoder(server.metrics));
    new NettyServerRpcConnection(server, client) {
      @Override
      void process(ByteBuf request) throws IOException, InterruptedException {
        last = request;
        super.process(request);
      }

      @Override
      public void processOneRpc(ByteBuff request) {
        byte[] bytes = new byte[request.remaining()];
        request.get(bytes);
        received.add(bytes);
        last.release();
      }
    }.setupHandler();
  }

  @AfterEach
  void stop() throws InterruptedException {
    client.finishAndReleaseAll();
    server.stop();
    server.join();
  }

  private static byte[] request(Random random, int size) {
    byte[] request = new byte[size];
    random.nextBytes(request);
    return request;
  }

  private static byte[] framed(byte[]... requests) {
    int length = Arrays.stream(requests).mapToInt(request -> request.length + 4).sum();
    var all = java.nio.ByteBuffer.allocate(length);
    for (byte[] request : requests) {
      all.putInt(request.length).put(request);
    }
    return all.array();
  }

  private ByteBuf read(byte[] bytes, int from, int to) {
    return PooledByteBufAllocator.DEFAULT
        .directBuffer(to - from)
        .writeBytes(bytes, from, to - from);
  }

  private void send(byte[] bytes) {
    for (int at = 0; at < bytes.length && client.isOpen(); at += READ) {
      client.writeInbound(read(bytes, at, Math.min(bytes.length, at + READ)));
    }
  }

  /** Whatever the parts are, and where one request ends and the next begins. */
  @Test
  void whatIsReceivedIsWhatWasSent() {
    for (int seed = 0; seed < 200; seed++) {
      var random = new Random(seed);
      received.clear();
      byte[][] requests = new byte[1 + random.nextInt(20)][];
      for (int request = 0; request < requests.length; request++) {
        requests[request] = request(random, random.nextInt(1 << (1 + random.nextInt(19))));
      }
      byte[] all = framed(requests);
      for (int at = 0; at < all.length; ) {
        int to = Math.min(all.length, at + 1 + random.nextInt(READ));
        client.writeInbound(read(all, at, to));
        at = to;
      }
      assertThat(received).as("seed %s", seed).containsExactly(requests);
    }
  }

  @FailsOnStock
  @Test
  void theBufferOfALargeRequestIsAsLongAsTheRequest() {
    int size = (4 << 20) + 300;
    byte[] all = framed(request(new Random(1), size));
    long before = PooledByteBufAllocator.DEFAULT.pinnedDirectMemory();
    send(Arrays.copyOf(all, all.length - 1));
    assertThat(PooledByteBufAllocator.DEFAULT.pinnedDirectMemory() - before)
        .isBetween((long) size, (long) size + 2 * READ);
    client.writeInbound(read(all, all.length - 1, all.length));
    assertThat(received).containsExactly(Arrays.copyOfRange(all, 4, all.length));
    assertThat(PooledByteBufAllocator.DEFAULT.pinnedDirectMemory()).isEqualTo(before);
  }

  @FailsOnStock
  @Test
  void aLargeRequestDoesNotTakeTheLastQuarter() {
    try (var filled = FilledNetty.upTo(0.76)) {
      byte[] all = framed(request(new Random(1), 1 << 20));
      long before = PooledByteBufAllocator.DEFAULT.pinnedDirectMemory();
      assertThatThrownBy(() -> closedWhile(() -> send(all)))
          .hasMessageContaining("No memory for a request of 1048580 bytes");
      assertThat(received).isEmpty();
      assertThat(client.isOpen()).isFalse();
      assertThat(PooledByteBufAllocator.DEFAULT.pinnedDirectMemory()).isEqualTo(before);
      connect();
      byte[] small = request(new Random(2), READ / 2);
      byte[] framed = framed(small);
      client.writeInbound(read(framed, 0, 10), read(framed, 10, framed.length));
      assertThat(received).containsExactly(small);
    }
    connect();
    received.clear();
    byte[] large = request(new Random(3), 1 << 20);
    send(framed(large));
    assertThat(received).containsExactly(large);
  }

  private interface Work {
    void run() throws Exception;
  }

  /** The exception that ends the connection, which its last handler takes. */
  private void closedWhile(Work work) throws Exception {
    var thrown = new ArrayList<Throwable>();
    client
        .pipeline()
        .addAfter(
            "frameDecoder",
            "watch",
            new ChannelInboundHandlerAdapter() {
              @Override
              public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                thrown.add(cause);
                context.fireExceptionCaught(cause);
              }
            });
    work.run();
    if (!thrown.isEmpty()) {
      throw (Exception) thrown.get(0);
    }
  }

  /** As over TLS, where one read gives several parts: none may close a gap that another leaves. */
  @Test
  void nothingIsAddedToARequestOfWhichAPartIsLost() {
    // The second has more bytes than are lost of the first, which would be complete with them.
    byte[] all = framed(request(new Random(1), 1 << 20), request(new Random(2), 4 * READ));
    client
        .pipeline()
        .addFirst(
            "parts",
            new ChannelInboundHandlerAdapter() {
              @Override
              public void channelRead(ChannelHandlerContext context, Object message) {
                try (var filled = FilledNetty.upTo(0.76)) {
                  context.fireChannelRead(read(all, READ, 3 * READ));
                }
                for (int at = 3 * READ; at < all.length; at += READ) {
                  context.fireChannelRead(read(all, at, Math.min(all.length, at + READ)));
                }
              }
            });
    var parts = client.pipeline().context("parts");
    parts.fireChannelRead(read(all, 0, READ));
    client.writeInbound("now");
    assertThat(received).isEmpty();
    assertThat(client.isOpen()).isFalse();
  }
}
