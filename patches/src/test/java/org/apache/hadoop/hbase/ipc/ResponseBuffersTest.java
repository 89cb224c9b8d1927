package org.apache.hadoop.hbase.ipc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offheap.hbase.patches.ExactAllocator;
import io.offheap.hbase.patches.FailsOnStock;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.ipc.RpcServer.BlockingServiceAndInterface;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.ClientMetaService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetClusterIdRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetClusterIdResponse;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;
import org.apache.hbase.thirdparty.io.netty.buffer.Unpooled;
import org.apache.hbase.thirdparty.io.netty.channel.Channel;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelHandlerContext;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelOutboundHandlerAdapter;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelPromise;
import org.apache.hbase.thirdparty.io.netty.channel.embedded.EmbeddedChannel;
import org.apache.hbase.thirdparty.io.netty.channel.nio.NioEventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.socket.nio.NioSocketChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Patches "Responses: buffers back from every write" and "RPC: a response that is not written ends
 * its connection".
 */
class ResponseBuffersTest {
  private static final SocketAddress CLIENT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

  private static final int RPC_TIMEOUT_MILLIS = 20_000;

  private final Configuration conf = HBaseConfiguration.create();
  private NettyRpcServer server;
  private ExactAllocator allocator;

  /** As the server's pipeline, with the address of a client. */
  private static final class Client extends EmbeddedChannel {
    @Override
    protected SocketAddress remoteAddress0() {
      return CLIENT;
    }
  }

  /** As Netty where it has no direct memory to copy a response to. */
  private static final class Refusal extends ChannelOutboundHandlerAdapter {
    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise done)
        throws IOException {
      throw new IOException("says the test");
    }
  }

  /** A service of which one method responds. */
  private static BlockingServiceAndInterface service() {
    var methods =
        (ClientMetaService.BlockingInterface)
            Proxy.newProxyInstance(
                ClientMetaService.class.getClassLoader(),
                new Class<?>[] {ClientMetaService.BlockingInterface.class},
                (proxy, method, arguments) ->
                    GetClusterIdResponse.newBuilder().setClusterId("here").build());
    return new BlockingServiceAndInterface(
        ClientMetaService.newReflectiveBlockingService(methods),
        ClientMetaService.BlockingInterface.class);
  }

  @BeforeEach
  void start() throws IOException {
    ExactAllocator.use(conf, 100, 1024);
    server =
        new NettyRpcServer(
            null,
            "test",
            List.of(service()),
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            conf,
            new FifoRpcScheduler(conf, 1),
            true);
    allocator = (ExactAllocator) server.bbAllocator;
  }

  @AfterEach
  void stop() throws InterruptedException {
    server.stop();
    server.join();
  }

  private static List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    byte[] name = Bytes.toBytes("name");
    for (int cell = 0; cell < 20; cell++) {
      cells.add(new KeyValue(name, name, name, new byte[500]));
    }
    return cells;
  }

  private Client client() {
    var client = new Client();
    client.pipeline().addLast(new NettyRpcServerResponseEncoder(server.metrics));
    return client;
  }

  private NettyServerCall call(Channel client) {
    var connection = new NettyServerRpcConnection(server, client);
    connection.codec = new KeyValueCodec();
    return connection.createCall(
        1, null, null, RequestHeader.getDefaultInstance(), null, null, 0, null, 0, null);
  }

  private void respond(NettyServerCall call) throws IOException {
    call.setResponse(null, CellUtil.createCellScanner(cells()), null, null);
    assertThat(allocator.getOut()).isGreaterThan(5);
    call.sendResponseIfReady();
  }

  @Test
  void aResponseThatIsWrittenGivesItsBuffersBack() throws IOException {
    var client = client();
    respond(call(client));
    assertThat(client.outboundMessages()).isNotEmpty();
    allocator.assertBack();
  }

  @FailsOnStock
  @Test
  void aClientThatHasGoneMeanwhileLeavesNoBuffer() throws IOException {
    var client = client();
    var call = call(client);
    assertThat(client.close().isDone()).isTrue();
    client.runPendingTasks();
    respond(call);
    client.runPendingTasks();
    allocator.assertBack();
  }

  @FailsOnStock
  @Test
  void aResponseThatFailsBeforeTheEncoderLeavesNoBuffer() throws IOException {
    var client = client();
    client.pipeline().addLast(new Refusal());
    respond(call(client));
    client.runPendingTasks();
    allocator.assertBack();
  }

  @FailsOnStock
  @Test
  void aResponseThatIsNotTakenEndsItsConnection() throws IOException {
    var client = client();
    client.pipeline().addLast(new Refusal());
    var first = call(client);
    var second = call(client);
    respond(first);
    respond(second);
    client.runPendingTasks();
    assertThat(client.isOpen()).isFalse();
    client.checkException();
    allocator.assertBack();
  }

  /** With a client as it is: the connection is over before its time is. */
  @FailsOnStock
  @Test
  void aClientDoesNotWaitForAResponseThatIsNotTaken() throws Exception {
    server.start();
    try (var client = RpcClientFactory.createClient(conf, "test")) {
      var address = server.getListenerAddress();
      var name = ServerName.valueOf(address.getHostName(), address.getPort(), 1);
      var stub =
          ClientMetaService.newBlockingStub(
              client.createBlockingRpcChannel(name, User.getCurrent(), RPC_TIMEOUT_MILLIS));
      assertThat(id(stub)).isEqualTo("here");
      for (var channel : server.allChannels) {
        if (channel.pipeline().get(NettyRpcServerResponseEncoder.NAME) != null) {
          channel.pipeline().addFirst(new Refusal());
        }
      }
      assertThatThrownBy(() -> id(stub))
          .isInstanceOf(ServiceException.class)
          .cause()
          .isNotInstanceOf(CallTimeoutException.class);
      assertThat(id(stub)).as("over the next connection").isEqualTo("here");
    }
  }

  /** As one is for which the queue has no room: by the thread that reads it. */
  @Test
  void aRequestThatIsAnsweredWhileItIsReadGivesItsBufferBackOnce() throws Exception {
    var client = client();
    client.pipeline().addLast(new Refusal());
    var connection =
        new NettyServerRpcConnection(server, client) {
          @Override
          public void processOneRpc(ByteBuff request) throws IOException {
            respond(
                createCall(
                    1,
                    null,
                    null,
                    RequestHeader.getDefaultInstance(),
                    null,
                    null,
                    0,
                    null,
                    0,
                    callCleanup));
          }
        };
    connection.codec = new KeyValueCodec();
    var request = Unpooled.buffer().writeByte(0).retain();
    connection.process(request);
    client.runPendingTasks();
    assertThat(client.isOpen()).isFalse();
    assertThat(request.refCnt()).isOne();
    allocator.assertBack();
  }

  private static String id(ClientMetaService.BlockingInterface stub) throws ServiceException {
    return stub.getClusterId(null, GetClusterIdRequest.getDefaultInstance()).getClusterId();
  }

  @FailsOnStock
  @Test
  void aServerThatHasStoppedMeanwhileLeavesNoBuffer() throws IOException {
    var loop = new NioEventLoopGroup(1);
    var channel =
        new NioSocketChannel() {
          @Override
          protected SocketAddress remoteAddress0() {
            return CLIENT;
          }
        };
    assertThat(loop.register(channel).awaitUninterruptibly(10_000)).isTrue();
    var call = call(channel);
    assertThat(loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).awaitUninterruptibly(10_000))
        .isTrue();
    respond(call);
    allocator.assertBackSoon();
  }

  @FailsOnStock
  @Test
  void anEncodingThatFailsLeavesNoBufferAndClosesTheScanners() throws IOException {
    for (var failure :
        new Exception[] {new IOException("says the test"), new IllegalStateException()}) {
      var client = client();
      var call = call(client);
      var closed = new AtomicBoolean();
      call.setCallBack(() -> closed.set(true));
      try {
        call.setResponse(null, failing(failure), null, null);
      } catch (RuntimeException e) {
        // The handler logs it.
      }
      assertThat(closed).isTrue();
      call.sendResponseIfReady();
      assertThat(client.outboundMessages()).isNotEmpty();
      allocator.assertBack();
    }
  }

  private static CellScanner failing(Exception failure) {
    var cells = CellUtil.createCellScanner(cells());
    return new CellScanner() {
      private int left = 10;

      @Override
      public Cell current() {
        return cells.current();
      }

      @Override
      public boolean advance() throws IOException {
        if (left-- > 0) {
          return cells.advance();
        }
        if (failure instanceof IOException io) {
          throw io;
        }
        throw (RuntimeException) failure;
      }
    };
  }
}
