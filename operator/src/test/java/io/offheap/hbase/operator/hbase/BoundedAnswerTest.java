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

/** Answers that are small on the wire and large on the heap, read as HBase's client reads them. */
class BoundedAnswerTest {
  private static final int HEAP = 4 << 20;
  private static final String SERVER = "rs-0:16020";

  private final AnswerBudget budget = new AnswerBudget(2 * HEAP, HEAP);
  private final TableNames names = new TableNames(HEAP);
  private final TableNames.OfCluster tables = names.of(new ResourceID("hb", "ns"));
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
    assertThat(budget.free()).as("all is given back").isEqualTo(3 * HEAP);
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

  /** Protobuf's own error would name each field that is missing. */
  @Test
  void fieldsThatAreMissingAreNotListed() throws IOException {
    assertThatThrownBy(() -> callMaster(delimited(emptyServers(HEAP / 1_000))))
        .isInstanceOf(RefusedAnswerException.class)
        .hasMessage(SERVER + " sent a GetClusterStatusResponse without what it must have");
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
    assertThat(freeMeanwhile).as("held until it was used").isLessThan(3 * HEAP - 100_000);
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

  @ParameterizedTest
  @ValueSource(ints = {3, Integer.MAX_VALUE, -1})
  void aRowOfMoreCellsThanTheAnswerHasIsRefused(int count) throws IOException {
    var scan = ScanResponse.newBuilder().addCellsPerResult(count).build().toByteArray();
    var row = Result.newBuilder().setAssociatedCellCount(count);
    var get = GetResponse.newBuilder().setResult(row).build().toByteArray();
    var cells = Cells.of("r", "f", "q", 1);

    assertThatThrownBy(() -> callClient(delimited(scan, cells)))
        .isInstanceOf(RefusedAnswerException.class)
        .hasMessageContaining("cells of rows, that its answer does not have");
    assertThatThrownBy(
            () ->
                call(
                    ClientService.getDescriptor(),
                    GetResponse.getDefaultInstance(),
                    delimited(get, cells)))
        .hasMessageContaining("cells of rows, that its answer does not have");
  }

  /** One byte each on the wire, and 68 of an object. */
  @Test
  void rowsWithoutCellsAreRefused() {
    var answer = ScanResponse.newBuilder();
    for (int i = 0; i < 1_000; i++) {
      answer.addCellsPerResult(0);
    }

    assertThatThrownBy(
            () -> callClient(delimited(answer.build().toByteArray(), Cells.of("r", "f", "q", 1))))
        .isInstanceOf(RefusedAnswerException.class)
        .hasMessageContaining("sent rows");
  }

  @Test
  void cellsWithinTheAnswerAreTaken() throws IOException {
    var answer = ScanResponse.newBuilder().addCellsPerResult(2).build();
    var cells = Cells.both(Cells.of("", "f", "", 0), Cells.of("row", "f", "q", 9));

    callClient(delimited(answer.toByteArray(), cells));

    assertThat(taken.get()).isEqualTo(answer);
  }

  /** Whoever reads answers reads those of other clusters too. */
  @Test
  void nobodyWaitsForTheBudgetAndLargeAnswersLeaveItToSmallOnes() throws IOException {
    var large = regions(2_000, i -> "t");
    assertThat(budget.take(2 * HEAP)).isTrue();

    assertThatThrownBy(
            () ->
                BoundedAnswer.channel(
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
        .isNotInstanceOf(RefusedAnswerException.class)
        .hasMessageContaining("reads too many other answers");

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
  void theNamesOfAllClustersAreBoundedAndKnownOnesAreTaken() throws IOException {
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
  void aLongNameOfATableIsRefused() throws IOException {
    callAdmin(regions(1, i -> "x".repeat(255)));
    assertThatThrownBy(() -> callAdmin(regions(1, i -> "x".repeat(256))))
        .isInstanceOf(RefusedAnswerException.class)
        .hasMessageContaining("a name of a table of 256 bytes; at most 255 are taken");
  }

  /** HBase's client makes JSON of all, with messages of any type in it. */
  @Test
  void ofProceduresOnlyCrashedServersAreLeft() throws IOException {
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

    assertThat(budget.free()).isEqualTo(3 * HEAP);
  }
}
