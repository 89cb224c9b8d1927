package org.apache.hadoop.hdfs.client.impl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.PeerCache;
import org.apache.hadoop.hdfs.net.NioInetPeer;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.PacketHeader;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.ChecksumProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.ReadOpChecksumInfoProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.ChecksumTypeProto;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.datanode.CachingStrategy;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever a data node answers, a reader whose connection keeps its state comes to the same end as
 * Hadoop's own: the same bytes, or the same exception with the same words. The data node is a
 * socket that sends prepared bytes.
 */
class ReadExchangeTest {
  private static final long OFFSET = 512;
  private static final int LENGTH = 700;
  private static final byte[] DATA = data();

  static Stream<byte[]> answers() throws IOException {
    byte[] plain = plain().build().toByteArray();
    var damaged =
        IntStream.range(0, 300)
            .mapToObj(
                seed -> {
                  var random = new Random(seed);
                  byte[] answer = plain.clone();
                  answer[random.nextInt(answer.length)] = (byte) random.nextInt();
                  return stream(answer, DATA);
                });
    var cut = IntStream.range(0, plain.length + 1).mapToObj(i -> Arrays.copyOf(stream(plain), i));
    return Stream.of(
            Stream.of(
                stream(plain, DATA),
                stream(plain().setShortCircuitAccessVersion(1).build().toByteArray(), DATA),
                stream(plain().setFirstBadLink("x".repeat(300)).build().toByteArray(), DATA),
                stream(error(Status.ERROR, "no such block"), DATA),
                stream(error(Status.ERROR_ACCESS_TOKEN, "expired"), DATA),
                stream(error(Status.ERROR_CHECKSUM, "x".repeat(5000)), DATA),
                stream(checksum(ChecksumTypeProto.CHECKSUM_NULL, 1, OFFSET), DATA),
                stream(checksum(ChecksumTypeProto.CHECKSUM_CRC32, 512, OFFSET), DATA),
                stream(checksum(ChecksumTypeProto.CHECKSUM_NULL, 0, OFFSET), DATA),
                stream(checksum(ChecksumTypeProto.CHECKSUM_NULL, 512, 0), DATA),
                stream(checksum(ChecksumTypeProto.CHECKSUM_NULL, 512, OFFSET + 1), DATA),
                stream(checksum(ChecksumTypeProto.CHECKSUM_NULL, 512, -1), DATA),
                new byte[0]),
            damaged,
            cut)
        .flatMap(answers -> answers);
  }

  @ParameterizedTest
  @MethodSource("answers")
  void theSameEndAsHadoopsOwnReader(byte[] answer) throws Exception {
    assertThat(outcome(answer, true)).isEqualTo(outcome(answer, false));
  }

  @Test
  void oneConnectionServesReadAfterRead() throws Exception {
    byte[] answer = stream(plain().build().toByteArray(), DATA);
    var thrice = new ByteArrayOutputStream();
    for (int i = 0; i < 3; i++) {
      thrice.write(answer);
    }
    try (var server = server()) {
      var peer = connect(server);
      var node = server.accept();
      node.write(ByteBuffer.wrap(thrice.toByteArray()));
      var cache = new PeerCache(1, 60_000);
      for (int i = 0; i < 3; i++) {
        var reader = open(peer, true, cache);
        assertThat(read(reader)).isEqualTo(DATA);
        reader.close();
        assertThat(cache.get(node(), false)).isSameAs(peer);
      }
      peer.close();
      node.close();
    }
  }

  /** The bytes read, or the exception, without the addresses that differ from run to run. */
  private static String outcome(byte[] answer, boolean kept) throws Exception {
    try (var server = server()) {
      var peer = connect(server);
      try (var node = server.accept()) {
        node.write(ByteBuffer.wrap(answer));
        node.shutdownOutput();
        var reader = open(peer, kept, null);
        return Arrays.toString(read(reader));
      } catch (IOException | RuntimeException | AssertionError e) {
        return (e.getClass().getName() + ": " + e.getMessage())
            .replaceAll("/127.0.0.1:\\d+", "address")
            .replaceAll("@[0-9a-f]+", "");
      } finally {
        peer.close();
      }
    }
  }

  private static BlockReader open(NioInetPeer peer, boolean kept, PeerCache cache)
      throws IOException {
    var block = new ExtendedBlock("BP-1", 1, 4096, 1001);
    var token = new Token<BlockTokenIdentifier>();
    var caching = CachingStrategy.newDefaultStrategy();
    return kept
        ? BlockReaderRemote.newBlockReader(
            peer.getReadExchange(),
            "file",
            block,
            token,
            OFFSET,
            LENGTH,
            false,
            "client",
            peer,
            node(),
            cache,
            caching,
            0)
        : BlockReaderRemote.newBlockReader(
            "file",
            block,
            token,
            OFFSET,
            LENGTH,
            false,
            "client",
            peer,
            node(),
            cache,
            caching,
            0,
            new Configuration(false));
  }

  private static byte[] read(BlockReader reader) throws IOException {
    var buffer = ByteBuffer.allocateDirect(LENGTH);
    while (buffer.hasRemaining() && reader.read(buffer) > 0) {
      // Until all is there or nothing more comes.
    }
    byte[] bytes = new byte[buffer.flip().remaining()];
    buffer.get(bytes);
    return bytes;
  }

  private static DatanodeID node() {
    return new DatanodeID("127.0.0.1", "localhost", "uuid", 1, 2, 3, 4);
  }

  private static ServerSocketChannel server() throws IOException {
    return ServerSocketChannel.open()
        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  private static NioInetPeer connect(ServerSocketChannel server) throws IOException {
    return new NioInetPeer(SocketChannel.open(server.getLocalAddress()).socket());
  }

  private static BlockOpResponseProto.Builder plain() {
    return BlockOpResponseProto.newBuilder()
        .setStatus(Status.SUCCESS)
        .setReadOpChecksumInfo(info(ChecksumTypeProto.CHECKSUM_NULL, 512, OFFSET));
  }

  private static byte[] checksum(ChecksumTypeProto type, int bytes, long offset) {
    return plain().setReadOpChecksumInfo(info(type, bytes, offset)).build().toByteArray();
  }

  private static ReadOpChecksumInfoProto info(ChecksumTypeProto type, int bytes, long offset) {
    return ReadOpChecksumInfoProto.newBuilder()
        .setChecksum(ChecksumProto.newBuilder().setType(type).setBytesPerChecksum(bytes))
        .setChunkOffset(offset)
        .build();
  }

  private static byte[] error(Status status, String message) {
    return BlockOpResponseProto.newBuilder()
        .setStatus(status)
        .setMessage(message)
        .build()
        .toByteArray();
  }

  private static byte[] data() {
    byte[] data = new byte[LENGTH];
    new Random(1).nextBytes(data);
    return data;
  }

  /** An answer, and two packets with the data and an empty last one. */
  private static byte[] stream(byte[] answer, byte[] data) {
    try {
      var out = new ByteArrayOutputStream();
      out.write(stream(answer));
      out.write(new PacketHeader(4 + 512, OFFSET, 0, false, 512, false).getBytes());
      out.write(data, 0, 512);
      int rest = data.length - 512;
      out.write(new PacketHeader(4 + rest, OFFSET + 512, 1, false, rest, false).getBytes());
      out.write(data, 512, rest);
      out.write(new PacketHeader(4, OFFSET + data.length, 2, true, 0, false).getBytes());
      return out.toByteArray();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] stream(byte[] answer) {
    var out = new ByteArrayOutputStream();
    int length = answer.length;
    for (; length >= 0x80; length >>>= 7) {
      out.write((length & 0x7F) | 0x80);
    }
    out.write(length);
    out.writeBytes(answer);
    return out.toByteArray();
  }
}
