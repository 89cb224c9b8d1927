package org.apache.hadoop.hdfs.client.impl;

import static org.apache.hadoop.hdfs.client.impl.DataNodeResponses.DATA;
import static org.apache.hadoop.hdfs.client.impl.DataNodeResponses.OFFSET;
import static org.apache.hadoop.hdfs.client.impl.DataNodeResponses.connect;
import static org.apache.hadoop.hdfs.client.impl.DataNodeResponses.delimited;
import static org.apache.hadoop.hdfs.client.impl.DataNodeResponses.join;
import static org.apache.hadoop.hdfs.client.impl.DataNodeResponses.node;
import static org.apache.hadoop.hdfs.client.impl.DataNodeResponses.open;
import static org.apache.hadoop.hdfs.client.impl.DataNodeResponses.plain;
import static org.apache.hadoop.hdfs.client.impl.DataNodeResponses.read;
import static org.apache.hadoop.hdfs.client.impl.DataNodeResponses.response;
import static org.apache.hadoop.hdfs.client.impl.DataNodeResponses.server;
import static org.apache.hadoop.hdfs.client.impl.DataNodeResponses.stream;
import static org.apache.hadoop.hdfs.client.impl.DataNodeResponses.varint;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.PeerCache;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.ChecksumTypeProto;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever the response of a data node, a reader whose connection keeps its state comes to the same
 * end as Hadoop's own: the same bytes, or the same exception with the same words.
 */
class ReadExchangeTest {

  static Stream<byte[]> responses() {
    byte[] plain = plain(false).build().toByteArray();
    return Stream.of(
            Stream.of(
                stream(false),
                stream(plain(false).setShortCircuitAccessVersion(1).build().toByteArray(), false),
                stream(plain(false).setFirstBadLink("x".repeat(300)).build().toByteArray(), false),
                stream(error(Status.ERROR, "no such block"), false),
                stream(error(Status.ERROR_ACCESS_TOKEN, "expired"), false),
                stream(error(Status.ERROR_CHECKSUM, "x".repeat(5000)), false),
                stream(response(ChecksumTypeProto.CHECKSUM_NULL, 1, OFFSET), false),
                stream(response(ChecksumTypeProto.CHECKSUM_CRC32, 512, OFFSET), false),
                stream(response(ChecksumTypeProto.CHECKSUM_NULL, 0, OFFSET), false),
                stream(response(ChecksumTypeProto.CHECKSUM_NULL, 512, 0), false),
                stream(response(ChecksumTypeProto.CHECKSUM_NULL, 512, OFFSET + 1), false),
                stream(response(ChecksumTypeProto.CHECKSUM_NULL, 512, -1), false),
                new byte[0]),
            damaged(plain, false),
            IntStream.range(0, plain.length + 1).mapToObj(i -> Arrays.copyOf(delimited(plain), i)))
        .flatMap(responses -> responses);
  }

  static Stream<byte[]> answersWithChecksums() {
    byte[] whole = stream(true);
    // Any byte behind the response: of headers, checksums and data.
    int behind = delimited(plain(true).build().toByteArray()).length;
    var damagedPackets =
        IntStream.range(behind, whole.length)
            .mapToObj(
                i -> {
                  byte[] damaged = whole.clone();
                  damaged[i] ^= 1;
                  return damaged;
                });
    return Stream.of(
            Stream.of(whole), damaged(plain(true).build().toByteArray(), true), damagedPackets)
        .flatMap(responses -> responses);
  }

  private static Stream<byte[]> damaged(byte[] plain, boolean checked) {
    return IntStream.range(0, 300)
        .mapToObj(
            seed -> {
              var random = new Random(seed);
              byte[] response = plain.clone();
              response[random.nextInt(response.length)] = (byte) random.nextInt();
              return stream(response, checked);
            });
  }

  @ParameterizedTest
  @MethodSource("responses")
  void theSameEndAsHadoopsOwnReader(byte[] response) throws Exception {
    assertThat(outcome(response, true, false)).isEqualTo(outcome(response, false, false));
  }

  @ParameterizedTest
  @MethodSource("answersWithChecksums")
  void theSameEndAsHadoopsOwnReaderThatVerifies(byte[] response) throws Exception {
    assertThat(outcome(response, true, true)).isEqualTo(outcome(response, false, true));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void oneConnectionServesReadAfterRead(boolean checked) throws Exception {
    byte[] whole = stream(checked);
    try (var server = server()) {
      var peer = connect(server);
      var node = server.accept();
      node.write(ByteBuffer.wrap(join(whole, whole, whole)));
      var cache = new PeerCache(1, 60_000);
      for (int i = 0; i < 3; i++) {
        var reader = open(peer, true, checked, cache);
        assertThat(read(reader)).isEqualTo(DATA);
        reader.close();
        assertThat(cache.get(node(), false)).isSameAs(peer);
      }
      peer.close();
      node.close();
    }
  }

  /** Each longer than the rest of the stream; the last one than a packet may be. */
  @ParameterizedTest
  @ValueSource(ints = {300, 1 << 20, 15 << 20, (16 << 20) + 1, (1 << 28) - 1})
  void aDamagedLengthIsAnErrorAndAllocatesNothingOfItsSize(int length) throws Exception {
    var memory = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    byte[] response = plain(false).build().toByteArray();
    outcome(stream(response, false), true, false);
    try (var server = server()) {
      var peer = connect(server);
      try (var node = server.accept()) {
        node.write(ByteBuffer.wrap(join(varint(length), response)));
        node.shutdownOutput();
        long before = memory.getCurrentThreadAllocatedBytes();
        assertThatThrownBy(() -> read(open(peer, true, false, null)))
            .isInstanceOf(IOException.class);
        assertThat(memory.getCurrentThreadAllocatedBytes() - before).isLessThan(512 << 10);
      } finally {
        peer.close();
      }
    }
  }

  /** The bytes read, or the exception, without the addresses that differ from run to run. */
  private static String outcome(byte[] response, boolean kept, boolean checked) throws Exception {
    try (var server = server()) {
      var peer = connect(server);
      try (var node = server.accept()) {
        node.write(ByteBuffer.wrap(response));
        node.shutdownOutput();
        var reader = open(peer, kept, checked, null);
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

  private static byte[] error(Status status, String message) {
    return BlockOpResponseProto.newBuilder()
        .setStatus(status)
        .setMessage(message)
        .build()
        .toByteArray();
  }
}
