package org.apache.hadoop.hdfs.client.impl;

import static org.apache.hadoop.hdfs.client.impl.DataNodeResponses.CHUNK;
import static org.apache.hadoop.hdfs.client.impl.DataNodeResponses.connect;
import static org.apache.hadoop.hdfs.client.impl.DataNodeResponses.delimited;
import static org.apache.hadoop.hdfs.client.impl.DataNodeResponses.node;
import static org.apache.hadoop.hdfs.client.impl.DataNodeResponses.response;
import static org.apache.hadoop.hdfs.client.impl.DataNodeResponses.server;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.PeerCache;
import org.apache.hadoop.hdfs.net.NioInetPeer;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.PacketHeader;
import org.apache.hadoop.hdfs.protocol.datatransfer.PacketReceiver;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.ChecksumTypeProto;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.datanode.CachingStrategy;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Packets whose data go straight into the buffer of the one who reads. */
class DirectPacketsTest {
  private static final byte[] BLOCK = block();
  private static final byte UNTOUCHED = 0x11;

  /** A read of a block as a data node serves it: from chunk to chunk, in packets. */
  @SuppressWarnings("ArrayRecordComponent")
  private record Served(int start, int length, byte[] stream) {
    static Served of(int start, int length, int packetBytes) {
      int from = start - start % CHUNK;
      int to = Math.min(BLOCK.length, (start + length + CHUNK - 1) / CHUNK * CHUNK);
      var out = new ByteArrayOutputStream();
      out.writeBytes(delimited(response(ChecksumTypeProto.CHECKSUM_NULL, CHUNK, from)));
      long number = 0;
      for (int at = from; at < to; at += packetBytes) {
        int bytes = Math.min(packetBytes, to - at);
        out.writeBytes(new PacketHeader(4 + bytes, at, number++, false, bytes, false).getBytes());
        out.write(BLOCK, at, bytes);
      }
      out.writeBytes(new PacketHeader(4, to, number, true, 0, false).getBytes());
      return new Served(start, length, out.toByteArray());
    }

    byte[] expected() {
      return Arrays.copyOfRange(BLOCK, start, start + length);
    }

    BlockReader open(NioInetPeer peer, PeerCache cache) throws IOException {
      return BlockReaderRemote.newBlockReader(
          peer.getReadExchange(),
          "file",
          new ExtendedBlock("BP-1", 1, BLOCK.length, 1001),
          new Token<BlockTokenIdentifier>(),
          start,
          length,
          false,
          "client",
          peer,
          node(),
          cache,
          CachingStrategy.newDefaultStrategy(),
          0);
    }
  }

  static IntStream seeds() {
    return IntStream.range(0, 200);
  }

  /** In whatever pieces the bytes come, and whatever they are read into. */
  @ParameterizedTest
  @MethodSource("seeds")
  void everyByteIsRight(int seed) throws Exception {
    var random = new Random(seed);
    var cache = new PeerCache(1, 600_000);
    try (var server = server();
        var peer = connect(server);
        var node = server.accept()) {
      peer.setReadTimeout(60_000);
      for (int read = 0; read < 3; read++) {
        int start = random.nextInt(BLOCK.length - 1);
        int length = 1 + random.nextInt(BLOCK.length - start);
        var served = Served.of(start, length, CHUNK * (1 + random.nextInt(200)));
        var sent = send(node, served.stream(), new Random(seed));
        var reader = served.open(peer, cache);
        readInAnyWay(reader, served.expected(), random);
        reader.close();
        sent.get(60, TimeUnit.SECONDS);
        // Nothing of this read is left in the stream, or it would be another's.
        assertThat(cache.get(node(), false)).isSameAs(peer);
      }
    }
  }

  private static void readInAnyWay(BlockReader reader, byte[] expected, Random random)
      throws IOException {
    int at = 0;
    boolean all = random.nextBoolean();
    while (at < expected.length) {
      int left = expected.length - at;
      int want = all ? left : Math.min(left, 1 + random.nextInt(70_000));
      byte[] bytes = new byte[want];
      int got;
      switch (random.nextInt(4)) {
        case 0 -> got = reader.read(bytes, 0, want);
        case 1 -> {
          got = (int) reader.skip(want);
          System.arraycopy(expected, at, bytes, 0, got);
        }
        default -> {
          // A part of a larger buffer, as those of the pool are.
          var whole =
              random.nextInt(5) > 0
                  ? ByteBuffer.allocateDirect(want + 20)
                  : ByteBuffer.allocate(want + 20);
          for (int i = 0; i < whole.capacity(); i++) {
            whole.put(i, UNTOUCHED);
          }
          whole.position(10).limit(10 + want);
          got = reader.read(whole);
          assertThat(whole.limit()).isEqualTo(10 + want);
          assertThat(whole.position()).isEqualTo(10 + got);
          for (int i = 0; i < 10; i++) {
            assertThat(whole.get(i)).isEqualTo(UNTOUCHED);
          }
          whole.clear();
          for (int i = 10 + got; i < whole.capacity(); i++) {
            assertThat(whole.get(i)).isEqualTo(UNTOUCHED);
          }
          whole.position(10).get(bytes, 0, got);
        }
      }
      assertThat(got).isBetween(1, want);
      assertThat(Arrays.copyOf(bytes, got)).isEqualTo(Arrays.copyOfRange(expected, at, at + got));
      at += got;
    }
  }

  /** Where a packet does not come whole, its bytes do not count, and no other is read. */
  @Test
  void aCutAtAnyByteIsAnErrorAndTheBuffersPlaceIsKept() throws Exception {
    var served = Served.of(700, 1500, 2 * CHUNK);
    for (int cut = 0; cut < served.stream().length; cut++) {
      try (var server = server();
          var peer = connect(server);
          var node = server.accept()) {
        node.write(ByteBuffer.wrap(served.stream(), 0, cut));
        node.shutdownOutput();
        var buffer = ByteBuffer.allocateDirect(2000).position(100).limit(1600);
        BlockReader[] reader = new BlockReader[1];
        assertThatThrownBy(
                () -> {
                  reader[0] = served.open(peer, null);
                  while (buffer.hasRemaining() && reader[0].read(buffer) > 0) {
                    // The next packet.
                  }
                })
            .as("cut at %s", cut)
            .isInstanceOf(IOException.class);
        // From 700 to 1536, or nothing; the last packet never.
        assertThat(buffer.position()).as("cut at %s", cut).isIn(100, 100 + 836);
        assertThat(buffer.limit()).isEqualTo(1600);
        byte[] read = new byte[buffer.position() - 100];
        buffer.position(100).get(read);
        assertThat(read).isEqualTo(Arrays.copyOfRange(BLOCK, 700, 700 + read.length));
        if (reader[0] != null) {
          assertThatThrownBy(() -> reader[0].read(buffer)).isInstanceOf(IOException.class);
          reader[0].close();
        }
      }
    }
  }

  /** Headers that have the fifth field, and checksums that were not requested. */
  @ParameterizedTest
  @ValueSource(ints = {0, 4})
  void packetsOfAnotherFormAreReadToo(int sumBytes) throws Exception {
    var out = new ByteArrayOutputStream();
    var type = sumBytes == 0 ? ChecksumTypeProto.CHECKSUM_NULL : ChecksumTypeProto.CHECKSUM_CRC32C;
    out.writeBytes(delimited(response(type, CHUNK, 0)));
    for (int i = 0; i < 2; i++) {
      int payload = 4 + sumBytes + CHUNK;
      out.writeBytes(new PacketHeader(payload, (long) i * CHUNK, i, false, CHUNK, true).getBytes());
      out.write(new byte[sumBytes]);
      out.write(BLOCK, i * CHUNK, CHUNK);
    }
    out.writeBytes(new PacketHeader(4, 2 * CHUNK, 2, true, 0, false).getBytes());
    var served = new Served(0, 2 * CHUNK, out.toByteArray());
    var cache = new PeerCache(1, 600_000);
    try (var server = server();
        var peer = connect(server);
        var node = server.accept()) {
      node.write(ByteBuffer.wrap(served.stream()));
      var reader = served.open(peer, cache);
      var buffer = ByteBuffer.allocateDirect(2 * CHUNK);
      assertThat(reader.read(buffer)).isEqualTo(CHUNK);
      assertThat(reader.read(buffer)).isEqualTo(CHUNK);
      byte[] bytes = new byte[2 * CHUNK];
      buffer.flip().get(bytes);
      assertThat(bytes).isEqualTo(served.expected());
      reader.close();
      assertThat(cache.get(node(), false)).isSameAs(peer);
    }
  }

  /** The body is received as published Hadoop does, and nothing of the stream is left over. */
  @Test
  void aBufferWithLittleRoomIsFilledFromAWholePacket() throws Exception {
    var served = Served.of(100, 8 * CHUNK, 4 * CHUNK);
    var cache = new PeerCache(1, 600_000);
    try (var server = server();
        var peer = connect(server);
        var node = server.accept()) {
      node.write(ByteBuffer.wrap(served.stream()));
      var reader = served.open(peer, cache);
      var read = ByteBuffer.allocate(served.length());
      var little = ByteBuffer.allocateDirect(CHUNK - 1);
      while (read.hasRemaining()) {
        little.clear().limit(Math.min(little.capacity(), read.remaining()));
        assertThat(reader.read(little)).isPositive();
        read.put(little.flip());
      }
      assertThat(read.array()).isEqualTo(served.expected());
      reader.close();
      assertThat(cache.get(node(), false)).isSameAs(peer);
    }
  }

  /** Each size would be one more buffer of the pool, and what is left of a packet has any size. */
  @Test
  void aBufferIsNotMadeAgainForEachSize() throws IOException {
    var receiver = new PacketReceiver(true);
    Set<Integer> capacities = new TreeSet<>();
    for (int bytes : new int[] {100, 2_000, 3_001, 40_007, 65_536}) {
      var out = new ByteArrayOutputStream();
      out.writeBytes(new PacketHeader(4 + bytes, 0, 0, false, bytes, false).getBytes());
      out.write(BLOCK, 0, bytes);
      var channel = Channels.newChannel(new ByteArrayInputStream(out.toByteArray()));
      receiver.startOver();
      receiver.receivePartOfBody(channel, receiver.receiveHead(channel));
      assertThat(receiver.getDataSlice()).isEqualTo(ByteBuffer.wrap(BLOCK, 0, bytes));
      capacities.add(receiver.getCapacity());
    }
    receiver.close();
    assertThat(capacities).hasSize(2);
  }

  private static CompletableFuture<Void> send(SocketChannel node, byte[] stream, Random random) {
    return CompletableFuture.runAsync(
        () -> {
          var bytes = ByteBuffer.wrap(stream);
          try {
            while (bytes.hasRemaining()) {
              int most = random.nextBoolean() ? 50 : 60_000;
              bytes.limit(Math.min(stream.length, bytes.position() + 1 + random.nextInt(most)));
              while (bytes.hasRemaining()) {
                node.write(bytes);
              }
              bytes.limit(stream.length);
            }
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        },
        task -> new Thread(task).start());
  }

  private static byte[] block() {
    byte[] block = new byte[300_000];
    new Random(7).nextBytes(block);
    return block;
  }
}
