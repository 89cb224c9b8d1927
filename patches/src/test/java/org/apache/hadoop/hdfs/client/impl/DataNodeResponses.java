package org.apache.hadoop.hdfs.client.impl;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Random;
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
import org.apache.hadoop.util.DataChecksum;

/** A data node that is a socket and prepared bytes, and the readers of what it sends. */
final class DataNodeResponses {
  static final int CHUNK = 512;
  static final long OFFSET = CHUNK;

  /** No multiple of a chunk, so that the packets are of lengths that no other test uses. */
  static final int LENGTH = CHUNK + 189;

  static final byte[] DATA = data();

  private DataNodeResponses() {}

  static ServerSocketChannel server() throws IOException {
    return ServerSocketChannel.open()
        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  static NioInetPeer connect(ServerSocketChannel server) throws IOException {
    return new NioInetPeer(SocketChannel.open(server.getLocalAddress()).socket());
  }

  static DatanodeID node() {
    return new DatanodeID("127.0.0.1", "localhost", "uuid", 1, 2, 3, 4);
  }

  /** A reader of {@link #LENGTH} bytes from {@link #OFFSET} on. */
  static BlockReader open(NioInetPeer peer, boolean kept, boolean checked, PeerCache cache)
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
            checked,
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
            checked,
            "client",
            peer,
            node(),
            cache,
            caching,
            0,
            new Configuration(false));
  }

  /** Until all is there or nothing more comes. */
  static byte[] read(BlockReader reader) throws IOException {
    var buffer = ByteBuffer.allocateDirect(LENGTH);
    while (buffer.hasRemaining() && reader.read(buffer) > 0) {
      // The next packet.
    }
    return bytes(buffer);
  }

  static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.flip().remaining()];
    buffer.get(bytes);
    return bytes;
  }

  static BlockOpResponseProto.Builder plain(boolean checked) {
    return BlockOpResponseProto.newBuilder()
        .setStatus(Status.SUCCESS)
        .setReadOpChecksumInfo(
            info(
                checked ? ChecksumTypeProto.CHECKSUM_CRC32C : ChecksumTypeProto.CHECKSUM_NULL,
                CHUNK,
                OFFSET));
  }

  static byte[] response(ChecksumTypeProto type, int bytes, long offset) {
    return plain(false).setReadOpChecksumInfo(info(type, bytes, offset)).build().toByteArray();
  }

  private static ReadOpChecksumInfoProto info(ChecksumTypeProto type, int bytes, long offset) {
    return ReadOpChecksumInfoProto.newBuilder()
        .setChecksum(ChecksumProto.newBuilder().setType(type).setBytesPerChecksum(bytes))
        .setChunkOffset(offset)
        .build();
  }

  /** An response, two packets with the data, and an empty last one. */
  static byte[] stream(byte[] response, boolean checked) {
    return join(
        delimited(response),
        packet(0, CHUNK, checked),
        packet(CHUNK, LENGTH - CHUNK, checked),
        lastPacket());
  }

  static byte[] stream(boolean checked) {
    return stream(plain(checked).build().toByteArray(), checked);
  }

  /** Data of at most a chunk; the first byte is the first one of the request. */
  static byte[] packet(int from, int length, boolean checked) {
    byte[] sum = checked ? checksum(from, length) : new byte[0];
    byte[] data = new byte[length];
    System.arraycopy(DATA, from, data, 0, length);
    var header =
        new PacketHeader(
            4 + sum.length + length, OFFSET + from, from / CHUNK, false, length, false);
    return join(header.getBytes(), sum, data);
  }

  static byte[] lastPacket() {
    return lastPacket(0);
  }

  /** The empty packet, which claims to have some bytes. */
  static byte[] lastPacket(int claimed) {
    return new PacketHeader(4 + claimed, OFFSET + LENGTH, 2, true, 0, false).getBytes();
  }

  private static byte[] checksum(int from, int length) {
    var checksum = DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, CHUNK);
    checksum.update(DATA, from, length);
    byte[] sum = new byte[checksum.getChecksumSize()];
    try {
      checksum.writeValue(sum, 0, true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return sum;
  }

  static byte[] delimited(byte[] response) {
    return join(varint(response.length), response);
  }

  static byte[] varint(int value) {
    var out = new ByteArrayOutputStream();
    int rest = value;
    for (; rest >= 0x80; rest >>>= 7) {
      out.write((rest & 0x7F) | 0x80);
    }
    out.write(rest);
    return out.toByteArray();
  }

  static byte[] join(byte[]... parts) {
    var out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  private static byte[] data() {
    byte[] data = new byte[LENGTH];
    new Random(1).nextBytes(data);
    return data;
  }
}
