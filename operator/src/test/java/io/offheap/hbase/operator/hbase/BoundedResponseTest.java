package io.offheap.hbase.operator.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.AdminService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetOnlineRegionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Result;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ClusterStatus;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionInfo;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.ServerName;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableName;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.ServerCrashStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetClusterStatusResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetProceduresResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MasterService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ProcedureProtos.Procedure;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ProcedureProtos.ProcedureState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.ClientMetaService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetBootstrapNodesResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.Any;
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

/**
 * Responses that are small on the wire and large on the heap, parsed as HBase's client parses them.
 */
class BoundedResponseTest {
  private static final int HEAP = 4 << 20;
  private static final String SERVER = "rs-0:16020";

  private final ResponseBudget budget = new ResponseBudget(2 * HEAP, HEAP);
  private final TableNames names = new TableNames(HEAP);
  private final TableNames.OfCluster tables = names.of(new ResourceID("hb", "ns"));
  private final AtomicReference<Message> taken = new AtomicReference<>();

  /** The free bytes of the budget while the response was in use. */
  private long freeMeanwhile;

  private void call(ServiceDescriptor service, Message type, byte[] response) throws IOException {
    var failed = new AtomicReference<IOException>();
    RpcChannel hbase =
        (method, controller, request, prototype, done) -> {
          var builder = prototype.newBuilderForType();
          try {
            assertThat(
                    builder.mergeDelimitedFrom(
                        new ByteBufInputStream(Unpooled.wrappedBuffer(response))))
                .isTrue();
            done.run(builder.build());
          } catch (IOException e) {
            failed.set(e);
            done.run(null);
          }
        };
    BoundedResponse.channel(hbase, SERVER, tables, budget)
        .callMethod(
            service.getMethods().get(0),
            null,
            null,
            type,
            message -> {
              freeMeanwhile = budget.free();
              taken.set(message);
            });
    assertThat(budget.free()).as("the whole budget is free again").isEqualTo(3 * HEAP);
    if (failed.get() != null) {
      throw failed.get();
    }
  }

  private void callMaster(byte[] response) throws IOException {
    call(MasterService.getDescriptor(), GetClusterStatusResponse.getDefaultInstance(), response);
  }

  private void callClient(byte[] response) throws IOException {
    call(ClientService.getDescriptor(), ScanResponse.getDefaultInstance(), response);
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

  /** Protobuf's own error would name each missing field. */
  @Test
  void errorDoesNotListMissingFields() throws IOException {
    assertThatThrownBy(() -> callMaster(delimited(emptyServers(HEAP / 1_000))))
        .isInstanceOf(RefusedResponseException.class)
        .hasMessage(SERVER + " sent a GetClusterStatusResponse without a required field");
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
    var response = GetOnlineRegionResponse.newBuilder();
    for (int i = 0; i < count; i++) {
      response.addRegionInfo(
          RegionInfo.newBuilder()
              .setRegionId(i)
              .setTableName(
                  TableName.newBuilder()
                      .setNamespace(ByteString.copyFromUtf8("default"))
                      .setQualifier(ByteString.copyFromUtf8(table.apply(i)))));
    }
    return response.build();
  }

  private void callAdmin(GetOnlineRegionResponse response) throws IOException {
    call(
        AdminService.getDescriptor(),
        GetOnlineRegionResponse.getDefaultInstance(),
        delimited(response.toByteArray()));
  }

  @Test
  void responseIsUnchangedByLimit() throws IOException {
    var sent = regions(1_000, i -> "t" + i % 3);

    callAdmin(sent);

    assertThat(taken.get()).isEqualTo(sent);
    assertThat(freeMeanwhile).as("held until it was used").isLessThan(3 * HEAP - 100_000);
  }

  /** Two bytes each on the wire. */
  @Test
  void refusesResponseOverBudgetBeforeParsing() throws IOException {
    var response = delimited(emptyServers(1 << 22));
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    // The first call loads classes, which this thread would be charged with.
    assertThatThrownBy(() -> callMaster(response)).isInstanceOf(RefusedResponseException.class);
    long before = threads.getCurrentThreadAllocatedBytes();

    assertThatThrownBy(() -> callMaster(response))
        .isInstanceOf(RefusedResponseException.class)
        .hasMessage(
            "rs-0:16020 sent a GetClusterStatusResponse that takes over %d bytes of the operator's"
                + " heap; must be at most so many",
            HEAP);

    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(HEAP / 2);
    assertThat(taken.get()).isNull();
  }

  @ParameterizedTest
  @ValueSource(ints = {3, Integer.MAX_VALUE, -1})
  void refusesRowWithMoreCellsThanResponse(int count) throws IOException {
    var scan = ScanResponse.newBuilder().addCellsPerResult(count).build().toByteArray();
    var row = Result.newBuilder().setAssociatedCellCount(count);
    var get = GetResponse.newBuilder().setResult(row).build().toByteArray();
    var cells = Cells.of("r", "f", "q", 1);

    assertThatThrownBy(() -> callClient(delimited(scan, cells)))
        .isInstanceOf(RefusedResponseException.class)
        .hasMessageContaining("count of rows, or of cells, that is larger than its response");
    assertThatThrownBy(
            () ->
                call(
                    ClientService.getDescriptor(),
                    GetResponse.getDefaultInstance(),
                    delimited(get, cells)))
        .hasMessageContaining("count of rows, or of cells, that is larger than its response");
  }

  /** One byte each on the wire, and an object of 68 bytes. */
  @Test
  void refusesRowsWithoutCells() {
    var response = ScanResponse.newBuilder();
    for (int i = 0; i < 1_000; i++) {
      response.addCellsPerResult(0);
    }

    assertThatThrownBy(
            () -> callClient(delimited(response.build().toByteArray(), Cells.of("r", "f", "q", 1))))
        .isInstanceOf(RefusedResponseException.class)
        .hasMessageContaining("sent a count of rows");
  }

  @Test
  void acceptsCellsWithinResponse() throws IOException {
    var response = ScanResponse.newBuilder().addCellsPerResult(2).build();
    var cells = Cells.both(Cells.of("", "f", "", 0), Cells.of("row", "f", "q", 9));

    callClient(delimited(response.toByteArray(), cells));

    assertThat(taken.get()).isEqualTo(response);
  }

  /** The thread that parses responses also serves other clusters. */
  @Test
  void budgetNeverBlocksAndLargeResponsesLeaveRoomForSmallOnes() throws IOException {
    var large = regions(2_000, i -> "t");
    assertThat(budget.take(2 * HEAP)).isTrue();

    assertThatThrownBy(
            () ->
                BoundedResponse.channel(
                        (method, controller, request, prototype, done) -> read(prototype, large),
                        SERVER,
                        tables,
                        budget)
                    .callMethod(
                        AdminService.getDescriptor().getMethods().get(0),
                        null,
                        null,
                        GetOnlineRegionResponse.getDefaultInstance(),
                        message -> {}))
        .hasRootCauseInstanceOf(IOException.class)
        .rootCause()
        .isNotInstanceOf(RefusedResponseException.class)
        .hasMessageContaining("too many other responses are being parsed");

    assertThat(budget.take(1_000)).as("a small one").isTrue();
    budget.giveBack(1_000);
    budget.giveBack(2 * HEAP);
    callAdmin(large);
    assertThat(taken.get()).isEqualTo(large);
  }

  private static void read(Message prototype, Message sent) {
    try {
      assertThat(
              prototype
                  .newBuilderForType()
                  .mergeDelimitedFrom(
                      new ByteBufInputStream(
                          Unpooled.wrappedBuffer(delimited(sent.toByteArray())))))
          .isTrue();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The client keeps these responses for its lifetime. */
  @Test
  void limitsBootstrapResponses() throws IOException {
    var nodes = message(GetBootstrapNodesResponse.SERVER_NAME_FIELD_NUMBER, new byte[0]);
    var many = new byte[nodes.length * 20_000];
    for (int i = 0; i < many.length; i++) {
      many[i] = nodes[i % nodes.length];
    }
    var type = GetBootstrapNodesResponse.getDefaultInstance();

    assertThatThrownBy(() -> call(ClientMetaService.getDescriptor(), type, delimited(many)))
        .hasMessageContaining("takes over 1048576 bytes");
  }

  /** HBase's client keeps the names for all clusters and for ever. */
  @Test
  void limitsTableNamesOfOneCluster() throws IOException {
    var large = new TableNames(16 << 20);
    var cluster = new ResourceID("hb", "ns");
    for (int i = 0; i < TableNames.MOST; i++) {
      large.of(cluster).add(new byte[] {'a'}, ("t" + i).getBytes(UTF_8));
    }

    large.of(cluster).add(new byte[] {'a'}, "t0".getBytes(UTF_8));
    assertThatThrownBy(() -> large.of(cluster).add(new byte[] {'a'}, new byte[] {'x'}))
        .hasMessageContaining("names of over 10000 tables")
        .hasMessageContaining("until the operator is restarted");
    large.of(new ResourceID("other", "ns")).add(new byte[] {'a'}, new byte[] {'x'});
  }

  @Test
  void limitsTableNamesOfAllClustersAndAcceptsKnownOnes() throws IOException {
    var small = new TableNames(2_000);
    var cluster = new ResourceID("hb", "ns");
    small.of(cluster).add(new byte[] {'a'}, new byte[] {'x'});
    small.of(cluster).add(new byte[] {'a'}, new byte[] {'y'});

    assertThatThrownBy(() -> small.of(cluster).add(new byte[250], new byte[250]))
        .hasMessageContaining("take over 2000 bytes");
    small.of(cluster).add(new byte[] {'a'}, new byte[] {'x'});
    small.of(new ResourceID("other", "ns")).add(new byte[] {'a'}, new byte[] {'x'});
  }

  @Test
  void refusesLongTableName() throws IOException {
    callAdmin(regions(1, i -> "x".repeat(255)));
    assertThatThrownBy(() -> callAdmin(regions(1, i -> "x".repeat(256))))
        .isInstanceOf(RefusedResponseException.class)
        .hasMessageContaining("a name of a table of 256 bytes; must be at most 255");
  }

  /** HBase's client would convert all procedures to JSON, with messages of any type in them. */
  @Test
  void keepsOnlyCrashProcedures() throws IOException {
    var server = ServerName.newBuilder().setHostName("rs-1").setPort(16020).setStartCode(7).build();
    var crash =
        procedure("org.apache.hadoop.hbase.master.procedure.ServerCrashProcedure")
            .addStateMessage(
                Any.pack(
                    ServerCrashStateData.newBuilder()
                        .setServerName(server)
                        .addRegionsOnCrashedServer(regions(1, i -> "t").getRegionInfo(0))
                        .build()));
    var other = procedure("Other").addStateMessage(Any.pack(regions(9, i -> "t")));
    var sent = GetProceduresResponse.newBuilder().addProcedure(crash).addProcedure(other).build();

    call(
        MasterService.getDescriptor(),
        GetProceduresResponse.getDefaultInstance(),
        delimited(sent.toByteArray()));

    var kept = ((GetProceduresResponse) taken.get()).getProcedureList();
    assertThat(ServerCrashes.of(ProtobufUtil.toProcedureJson(kept)).unfinished())
        .containsExactly("rs-1,16020,7");
    assertThat(kept)
        .singleElement()
        .satisfies(it -> assertThat(it.getSerializedSize()).isLessThan(200));
  }

  private static Procedure.Builder procedure(String className) {
    return Procedure.newBuilder()
        .setClassName(className)
        .setProcId(1)
        .setSubmittedTime(1)
        .setLastUpdate(1)
        .setState(ProcedureState.WAITING);
  }

  @Test
  void refusesMalformedMessage() {
    for (var bytes :
        new byte[][] {
          {5, 1, 2}, {2, 0x0a, 0x7f}, {1, 0x0a}, {2, 0x0b, 0x0c}, {1, 0}, {3, 0x0a, 1, 0x07}
        }) {
      assertThatThrownBy(() -> callMaster(bytes))
          .as(Arrays.toString(bytes))
          .isInstanceOf(RefusedResponseException.class)
          .hasMessageStartingWith(SERVER + " sent ");
    }
  }

  /** A call times out even while its response is parsed. */
  @Test
  void callThatTimesOutWhileParsingReleasesBudget() {
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

    BoundedResponse.channel(hbase, SERVER, tables, budget)
        .callMethod(
            AdminService.getDescriptor().getMethods().get(0),
            null,
            null,
            GetOnlineRegionResponse.getDefaultInstance(),
            message -> {});

    assertThat(budget.free()).isEqualTo(3 * HEAP);
  }
}
