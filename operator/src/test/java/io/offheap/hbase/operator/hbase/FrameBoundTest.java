package io.offheap.hbase.operator.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hbase.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.hbase.thirdparty.io.netty.buffer.Unpooled;
import org.apache.hbase.thirdparty.io.netty.channel.embedded.EmbeddedChannel;
import org.apache.hbase.thirdparty.io.netty.handler.codec.TooLongFrameException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames, however the network cuts them. */
class FrameBoundTest {
  private static final int BOUND = 300;

  private final EmbeddedChannel channel = new EmbeddedChannel(new FrameBound(BOUND));

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  private static ByteBuf frames(int... lengths) {
    var bytes = Unpooled.buffer();
    for (int length : lengths) {
      bytes.writeInt(length);
      if (length > 0 && length <= BOUND) {
        // Read as a length, it would be over the bound.
        bytes.writeBytes(new byte[length - 1]).writeByte(-1);
      }
    }
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 7, 299, 5000})
  void framesUpToTheBoundGoThroughUnchanged(int cut) {
    var sent = frames(BOUND, 0, 1, 255, 256, BOUND, 4);
    var expected = sent.copy();
    while (sent.isReadable()) {
      channel.writeInbound(sent.readRetainedSlice(Math.min(cut, sent.readableBytes())));
    }
    var received = Unpooled.buffer();
    for (ByteBuf part = channel.readInbound(); part != null; part = channel.readInbound()) {
      received.writeBytes(part);
      part.release();
    }
    assertThat(received).isEqualTo(expected);
    assertThat(channel.isOpen()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {BOUND + 1, Integer.MAX_VALUE, -1, Integer.MIN_VALUE})
  void aLongerOneEndsTheConnection(int length) {
    assertThatThrownBy(() -> channel.writeInbound(frames(5, length)))
        .isInstanceOf(TooLongFrameException.class);
    assertThat(channel.isOpen()).isFalse();
    assertThat(channel.<ByteBuf>readInbound()).isNull();
  }

  @Test
  void aLengthThatComesByteByByteIsRead() {
    var bytes = frames(BOUND + 1);
    for (int i = 0; i < 3; i++) {
      channel.writeInbound(bytes.readRetainedSlice(1));
    }
    assertThatThrownBy(() -> channel.writeInbound(bytes.readRetainedSlice(1)))
        .isInstanceOf(TooLongFrameException.class);
  }
}
