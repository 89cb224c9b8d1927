package io.offheap.hbase.operator.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.CellBlockMeta;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ExceptionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.hbase.thirdparty.io.netty.buffer.Unpooled;
import org.apache.hbase.thirdparty.io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames, however the network splits them. */
class FrameBoundTest {
  private static final int BOUND = 300;

  private static final int BUDGET = 500;
  private static final Duration WHOLE = Duration.ofSeconds(5);

  private final FrameBudget budget = new FrameBudget(BUDGET, System::nanoTime);
  private final FrameBudget roomy = new FrameBudget(1 << 20, System::nanoTime);
  private final EmbeddedChannel channel = new EmbeddedChannel(bound());

  private FrameBound bound() {
    return new FrameBound(BOUND, WHOLE, budget);
  }

  /** A large budget: frames count until they are parsed. */
  private EmbeddedChannel roomy(int bound, int requests) {
    var made = new EmbeddedChannel(new FrameBound(bound, WHOLE, roomy));
    made.freezeTime();
    request(made, requests);
    return made;
  }

  /** Each frame responds to a request. */
  @BeforeEach
  void request() {
    channel.freezeTime();
    request(channel, 10);
  }

  private static void request(EmbeddedChannel channel, int requests) {
    for (int i = 0; i < requests; i++) {
      channel.writeOutbound(Unpooled.buffer().writeByte(i));
    }
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  private static ByteBuf frames(int... lengths) {
    var bytes = Unpooled.buffer();
    for (int length : lengths) {
      bytes.writeInt(length);
      if (length == 1) {
        bytes.writeByte(0);
      } else if (length > 1 && length <= BOUND) {
        // An empty header. Read as a length, the end would be over the bound.
        bytes.writeBytes(new byte[length - 1]).writeByte(-1);
      }
    }
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 7, 299, 5000})
  void passesFramesUpToLimitUnchanged(int cut) {
    var channel = roomy(BOUND, 10);
    var sent = frames(BOUND, 2, 1, 255, 256, BOUND, 4);
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
    channel.finishAndReleaseAll();
  }

  @ParameterizedTest
  @ValueSource(ints = {BOUND + 1, Integer.MAX_VALUE, -1, Integer.MIN_VALUE})
  void longerFrameClosesConnection(int length) {
    assertThatThrownBy(() -> channel.writeInbound(frames(5, length)))
        .isInstanceOf(RefusedResponseException.class)
        .hasMessageContaining("must be at most 300");
    assertThat(channel.isOpen()).isFalse();
    assertThat(channel.<ByteBuf>readInbound()).isNull();
  }

  @Test
  void readsLengthByteByByte() {
    var bytes = frames(BOUND + 1);
    for (int i = 0; i < 3; i++) {
      channel.writeInbound(bytes.readRetainedSlice(1));
    }
    assertThatThrownBy(() -> channel.writeInbound(bytes.readRetainedSlice(1)))
        .isInstanceOf(RefusedResponseException.class);
  }

  /**
   * One byte a second would otherwise hold the rest for ever: a call's deadline does not end it.
   */
  @Test
  void incompleteFrameClosesConnectionAtDeadline() {
    channel.writeInbound(frames(BOUND).readRetainedSlice(20));
    channel.advanceTimeBy(WHOLE.toMillis() - 1, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    assertThat(channel.isOpen()).isTrue();

    channel.advanceTimeBy(2, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();

    assertThatThrownBy(channel::checkException)
        .isInstanceOf(RefusedResponseException.class)
        .hasMessageContaining("sent 16 of the 300 bytes of a response in 5 s");
    assertThat(channel.isOpen()).isFalse();
    assertThat(budget.held()).isZero();
  }

  @Test
  void completeFramesKeepConnectionOpen() {
    var channel = roomy(BOUND, 10);
    var two = frames(BOUND, BOUND);
    channel.writeInbound(two.readRetainedSlice(BOUND));
    channel.advanceTimeBy(WHOLE.toMillis() - 1, TimeUnit.MILLISECONDS);
    // The end of the first and the beginning of the second.
    channel.writeInbound(two.readRetainedSlice(BOUND));
    assertThat(roomy.held()).isEqualTo(2 * BOUND - BOUND - 8);
    channel.advanceTimeBy(WHOLE.toMillis() - 1, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    channel.writeInbound(two);

    channel.advanceTimeBy(2 * WHOLE.toMillis(), TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    assertThat(channel.isOpen()).isTrue();
    assertThat(roomy.held()).isZero();
    channel.finishAndReleaseAll();
  }

  /** Many servers that each hold a little would add up. */
  @Test
  void overBudgetClosesConnectionWithMostByteSeconds() {
    var other = new EmbeddedChannel(bound());
    channel.writeInbound(frames(BOUND).readRetainedSlice(BOUND));
    request(other, 1);
    other.writeInbound(frames(BOUND).readRetainedSlice(BOUND / 2));
    assertThat(other.isOpen()).isTrue();

    other.writeInbound(Unpooled.buffer().writeBytes(new byte[BOUND / 2]));
    channel.runPendingTasks();

    assertThatThrownBy(channel::checkException).hasMessageContaining("had over 500 bytes");
    assertThat(channel.isOpen()).isFalse();
    assertThat(other.isOpen()).isTrue();
    other.finishAndReleaseAll();
  }

  /** HBase's client drops the request if it finds no header, and waits for ever. */
  @Test
  void responseWithoutHeaderClosesConnection() {
    for (var response :
        List.of(
            Unpooled.buffer().writeInt(0),
            Unpooled.buffer().writeInt(1).writeByte(0xff),
            Unpooled.buffer().writeInt(2).writeByte(2).writeByte(8))) {
      var refusing = new EmbeddedChannel(bound());
      request(refusing, 1);
      assertThatThrownBy(() -> refusing.writeInbound(response))
          .isInstanceOf(RefusedResponseException.class)
          .hasMessageContaining("sent a response that ends within its header");
      assertThat(refusing.isOpen()).isFalse();
    }
  }

  /** They would be read and skipped for ever. */
  @Test
  void moreResponsesThanRequestsCloseConnection() {
    channel.writeInbound(frames(1, 1, 1, 1, 1, 1, 1, 1, 1, 1));
    assertThat(channel.isOpen()).isTrue();

    assertThatThrownBy(() -> channel.writeInbound(frames(1)))
        .isInstanceOf(RefusedResponseException.class)
        .hasMessageContaining("sent responses without a request");
    assertThat(channel.isOpen()).isFalse();
  }

  private static ByteBuf frame(byte[] headerAndMore) {
    return Unpooled.buffer().writeInt(headerAndMore.length).writeBytes(headerAndMore);
  }

  private static byte[] delimited(ResponseHeader header, int more) throws IOException {
    var bytes = new ByteArrayOutputStream();
    header.writeDelimitedTo(bytes);
    bytes.write(new byte[more]);
    return bytes.toByteArray();
  }

  private static ResponseHeader cells(int length) {
    return ResponseHeader.newBuilder()
        .setCallId(1)
        .setCellBlockMeta(CellBlockMeta.newBuilder().setLength(length))
        .build();
  }

  /** HBase's client allocates an array of this length: 16 bytes would end the process. */
  @ParameterizedTest
  @ValueSource(ints = {11, Integer.MAX_VALUE, -1})
  void cellsLongerThanFrameCloseConnection(int length) throws IOException {
    channel.writeInbound(frame(delimited(cells(10), 10)));
    var bytes = frame(delimited(cells(length), 10));
    assertThatThrownBy(
            () -> {
              while (bytes.isReadable()) {
                channel.writeInbound(bytes.readRetainedSlice(1));
              }
            })
        .isInstanceOf(RefusedResponseException.class)
        .hasMessageContaining("bytes of cells in the 10 bytes that it has");
  }

  @Test
  void headerOverLimitClosesConnection() {
    var large = new EmbeddedChannel(new FrameBound(1 << 20, WHOLE, budget));
    request(large, 1);
    var bytes = Unpooled.buffer().writeInt(1 << 20);
    bytes.writeByte(0x81).writeByte(0x80).writeByte(0x04);
    assertThatThrownBy(() -> large.writeInbound(bytes))
        .hasMessageContaining("header, which has its error, has over 65536 bytes");
    assertThat(large.isOpen()).isFalse();
  }

  /** HBase's stack trace is the longest part of a header. */
  @Test
  void passesErrorWithStackTrace() throws IOException {
    var large = roomy(1 << 20, 1);
    var error = ExceptionResponse.newBuilder().setStackTrace("x".repeat(60_000));
    large.writeInbound(
        frame(delimited(ResponseHeader.newBuilder().setCallId(1).setException(error).build(), 0)));
    assertThat(large.isOpen()).isTrue();
    large.finishAndReleaseAll();
  }
}
