package io.offheap.hbase.operator.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.AdminService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetOnlineRegionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ClusterStatus;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.LiveServerInfo;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionInfo;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableName;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetClusterStatusResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MasterService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.ClientMetaService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetBootstrapNodesResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedOutputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.ServiceDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.RpcChannel;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBufInputStream;
import org.apache.hbase.thirdparty.io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that are small on the wire and large on the heap, read as HBase's client reads them. */
class BoundedAnswerTest {
  private static final int HEAP = 4 << 20;
  private static final String SERVER = "rs-0:16020";

  private final AnswerBudget budget = new AnswerBudget(HEAP);
  private final TableNames tables = new TableNames();
  private final AtomicReference<Message> taken = new AtomicReference<>();

  /** What the budget had while the answer was being used. */
  private long freeMeanwhile;

  private void call(ServiceDescriptor service, Message type, byte[] answer) throws IOException {
    var failed = new AtomicReference<IOException>();
    RpcChannel hbase =
        (method, controller, request, prototype, done) -> {
          var builder = prototype.newBuilderForType();
          try {
            assertThat(
                    builder.mergeDelimitedFrom(
                        new ByteBufInputStream(Unpooled.wrappedBuffer(answer))))
                .isTrue();
            done.run(builder.build());
          } catch (IOException e) {
            failed.set(e);
            done.run(null);
          }
        };
    BoundedAnswer.channel(hbase, SERVER, tables, budget)
        .callMethod(
            service.getMethods().get(0),
            null,
            null,
            type,
            message -> {
              freeMeanwhile = budget.free();
              taken.set(message);
            });
    assertThat(budget.free()).as("all is given back").isEqualTo(HEAP);
    if (failed.get() != null) {
      throw failed.get();
    }
  }

  private void callMaster(byte[] answer) throws IOException {
    call(MasterService.getDescriptor(), GetClusterStatusResponse.getDefaultInstance(), answer);
  }

  private void callClient(byte[] answer) throws IOException {
    call(ClientService.getDescriptor(), ScanResponse.getDefaultInstance(), answer);
  }

  private static byte[] delimited(byte[] message, byte... cells) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var out = CodedOutputStream.newInstance(bytes);
    out.writeUInt32NoTag(message.length);
    out.writeRawBytes(message);
    out.writeRawBytes(cells);
    out.flush();
    return bytes.toByteArray();
  }

  /** {@code cluster_status { live_servers {} live_servers {} ... }}. */
  private static byte[] emptyServers(int count) throws IOException {
    var servers = new byte[2 * count];
    for (int i = 0; i < count; i++) {
      servers[2 * i] = ClusterStatus.LIVE_SERVERS_FIELD_NUMBER << 3 | 2;
    }
    return message(GetClusterStatusResponse.CLUSTER_STATUS_FIELD_NUMBER, servers);
  }

  private static byte[] message(int field, byte[] value) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var out = CodedOutputStream.newInstance(bytes);
    out.writeByteArray(field, value);
    out.flush();
    return bytes.toByteArray();
  }

  private static GetOnlineRegionResponse regions(int count, IntFunction<String> table) {
    var answer = GetOnlineRegionResponse.newBuilder();
    for (int i = 0; i < count; i++) {
      answer.addRegionInfo(
          RegionInfo.newBuilder()
              .setRegionId(i)
              .setTableName(
                  TableName.newBuilder()
                      .setNamespace(ByteString.copyFromUtf8("default"))
                      .setQualifier(ByteString.copyFromUtf8(table.apply(i)))));
    }
    return answer.build();
  }

  private void callAdmin(GetOnlineRegionResponse answer) throws IOException {
    call(
        AdminService.getDescriptor(),
        GetOnlineRegionResponse.getDefaultInstance(),
        delimited(answer.toByteArray()));
  }

  @Test
  void anAnswerIsTheSameAsWithoutABound() throws IOException {
    var sent = regions(1_000, i -> "t" + i % 3);

    callAdmin(sent);

    assertThat(taken.get()).isEqualTo(sent);
    assertThat(freeMeanwhile).as("held until it was used").isLessThan(HEAP - 100_000);
  }

  /** Two bytes each on the wire. */
  @Test
  void anAnswerThatWouldFillTheHeapIsRefusedBeforeAnObjectIsMade() throws IOException {
    var answer = delimited(emptyServers(1 << 22));
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();

    assertThatThrownBy(() -> callMaster(answer))
        .isInstanceOf(RefusedAnswerException.class)
        .hasMessage(
            "rs-0:16020 sent a GetClusterStatusResponse that takes over %d bytes of the operator's"
                + " heap; at most so many are taken",
            HEAP);

    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(HEAP / 2);
    assertThat(taken.get()).isNull();
  }

  /** The weight is what it takes, or more. */
  @Test
  void nothingTakesMoreThanItsWeight() throws IOException {
    var servers = new byte[200_000];
    for (int i = 0; i < servers.length; i += 2) {
      servers[i] = ClusterStatus.LIVE_SERVERS_FIELD_NUMBER << 3 | 2;
    }
    assertWeighs(ClusterStatus.getDefaultInstance(), servers);
    var regions = regions(5_000, i -> "t");
    assertWeighs(GetOnlineRegionResponse.getDefaultInstance(), regions.toByteArray());
    var unknown = new byte[100_000];
    for (int i = 0; i < unknown.length; i += 2) {
      unknown[i] = 15 << 3;
    }
    assertWeighs(LiveServerInfo.getDefaultInstance(), unknown);
    var counts = new byte[100_000];
    Arrays.fill(counts, (byte) 1);
    assertWeighs(
        ScanResponse.getDefaultInstance(),
        message(ScanResponse.CELLS_PER_RESULT_FIELD_NUMBER, counts));
  }

  private static void assertWeighs(Message type, byte[] bytes) throws IOException {
    long weight =
        AnswerWeight.of(
            type.getDescriptorForType(),
            new ByteBufInputStream(Unpooled.wrappedBuffer(bytes)),
            new TableNames(),
            Long.MAX_VALUE / 2);
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    var loaded = type.newBuilderForType().mergeFrom(bytes).buildPartial();
    long before = threads.getCurrentThreadAllocatedBytes();
    var read = type.newBuilderForType().mergeFrom(bytes).buildPartial();
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    assertThat(read).isEqualTo(loaded);
    System.out.printf(
        "%s: %d bytes, %d allocated, weight %d%n",
        read.getDescriptorForType().getName(), bytes.length, allocated, weight);
    assertThat(weight).isGreaterThan(allocated / 2);
  }

  @ParameterizedTest
  @ValueSource(ints = {100, Integer.MAX_VALUE, -1})
  void aRowOfMoreCellsThanTheAnswerHasIsRefused(int count) {
    var answer = ScanResponse.newBuilder().addCellsPerResult(count).build();

    assertThatThrownBy(() -> callClient(delimited(answer.toByteArray(), new byte[40])))
        .isInstanceOf(RefusedAnswerException.class)
        .hasMessageContaining("rows of more cells than its answer has");
  }

  @ParameterizedTest
  @ValueSource(ints = {5, Integer.MAX_VALUE, -1})
  void aCellThatIsLongerThanTheAnswerIsRefused(int length) {
    var cells = Unpooled.buffer().writeInt(0).writeInt(length).writeInt(0);

    assertThatThrownBy(
            () ->
                callClient(
                    delimited(
                        ScanResponse.getDefaultInstance().toByteArray(),
                        Arrays.copyOf(cells.array(), 12))))
        .isInstanceOf(RefusedAnswerException.class)
        .hasMessageContaining("a cell that ends behind its answer");
  }

  @Test
  void cellsWithinTheAnswerAreTaken() throws IOException {
    var answer = ScanResponse.newBuilder().addCellsPerResult(2).build();
    var cells = Unpooled.buffer().writeInt(0).writeInt(4).writeInt(9);

    callClient(delimited(answer.toByteArray(), Arrays.copyOf(cells.array(), 12)));

    assertThat(taken.get()).isEqualTo(answer);
  }

  /** They stay in the client while it lives. */
  @Test
  void whatIsAskedFirstIsSmall() throws IOException {
    var nodes = message(GetBootstrapNodesResponse.SERVER_NAME_FIELD_NUMBER, new byte[0]);
    var many = new byte[nodes.length * 20_000];
    for (int i = 0; i < many.length; i++) {
      many[i] = nodes[i % nodes.length];
    }
    var type = GetBootstrapNodesResponse.getDefaultInstance();

    assertThatThrownBy(() -> call(ClientMetaService.getDescriptor(), type, delimited(many)))
        .hasMessageContaining("takes over 1048576 bytes");
  }

  /** HBase's client keeps them for all clusters and for ever. */
  @Test
  void aClusterMayNotNameTablesWithoutEnd() throws IOException {
    for (int round = 0; round < TableNames.MOST / 2_000; round++) {
      int first = round * 2_000;
      callAdmin(regions(2_000, i -> "t" + (first + i)));
    }
    callAdmin(regions(2_000, i -> "t" + i));

    assertThatThrownBy(() -> callAdmin(regions(1, i -> "one more")))
        .isInstanceOf(RefusedAnswerException.class)
        .hasMessageContaining("names of over 10000 tables");
  }

  @Test
  void whatIsNoMessageIsRefused() {
    for (var bytes :
        new byte[][] {
          {5, 1, 2}, {2, 0x0a, 0x7f}, {1, 0x0a}, {2, 0x0b, 0x0c}, {1, 0}, {3, 0x0a, 1, 0x07}
        }) {
      assertThatThrownBy(() -> callMaster(bytes))
          .as(Arrays.toString(bytes))
          .isInstanceOf(RefusedAnswerException.class)
          .hasMessageStartingWith(SERVER + " sent ");
    }
  }

  /** The deadline of a call has no regard to what is being read. */
  @Test
  void aCallThatIsOverWhileItsAnswerIsReadHoldsNothing() {
    RpcChannel hbase =
        (method, controller, request, prototype, done) -> {
          done.run(null);
          try {
            var bytes = delimited(regions(9, i -> "t").toByteArray());
            assertThat(
                    prototype
                        .newBuilderForType()
                        .mergeDelimitedFrom(new ByteBufInputStream(Unpooled.wrappedBuffer(bytes))))
                .isTrue();
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        };

    BoundedAnswer.channel(hbase, SERVER, tables, budget)
        .callMethod(
            AdminService.getDescriptor().getMethods().get(0),
            null,
            null,
            GetOnlineRegionResponse.getDefaultInstance(),
            message -> {});

    assertThat(budget.free()).isEqualTo(HEAP);
  }
}
