package io.offheap.hbase.operator.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetOnlineRegionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Result;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ClusterStatus;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.LiveServerInfo;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionInfo;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableName;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ProcedureProtos.Procedure;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.CellBlockMeta;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.junit.jupiter.api.Test;

/** The estimate is at least the heap that a response takes, whatever it contains. */
class ResponseWeightTest {
  private static final int VARINT = 0;
  private static final int BYTES = 2;

  private static long weight(Message type, byte[] bytes) throws IOException {
    return ResponseWeight.of(
        type.getDescriptorForType(),
        new ByteArrayInputStream(bytes),
        new TableNames(1 << 20).of(new ResourceID("hb", "ns")),
        Long.MAX_VALUE / 2);
  }

  private static void assertWeighs(Message type, byte[] bytes) throws IOException {
    long weight = weight(type, bytes);
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    var loaded = type.newBuilderForType().mergeFrom(bytes).buildPartial();
    long before = threads.getCurrentThreadAllocatedBytes();
    var read = type.newBuilderForType().mergeFrom(bytes).buildPartial();
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    assertThat(read).isEqualTo(loaded);
    System.out.printf(
        "%s: %d bytes, %d allocated, weight %d%n",
        read.getDescriptorForType().getName(), bytes.length, allocated, weight);
    assertThat(weight).isGreaterThanOrEqualTo(allocated);
  }

  /** The same bytes, repeated. */
  private static byte[] repeated(int count, int... bytes) {
    var all = new byte[count * bytes.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) bytes[i % bytes.length];
    }
    return all;
  }

  @Test
  void weighsMessagesOfTwoBytes() throws IOException {
    assertWeighs(
        ClusterStatus.getDefaultInstance(),
        repeated(100_000, ClusterStatus.LIVE_SERVERS_FIELD_NUMBER << 3 | BYTES, 0));
  }

  @Test
  void regions() throws IOException {
    var response = GetOnlineRegionResponse.newBuilder();
    for (int i = 0; i < 5_000; i++) {
      response.addRegionInfo(
          RegionInfo.newBuilder()
              .setRegionId(i)
              .setTableName(
                  TableName.newBuilder()
                      .setNamespace(ByteString.copyFromUtf8("default"))
                      .setQualifier(ByteString.copyFromUtf8("t"))));
    }
    assertWeighs(GetOnlineRegionResponse.getDefaultInstance(), response.build().toByteArray());
  }

  @Test
  void numbers() throws IOException {
    var counts = new byte[100_000];
    Arrays.fill(counts, (byte) 1);
    var bytes = new byte[counts.length + 4];
    bytes[0] = ScanResponse.CELLS_PER_RESULT_FIELD_NUMBER << 3 | BYTES;
    bytes[1] = (byte) ((counts.length & 0x7f) | 0x80);
    bytes[2] = (byte) (((counts.length >> 7) & 0x7f) | 0x80);
    bytes[3] = (byte) (counts.length >> 14);
    System.arraycopy(counts, 0, bytes, 4, counts.length);
    assertWeighs(ScanResponse.getDefaultInstance(), bytes);
  }

  @Test
  void weighsUnknownFields() throws IOException {
    assertWeighs(LiveServerInfo.getDefaultInstance(), repeated(50_000, 15 << 3 | VARINT, 0));
  }

  /** A parser keeps them as unknown fields. */
  @Test
  void weighsFieldsOfWrongType() throws IOException {
    assertWeighs(
        ClusterStatus.getDefaultInstance(),
        repeated(50_000, ClusterStatus.LIVE_SERVERS_FIELD_NUMBER << 3 | VARINT, 0));
    assertWeighs(
        CellBlockMeta.getDefaultInstance(),
        repeated(50_000, CellBlockMeta.LENGTH_FIELD_NUMBER << 3 | 5, 0, 0, 0, 0));
  }

  /** A parser keeps numbers that an enumeration does not have as well. */
  @Test
  void weighsUnknownEnumValues() throws IOException {
    assertWeighs(
        Procedure.getDefaultInstance(),
        repeated(50_000, Procedure.STATE_FIELD_NUMBER << 3 | VARINT, 77));
  }

  /** A group may have a gigabyte of objects in few bytes each. */
  @Test
  void refusesGroups() {
    assertThatThrownBy(
            () -> weight(LiveServerInfo.getDefaultInstance(), new byte[] {0x0b, 8, 1, 0x0c}))
        .isInstanceOf(InvalidProtocolBufferException.class)
        .hasMessage("a group; HBase sends none");
  }

  /** Two such halves of many names each would be as many names as their product. */
  @Test
  void refusesHalfATableName() {
    var half =
        new byte[] {RegionInfo.TABLE_NAME_FIELD_NUMBER << 3 | BYTES, 3, 1 << 3 | BYTES, 1, 'n'};
    assertThatThrownBy(() -> weight(RegionInfo.getDefaultInstance(), half))
        .hasMessage("half a table's name");
  }

  /** Cells within the message would not be checked as those of the cell block are. */
  @Test
  void refusesCellsWithinMessage() {
    var row = new byte[] {Result.CELL_FIELD_NUMBER << 3 | BYTES, 0};
    assertThatThrownBy(() -> weight(Result.getDefaultInstance(), row))
        .isInstanceOf(InvalidResponseException.class)
        .hasMessageContaining("cells within its message");
  }
}
