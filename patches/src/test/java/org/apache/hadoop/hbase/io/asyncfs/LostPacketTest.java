package org.apache.hadoop.hbase.io.asyncfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offheap.hbase.patches.FailsOnStock;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.CryptoCodec;
import org.apache.hadoop.hbase.io.asyncfs.monitor.StreamSlowMonitor;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBufAllocator;
import org.apache.hbase.thirdparty.io.netty.buffer.Unpooled;
import org.apache.hbase.thirdparty.io.netty.channel.Channel;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelHandler;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelHandlerContext;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelOutboundHandlerAdapter;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelPromise;
import org.apache.hbase.thirdparty.io.netty.channel.EventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.embedded.EmbeddedChannel;
import org.apache.hbase.thirdparty.io.netty.channel.nio.NioEventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.socket.nio.NioSocketChannel;
import org.apache.hbase.thirdparty.io.netty.util.ReferenceCountUtil;
import org.apache.hbase.thirdparty.io.netty.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A file of the asynchronous log on three data nodes, one of which gets no packet: nothing waits
 * for an acknowledgement of it. As published it does, for ever if the connection stands.
 */
class LostPacketTest {
  /** Well under the minute after which a silent data node counts as failed. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final short REPLICAS = 3;
  private static final EventLoopGroup GROUP = new NioEventLoopGroup(REPLICAS);
  private static final org.apache.hadoop.fs.Path FILE = new org.apache.hadoop.fs.Path("/log");

  @TempDir private static Path directory;

  private static MiniDFSCluster hdfs;

  private FanOutOneBlockAsyncDFSOutput output;

  @BeforeAll
  static void start() throws IOException {
    hdfs =
        new MiniDFSCluster.Builder(new Configuration(), directory.toFile())
            .numDataNodes(REPLICAS)
            .build();
  }

  @AfterAll
  static void stop() {
    await(GROUP.shutdownGracefully(0, PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
    hdfs.shutdown(true);
  }

  @BeforeEach
  void write() throws Exception {
    output =
        (FanOutOneBlockAsyncDFSOutput)
            AsyncFSOutputHelper.createOutput(
                fs(),
                FILE,
                true,
                false,
                REPLICAS,
                fs().getDefaultBlockSize(FILE),
                GROUP,
                NioSocketChannel.class,
                StreamSlowMonitor.create(fs().getConf(), "test"),
                false);
    output.write("abc".getBytes(StandardCharsets.UTF_8));
    assertThat(output.flush(false)).succeedsWithin(PATIENCE).isEqualTo(3L);
  }

  /** What was acknowledged is in the file, however it was closed. */
  @AfterEach
  void recover() throws IOException {
    if (!output.isClosed()) {
      output.recoverAndClose(null);
    }
    assertThat(fs().getFileStatus(FILE).getLen()).isEqualTo(3);
  }

  @Test
  void aFileWhoseConnectionsStandIsClosed() throws Exception {
    output.close();

    assertThat(output.isClosed()).isTrue();
  }

  /** After the file has begun to close and before it waits for a response. */
  @FailsOnStock
  @ParameterizedTest
  @ValueSource(ints = {1, REPLICAS})
  void connectionsThatEndDuringCloseFailIt(int ended) throws Exception {
    beforeItsBuffers(
        () ->
            output.getDatanodeInfoMap().keySet().stream()
                .limit(ended)
                .forEach(LostPacketTest::end));

    assertThat(close()).succeedsWithin(PATIENCE).asString().contains("Packet not sent");
    assertThat(output.isBroken()).isTrue();
  }

  /** With encryption, a packet takes memory on its way. */
  @FailsOnStock
  @Test
  void aLastPacketThatIsNotSentFailsTheClose() {
    failWrites();

    assertThat(close()).succeedsWithin(PATIENCE).asString().contains("Packet not sent");
    assertThat(output.isBroken()).isTrue();
  }

  @FailsOnStock
  @Test
  void aPacketThatIsNotSentFailsItsFlush() {
    failWrites();
    output.write("def".getBytes(StandardCharsets.UTF_8));

    assertThat(output.flush(false))
        .failsWithin(PATIENCE)
        .withThrowableThat()
        .withMessageContaining("Packet not sent");
    assertThat(output.isBroken()).isTrue();
  }

  @FailsOnStock
  @Test
  void aCloseThatFindsNoMemoryEndsTheConnections() throws Exception {
    beforeItsBuffers(LostPacketTest::noMemory);

    assertThatThrownBy(output::close).isInstanceOf(IOException.class);
    assertThat(output.isBroken()).isTrue();
    assertThat(output.getDatanodeInfoMap().keySet())
        .allSatisfy(connection -> await(connection.closeFuture()));
  }

  /** The data node stalls, and then its connection ends with all that is still to be sent. */
  @Test
  void manyLostPacketsAreReportedOnce() throws Exception {
    var packets = 5_000;
    var held = new ArrayDeque<ChannelPromise>();
    var connection = sendNothing(held::add);
    var flushes = new ArrayList<CompletableFuture<Long>>();
    for (int packet = 0; packet < packets; packet++) {
      output.write(new byte[8]);
      flushes.add(output.flush(false));
    }

    var error = new ReportedError();
    await(connection.eventLoop().submit(() -> held.forEach(sent -> sent.tryFailure(error))));

    assertThat(held).hasSize(3 * packets);
    for (var flush : flushes) {
      assertThat(flush)
          .failsWithin(PATIENCE)
          .withThrowableThat()
          .satisfies(thrown -> assertThat(thrown.getCause()).hasCause(error));
    }
    // A report looks at all packets that wait, and that of each would hold the connections' thread.
    assertThat(error.reports.get()).isPositive().isLessThan(packets / 10);
  }

  @FailsOnStock
  @Test
  void anErrorOfAConnectionIsNoneOfClose() throws Exception {
    var connection = sendNothing(sent -> {});
    var close = close();
    // An error before the last packet waits has nothing to fail.
    var errors =
        connection
            .eventLoop()
            .scheduleAtFixedRate(
                () ->
                    connection
                        .pipeline()
                        .fireExceptionCaught(new OutOfMemoryError("says the test")),
                100,
                100,
                TimeUnit.MILLISECONDS);

    try {
      assertThat(close).succeedsWithin(PATIENCE).asString().contains("failed");
    } finally {
      errors.cancel(false);
    }
  }

  @FailsOnStock
  @Test
  void encryptionWithoutMemoryReleasesThePacket() throws Exception {
    var constructor =
        Stream.of(FanOutOneBlockAsyncDFSOutputSaslHelper.class.getDeclaredClasses())
            .filter(type -> type.getSimpleName().equals("EncryptHandler"))
            .findFirst()
            .orElseThrow()
            .getDeclaredConstructor(CryptoCodec.class, byte[].class, byte[].class);
    constructor.setAccessible(true);
    var encryption =
        (ChannelHandler)
            constructor.newInstance(
                CryptoCodec.getInstance(new Configuration()), new byte[16], new byte[16]);
    var connection = new EmbeddedChannel(encryption);
    connection.config().setAllocator(before(LostPacketTest::noMemory, connection.alloc()));
    var packet = Unpooled.directBuffer().writeBytes(new byte[8]);

    var sent = connection.writeAndFlush(packet);

    assertThat(sent.cause()).hasRootCauseInstanceOf(OutOfMemoryError.class);
    assertThat(packet.refCnt()).isZero();
  }

  private static DistributedFileSystem fs() throws IOException {
    return hdfs.getFileSystem();
  }

  /** What close has failed with. */
  private CompletableFuture<Exception> close() {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            output.close();
            return null;
          } catch (IOException e) {
            return e;
          }
        });
  }

  private static void end(Channel connection) {
    await(connection.close());
    // The first runs behind the close, which submits the one by which the handlers get it; the
    // second behind that one.
    await(connection.eventLoop().submit(() -> {}));
    await(connection.eventLoop().submit(() -> {}));
  }

  private static void await(Future<?> future) {
    assertThat(future.awaitUninterruptibly(PATIENCE.toMillis())).isTrue();
  }

  private static void withoutMemory(ChannelPromise sent) {
    assertThat(sent.tryFailure(new OutOfMemoryError("says the test"))).isTrue();
  }

  private void failWrites() {
    var unused = sendNothing(LostPacketTest::withoutMemory);
  }

  /** To one of the data nodes; returns the connection to it. */
  private Channel sendNothing(Consumer<ChannelPromise> instead) {
    var connection = output.getDatanodeInfoMap().keySet().iterator().next();
    connection
        .pipeline()
        .addLast(
            new ChannelOutboundHandlerAdapter() {
              @Override
              public void write(ChannelHandlerContext context, Object packet, ChannelPromise sent) {
                ReferenceCountUtil.release(packet);
                instead.accept(sent);
              }
            });
    return connection;
  }

  private void beforeItsBuffers(Runnable first) throws ReflectiveOperationException {
    var field = FanOutOneBlockAsyncDFSOutput.class.getDeclaredField("alloc");
    field.setAccessible(true);
    field.set(output, before(first, (ByteBufAllocator) field.get(output)));
  }

  private static ByteBufAllocator before(Runnable first, ByteBufAllocator own) {
    return (ByteBufAllocator)
        Proxy.newProxyInstance(
            ByteBufAllocator.class.getClassLoader(),
            new Class<?>[] {ByteBufAllocator.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("directBuffer")) {
                first.run();
              }
              try {
                return method.invoke(own, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** Counts its reports: each one reads its message. */
  private static final class ReportedError extends OutOfMemoryError {
    private static final long serialVersionUID = 1;

    private final transient AtomicInteger reports = new AtomicInteger();

    @Override
    public String getMessage() {
      reports.incrementAndGet();
      return "says the test";
    }
  }

  private static void noMemory() {
    throw new OutOfMemoryError("says the test");
  }
}
