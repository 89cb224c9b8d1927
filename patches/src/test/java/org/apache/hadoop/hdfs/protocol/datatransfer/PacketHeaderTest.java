package org.apache.hadoop.hdfs.protocol.datatransfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Random;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.PacketHeaderProto;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.junit.jupiter.api.Test;

/** Headers read in place against those that protobuf reads. */
class PacketHeaderTest {
  private static final int SEED = 21879;

  private final Random random = new Random(SEED);

  @Test
  void aHeaderReadInPlaceIsTheOneThatProtobufReads() throws InvalidProtocolBufferException {
    for (int i = 0; i < 5000; i++) {
      byte[] sent = header().toByteArray();
      var inPlace = new PacketHeader();
      var buffer = ByteBuffer.allocateDirect(sent.length + 7).put(new byte[3]).put(sent);
      buffer.position(3);
      assertThat(inPlace.setFieldsFromBuffer(1234, buffer, sent.length)).isTrue();
      assertThat(buffer.position()).isEqualTo(3 + sent.length);
      var parsed = new PacketHeader();
      parsed.setFieldsFromData(1234, sent);
      assertSame(inPlace, parsed);
    }
  }

  /** Whatever a changed byte makes of a header, both ways must come to the same end. */
  @Test
  void aDamagedHeaderIsReadAsProtobufReadsItOrLeftToIt() throws InvalidProtocolBufferException {
    int left = 0;
    for (int i = 0; i < 20000; i++) {
      byte[] sent = header().toByteArray();
      sent[random.nextInt(sent.length)] = (byte) random.nextInt();
      var inPlace = new PacketHeader();
      var buffer = ByteBuffer.wrap(sent);
      if (!inPlace.setFieldsFromBuffer(99, buffer, sent.length)) {
        assertThat(buffer.position()).isZero();
        left++;
        continue;
      }
      var parsed = new PacketHeader();
      parsed.setFieldsFromData(99, sent);
      assertSame(inPlace, parsed);
    }
    assertThat(left).isPositive();
  }

  @Test
  void aHeaderThatIsCutShortIsLeftAlone() {
    byte[] sent = header().toByteArray();
    for (int length = 0; length < sent.length; length++) {
      var buffer = ByteBuffer.wrap(sent, 0, length);
      assertThat(new PacketHeader().setFieldsFromBuffer(1, buffer, sent.length)).isFalse();
    }
  }

  private PacketHeaderProto header() {
    var header =
        PacketHeaderProto.newBuilder()
            .setOffsetInBlock(random.nextLong())
            .setSeqno(random.nextLong() >> random.nextInt(64))
            .setLastPacketInBlock(random.nextBoolean())
            .setDataLen(random.nextInt());
    if (random.nextBoolean()) {
      header.setSyncBlock(random.nextBoolean());
    }
    return header.build();
  }

  private static void assertSame(PacketHeader inPlace, PacketHeader parsed) {
    assertThat(inPlace.getOffsetInBlock()).isEqualTo(parsed.getOffsetInBlock());
    assertThat(inPlace.getSeqno()).isEqualTo(parsed.getSeqno());
    assertThat(inPlace.isLastPacketInBlock()).isEqualTo(parsed.isLastPacketInBlock());
    assertThat(inPlace.getDataLen()).isEqualTo(parsed.getDataLen());
    assertThat(inPlace.getSyncBlock()).isEqualTo(parsed.getSyncBlock());
    assertThat(inPlace.getPacketLen()).isEqualTo(parsed.getPacketLen());
    assertThat(inPlace.getSerializedSize()).isEqualTo(parsed.getSerializedSize());
    assertThat(inPlace.getBytes()).isEqualTo(parsed.getBytes());
    assertThat(inPlace).isEqualTo(parsed).hasToString(parsed.toString());
    assertThat(inPlace.hashCode()).isEqualTo(parsed.hashCode());
  }
}
