package org.apache.hadoop.hdfs.client.impl;

import static org.apache.hadoop.hdfs.client.impl.DataNodeResponses.CHUNK;
import static org.apache.hadoop.hdfs.client.impl.DataNodeResponses.DATA;
import static org.apache.hadoop.hdfs.client.impl.DataNodeResponses.LENGTH;
import static org.apache.hadoop.hdfs.client.impl.DataNodeResponses.bytes;
import static org.apache.hadoop.hdfs.client.impl.DataNodeResponses.connect;
import static org.apache.hadoop.hdfs.client.impl.DataNodeResponses.delimited;
import static org.apache.hadoop.hdfs.client.impl.DataNodeResponses.join;
import static org.apache.hadoop.hdfs.client.impl.DataNodeResponses.lastPacket;
import static org.apache.hadoop.hdfs.client.impl.DataNodeResponses.node;
import static org.apache.hadoop.hdfs.client.impl.DataNodeResponses.open;
import static org.apache.hadoop.hdfs.client.impl.DataNodeResponses.packet;
import static org.apache.hadoop.hdfs.client.impl.DataNodeResponses.plain;
import static org.apache.hadoop.hdfs.client.impl.DataNodeResponses.read;
import static org.apache.hadoop.hdfs.client.impl.DataNodeResponses.server;
import static org.apache.hadoop.hdfs.client.impl.DataNodeResponses.stream;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offheap.hbase.patches.FailsOnStock;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ref.WeakReference;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.PeerCache;
import org.apache.hadoop.hdfs.net.NioInetPeer;
import org.apache.hadoop.hdfs.protocol.datatransfer.PacketReceiver;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The buffer of a packet goes back to the pool once, and not while a reader can still copy from it,
 * however a read ends.
 */
class BlockReaderBuffersTest {
  private static final int WAIT_SECONDS = 60;
  private static final byte POISON = 0x55;

  /** The buffers that a reader takes from the pool: for the lengths, and for a packet. */
  private final List<ByteBuffer> pooled = new ArrayList<>();

  static Stream<Arguments> readers() {
    return Stream.of(true, false)
        .flatMap(kept -> Stream.of(true, false).map(checked -> Arguments.of(kept, checked)));
  }

  @BeforeEach
  void fillThePool() throws Exception {
    pool().clear();
    for (int size :
        new int[] {6, 1024, packet(0, CHUNK, true).length, packet(0, CHUNK, false).length}) {
      var buffer = ByteBuffer.allocateDirect(size);
      pooled.add(buffer);
      give(buffer);
    }
  }

  /** Whatever the test did: each buffer is there, and once. */
  @AfterEach
  void eachBufferIsInThePoolOnce() throws Exception {
    for (var buffer : pooled) {
      assertThat(timesInPool(buffer)).as("buffer of %s bytes", buffer.capacity()).isEqualTo(1);
      // Another one beside it would be one that was taken in place of a lost one.
      assertThat(pool().get(buffer.capacity())).hasSize(1);
    }
  }

  /** A reader has copied a part, when it cannot report to the data node that it got everything. */
  @ParameterizedTest
  @MethodSource("readers")
  void aResultThatIsSentInPartTakesNoBytesFromTheReader(boolean kept, boolean checked)
      throws Exception {
    for (int sent = 0; sent < 2; sent++) {
      int part = sent;
      try (var server = server();
          var peer = new FailingPeer(SocketChannel.open(server.getLocalAddress()));
          var node = server.accept()) {
        node.write(ByteBuffer.wrap(stream(checked)));
        var reader = open(peer, kept, checked, null);
        peer.failAfter = part;
        assertAllIsReadThoughThePoolIsUsed(reader);
        assertThat(peer.failures).isEqualTo(1);
        reader.close();
        assertThat(peer.isClosed()).isTrue();
      }
    }
  }

  /** As the cache of connections does, or the end of the client. */
  @ParameterizedTest
  @MethodSource("readers")
  void aConnectionThatIsClosedMeanwhileTakesNoBytesFromTheReader(boolean kept, boolean checked)
      throws Exception {
    try (var server = server()) {
      var peer = connect(server);
      try (var node = server.accept()) {
        node.write(ByteBuffer.wrap(stream(checked)));
        var reader = open(peer, kept, checked, null);
        var buffer = ByteBuffer.allocate(LENGTH);
        assertThat(reader.read(buffer.limit(CHUNK + 10))).isEqualTo(CHUNK);
        assertThat(reader.read(buffer)).isEqualTo(10);
        CompletableFuture.runAsync(() -> close(peer)).get(WAIT_SECONDS, TimeUnit.SECONDS);
        poisonThePool();
        reader.read(buffer.limit(LENGTH));
        assertThat(bytes(buffer)).isEqualTo(DATA);
        reader.close();
      }
    }
  }

  /** On published Hadoop the reader continues to copy from a buffer that is another's. */
  @FailsOnStock
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aClosedReaderReadsNoMore(boolean checked) throws Exception {
    try (var server = server();
        var peer = connect(server);
        var node = server.accept()) {
      node.write(ByteBuffer.wrap(stream(checked)));
      var reader = open(peer, false, checked, null);
      assertThat(reader.read(ByteBuffer.allocate(10))).isEqualTo(10);
      reader.close();
      assertReadsNoMore(reader);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aClosedReaderReadsNoMoreFromItsConnection(boolean checked) throws Exception {
    byte[] whole = stream(checked);
    var cache = new PeerCache(2, 600_000);
    try (var server = server();
        var peer = connect(server);
        var node = server.accept()) {
      node.write(ByteBuffer.wrap(join(whole, whole)));
      var first = open(peer, true, checked, cache);
      assertThat(read(first)).isEqualTo(DATA);
      first.close();
      assertThat(cache.get(node(), false)).isSameAs(peer);
      var second = open(peer, true, checked, cache);
      assertReadsNoMore(first);
      first.close();
      assertThat(cache.size()).isZero();
      assertThat(read(second)).isEqualTo(DATA);
      second.close();
    }
  }

  /** On published Hadoop two readers get the same connection then. */
  @FailsOnStock
  @Test
  void aReaderThatIsClosedTwiceIsClosedOnce() throws Exception {
    var cache = new PeerCache(2, 600_000);
    try (var server = server();
        var peer = connect(server);
        var node = server.accept()) {
      node.write(ByteBuffer.wrap(stream(true)));
      var reader = open(peer, false, true, cache);
      assertThat(read(reader)).isEqualTo(DATA);
      reader.close();
      reader.close();
      assertThat(cache.size()).isEqualTo(1);
    }
  }

  /** It waits for the read, as the one who closes a stream does. */
  @ParameterizedTest
  @MethodSource("readers")
  void aCloseDuringAReadWaitsForIt(boolean kept, boolean checked) throws Exception {
    byte[] whole = stream(checked);
    try (var server = server();
        var peer = connect(server);
        var node = server.accept()) {
      int middle = whole.length - lastPacket().length - 20;
      node.write(ByteBuffer.wrap(whole, 0, middle));
      var reader = open(peer, kept, checked, null);
      var read = CompletableFuture.supplyAsync(() -> outcome(reader));
      var closed = new CompletableFuture<Void>();
      var closer =
          new Thread(
              () -> {
                close(reader);
                closed.complete(null);
              });
      // The second packet has not come whole.
      var receiver = receiver(reader);
      Awaitility.await("the first packet")
          .atMost(WAIT_SECONDS, TimeUnit.SECONDS)
          .until(() -> receiver.getHeader() != null);
      closer.start();
      Awaitility.await("either end")
          .atMost(WAIT_SECONDS, TimeUnit.SECONDS)
          .until(() -> closed.isDone() || closer.getState() == Thread.State.BLOCKED);
      poisonThePool();
      node.write(ByteBuffer.wrap(whole, middle, whole.length - middle));
      var end = read.get(WAIT_SECONDS, TimeUnit.SECONDS);
      // An exception where the close came between the two packets.
      assertThat(end instanceof Exception || Arrays.equals(DATA, (byte[]) end)).isTrue();
      closed.get(WAIT_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** Only the collector knows that nothing is copied from it any more. */
  @ParameterizedTest
  @MethodSource("readers")
  void aReaderThatIsNeverClosedLosesNoBuffer(boolean kept, boolean checked) throws Exception {
    openReadAndForget(kept, checked);
    Awaitility.await("the collector")
        .atMost(WAIT_SECONDS, TimeUnit.SECONDS)
        .until(
            () -> {
              System.gc();
              for (var buffer : pooled) {
                if (timesInPool(buffer) == 0) {
                  return false;
                }
              }
              return true;
            });
  }

  private static void openReadAndForget(boolean kept, boolean checked) throws Exception {
    try (var server = server();
        var peer = connect(server);
        var node = server.accept()) {
      node.write(ByteBuffer.wrap(stream(checked)));
      open(peer, kept, checked, null).read(ByteBuffer.allocate(10));
    }
  }

  /** Ended, or reset, after each byte. */
  @ParameterizedTest
  @MethodSource("readers")
  void aStreamThatIsCutAtAnyByteIsAnError(boolean kept, boolean checked) throws Exception {
    byte[] whole = stream(checked);
    for (boolean reset : new boolean[] {false, true}) {
      for (int cut = 0; cut <= whole.length; cut++) {
        var buffer = cut % 2 == 0 ? ByteBuffer.allocateDirect(LENGTH) : ByteBuffer.allocate(LENGTH);
        var end = readOfCutStream(whole, cut, reset, kept, checked, buffer);
        var read = bytes(buffer);
        assertThat(read).as("cut at %s", cut).isEqualTo(Arrays.copyOf(DATA, read.length));
        if (cut < whole.length) {
          assertThat(end).as("cut at %s", cut).isInstanceOf(IOException.class);
          // What is not the last packet may have been copied before.
          assertThat(read.length).as("cut at %s", cut).isIn(0, CHUNK);
        } else if (!reset) {
          assertThat(end).isNull();
          assertThat(read).hasSize(LENGTH);
        }
        eachBufferIsInThePoolOnce();
      }
    }
  }

  /** On published Hadoop a NullPointerException, after which no other replica is read. */
  @FailsOnStock
  @Test
  void responseThatEndsEarlyIsAnIOException() throws Exception {
    byte[] response = delimited(plain(true).build().toByteArray());
    for (int cut = 0; cut < response.length; cut++) {
      try (var server = server();
          var peer = connect(server);
          var node = server.accept()) {
        node.write(ByteBuffer.wrap(response, 0, cut));
        node.shutdownOutput();
        assertThatThrownBy(() -> open(peer, false, true, null)).isInstanceOf(IOException.class);
      }
    }
  }

  /** What a data node that stops answering does. */
  @ParameterizedTest
  @MethodSource("readers")
  void aStreamThatStopsIsATimeout(boolean kept, boolean checked) throws Exception {
    byte[] whole = stream(checked);
    for (int cut = 0; cut < whole.length; cut += whole.length / 12) {
      try (var server = server();
          var peer = connect(server);
          var node = server.accept()) {
        peer.setReadTimeout(50);
        node.write(ByteBuffer.wrap(whole, 0, cut));
        var buffer = ByteBuffer.allocate(LENGTH);
        try (var reader = new Closing(open(peer, kept, checked, null))) {
          assertThatThrownBy(() -> readAll(reader.reader, buffer))
              .isInstanceOf(SocketTimeoutException.class);
          // Its place in the stream is lost; what comes now is not the head of a packet.
          node.write(ByteBuffer.wrap(whole, cut, whole.length - cut));
          assertReadsNoMore(reader.reader);
        } catch (SocketTimeoutException inTheResponse) {
          assertThat(cut).isLessThan(whole.length / 4);
        }
        byte[] read = bytes(buffer);
        assertThat(read).isEqualTo(Arrays.copyOf(DATA, read.length));
      }
      eachBufferIsInThePoolOnce();
    }
  }

  /**
   * Bytes of the last packet would be written over data that are verified and not yet copied; where
   * they do not fit, the buffer goes back with these data in it.
   */
  @FailsOnStock
  @ParameterizedTest
  @ValueSource(ints = {100, CHUNK, 5000})
  void aLastPacketThatIsNotEmptyIsAnErrorAndNoWrongByte(int claimed) throws Exception {
    assertNoWrongByte(claimed, false);
  }

  @ParameterizedTest
  @ValueSource(ints = {100, CHUNK, 5000})
  void aLastPacketThatIsNotEmptyIsAnErrorOnAKeptConnection(int claimed) throws Exception {
    assertNoWrongByte(claimed, true);
  }

  private static void assertNoWrongByte(int claimed, boolean kept) throws Exception {
    byte[] poison = new byte[claimed];
    Arrays.fill(poison, POISON);
    byte[] response = plain(true).build().toByteArray();
    try (var server = server();
        var peer = connect(server);
        var node = server.accept()) {
      node.write(
          ByteBuffer.wrap(
              join(
                  delimited(response),
                  packet(0, CHUNK, true),
                  packet(CHUNK, LENGTH - CHUNK, true),
                  lastPacket(claimed),
                  poison)));
      var reader = open(peer, kept, true, null);
      try {
        var buffer = ByteBuffer.allocate(LENGTH);
        assertThatThrownBy(() -> readAll(reader, buffer))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("Expected empty end-of-read packet");
        assertReadsNoMore(reader);
      } finally {
        reader.close();
      }
    }
  }

  /** A packet of 16 MiB at most, which the connection does not keep. */
  @ParameterizedTest
  @ValueSource(ints = {1 << 20, 15 << 20, 17 << 20, Integer.MAX_VALUE})
  void aDamagedPacketLengthIsAnError(int length) throws Exception {
    byte[] whole = stream(false);
    int behind = delimited(plain(false).build().toByteArray()).length;
    ByteBuffer.wrap(whole).putInt(behind, length);
    var buffer = ByteBuffer.allocate(LENGTH);
    assertThat(readOfCutStream(whole, whole.length, false, true, false, buffer))
        .isInstanceOf(IOException.class);
    assertThat(buffer.position()).isZero();
  }

  /** Null, or what the read ended with. */
  private static Exception readOfCutStream(
      byte[] whole, int cut, boolean reset, boolean kept, boolean checked, ByteBuffer buffer)
      throws IOException {
    try (var server = server();
        var peer = connect(server);
        var node = server.accept()) {
      peer.setReadTimeout(WAIT_SECONDS * 1000);
      node.write(ByteBuffer.wrap(whole, 0, cut));
      if (reset) {
        node.setOption(StandardSocketOptions.SO_LINGER, 0);
        node.close();
      } else {
        node.shutdownOutput();
      }
      try (var reader = new Closing(open(peer, kept, checked, null))) {
        readAll(reader.reader, buffer);
        return null;
      } catch (IOException e) {
        return e;
      }
    }
  }

  private static void readAll(BlockReader reader, ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining() && reader.read(buffer) > 0) {
      // The next packet.
    }
  }

  private static Object outcome(BlockReader reader) {
    try {
      return read(reader);
    } catch (IOException e) {
      return e;
    }
  }

  private static void assertReadsNoMore(BlockReader reader) {
    assertThatThrownBy(() -> reader.read(ByteBuffer.allocate(10))).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> reader.read(new byte[10], 0, 10)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> reader.skip(10)).isInstanceOf(IOException.class);
  }

  /** What another reader would do with buffers of the pool, between any two copies. */
  private void assertAllIsReadThoughThePoolIsUsed(BlockReader reader) throws Exception {
    var buffer = ByteBuffer.allocate(LENGTH);
    while (buffer.hasRemaining()) {
      buffer.limit(Math.min(buffer.position() + 50, LENGTH));
      assertThat(reader.read(buffer)).isPositive();
      poisonThePool();
      buffer.limit(LENGTH);
    }
    assertThat(bytes(buffer)).isEqualTo(DATA);
  }

  private void poisonThePool() throws Exception {
    for (var buffer : pooled) {
      if (timesInPool(buffer) > 0) {
        for (int i = 0; i < buffer.capacity(); i++) {
          buffer.put(i, POISON);
        }
      }
    }
  }

  private static PacketReceiver receiver(BlockReader reader) throws Exception {
    var field = BlockReaderRemote.class.getDeclaredField("packetReceiver");
    field.setAccessible(true);
    return (PacketReceiver) field.get(reader);
  }

  private static long timesInPool(ByteBuffer buffer) throws Exception {
    var queue = pool().get(buffer.capacity());
    return queue == null ? 0 : queue.stream().filter(entry -> entry.refersTo(buffer)).count();
  }

  private static void give(ByteBuffer buffer) throws Exception {
    var pool = field(PacketReceiver.class, null, "bufferPool");
    pool.getClass().getMethod("returnBuffer", ByteBuffer.class).invoke(pool, buffer);
  }

  @SuppressWarnings("unchecked")
  private static Map<Integer, Queue<WeakReference<ByteBuffer>>> pool() throws Exception {
    var pool = field(PacketReceiver.class, null, "bufferPool");
    return (Map<Integer, Queue<WeakReference<ByteBuffer>>>)
        field(pool.getClass(), pool, "buffersBySize");
  }

  private static Object field(Class<?> type, Object object, String name) throws Exception {
    var field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(object);
  }

  private static void close(Closeable closed) {
    try {
      closed.close();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private record Closing(BlockReader reader) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      reader.close();
    }
  }

  /** A connection whose result goes out in part, or not at all. */
  private static final class FailingPeer extends NioInetPeer {
    private int failAfter = Integer.MAX_VALUE;
    private int failures;

    FailingPeer(SocketChannel channel) throws IOException {
      super(channel.socket());
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      var out = super.getOutputStream();
      return failAfter == Integer.MAX_VALUE ? out : new FailingStream(out);
    }

    private final class FailingStream extends OutputStream implements WritableByteChannel {
      private final OutputStream out;

      FailingStream(OutputStream out) {
        this.out = out;
      }

      @Override
      public int write(ByteBuffer bytes) throws IOException {
        if (failAfter == 0) {
          failures++;
          throw new IOException("The connection broke");
        }
        failAfter--;
        out.write(bytes.get());
        return 1;
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        var left = ByteBuffer.wrap(bytes, offset, length);
        while (left.hasRemaining()) {
          write(left);
        }
      }

      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public boolean isOpen() {
        return true;
      }

      @Override
      public void close() throws IOException {
        out.close();
      }
    }
  }
}
