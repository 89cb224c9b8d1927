package io.offheap.hbase.operator.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.log.LogCapture;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.ipc.HBaseRpcController;
import org.apache.hadoop.hbase.ipc.HBaseRpcControllerImpl;
import org.apache.hadoop.hbase.ipc.RpcClient;
import org.apache.hadoop.hbase.ipc.RpcClientFactory;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.ClientMetaService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetClusterIdRequest;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The client against a server that is not HBase. */
@ResourceLock(HBaseJvm.CLIENT_THREADS)
class OwnHostsRpcClientTest {
  private static final ResourceID CLUSTER = new ResourceID("hb", "ns");

  /** Bytes at the beginning of a connection; its header and the calls are frames. */
  private static final int PREAMBLE = 6;

  /** A connection belongs to one user. */
  private final User user = ClientSettings.user();

  private ServerSocket server;
  private RpcClient client;

  @BeforeEach
  void listen() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    client = client("localhost:" + server.getLocalPort());
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    server.close();
  }

  private static RpcClient client(String bootstrapServers) {
    return RpcClientFactory.createClient(
        ClientSettings.of(CLUSTER, List.of(bootstrapServers)), "id", null, null, Map.of());
  }

  /** Sends a call; completes with its error. */
  private CompletableFuture<IOException> request(RpcClient from, String host) {
    HBaseRpcController controller = new HBaseRpcControllerImpl();
    var failed = new CompletableFuture<IOException>();
    ClientMetaService.newStub(
            from.createRpcChannel(ServerName.valueOf(host, server.getLocalPort(), 1), user, 60_000))
        .getClusterId(
            controller,
            GetClusterIdRequest.getDefaultInstance(),
            response -> failed.complete(controller.getFailed()));
    return failed;
  }

  @Test
  void doesNotConnectToForeignHost() throws Exception {
    var refused = client("hb-regionserver-0.hb-regionserver.ns.svc:16020");
    try {
      assertThat(request(refused, "localhost").get(60, TimeUnit.SECONDS))
          .hasMessageContaining("servers name the host localhost");
      assertThatThrownBy(
              () ->
                  refused.createBlockingRpcChannel(
                      ServerName.valueOf("localhost", server.getLocalPort(), 1),
                      ClientSettings.user(),
                      60_000))
          .isInstanceOf(UnsupportedOperationException.class);
      server.setSoTimeout(1);
      assertThatThrownBy(server::accept).isInstanceOf(IOException.class);
    } finally {
      refused.close();
    }
  }

  /**
   * Its pod can have any process behind another port, a tenant's server chooses which, and commands
   * would go there.
   */
  @Test
  void doesNotConnectToAnotherPortOfOwnHost() throws Exception {
    var hosts =
        new HostLookups(
            new HostLookups.Bounds(2, 2, Duration.ofSeconds(1), Duration.ofSeconds(60)),
            host -> InetAddress.getLoopbackAddress(),
            System::nanoTime);
    var conf =
        ClientSettings.of(CLUSTER, List.of("hb-regionserver-0.hb-regionserver.ns.svc:16020"));
    var bounded = new OwnHostsRpcClient(conf, "id", null, null, Map.of(), hosts);
    try (var log = LogCapture.of(OwnHostsRpcClient.class)) {
      for (String host :
          List.of(
              "hb-master-0.hb-master.ns.svc",
              "hb-regionserver-0.hb-regionserver.ns.svc.cluster.local")) {
        var address = host + ":" + server.getLocalPort();
        assertThat(request(bounded, host).get(60, TimeUnit.SECONDS))
            .hasMessageContaining("servers name the address " + address)
            .hasMessageContaining(
                host.startsWith("hb-master") ? "port must be 16000" : "port must be 16020");
        assertThat(log.lines()).anyMatch(it -> it.contains("host=" + address));
      }
      server.setSoTimeout(1);
      assertThatThrownBy(server::accept).isInstanceOf(IOException.class);
    } finally {
      bounded.close();
    }
  }

  /** A tenant's server chooses the name: it must not write lines of the operator's log. */
  @Test
  void logsForeignHostInOneShortLine() throws Exception {
    var host = "evil\n2026-01-01 ERROR forged" + "x".repeat(100_000);
    try (var log = LogCapture.of(OwnHostsRpcClient.class)) {
      var failure = request(client, host).get(60, TimeUnit.SECONDS);

      assertThat(log.lines())
          .singleElement(InstanceOfAssertFactories.STRING)
          .startsWith("WARN event=ForeignServerRefused namespace=ns cluster=hb ")
          .contains("evil?2026")
          .hasSizeLessThan(500)
          .doesNotContain("\n");
      assertThat(failure.getMessage()).hasSizeLessThan(500).doesNotContain("\n");
    }
  }

  /** The DNS may be unavailable while servers run. */
  @Test
  void usesOpenConnectionWhileNameHasNoAddress() throws Exception {
    var isUnavailable = new AtomicBoolean();
    var hosts =
        new HostLookups(
            new HostLookups.Bounds(2, 2, Duration.ofSeconds(1), Duration.ofSeconds(60)),
            host -> {
              if (isUnavailable.get()) {
                throw new UnknownHostException(host);
              }
              return InetAddress.getLoopbackAddress();
            },
            System::nanoTime);
    var host = "hb-regionserver-0.hb-regionserver.ns.svc";
    var conf = ClientSettings.of(CLUSTER, List.of(host + ":" + server.getLocalPort()));
    var away = new OwnHostsRpcClient(conf, "id", null, null, Map.of(), hosts);
    try {
      var first = request(away, host);
      try (var socket = server.accept()) {
        socket.setSoTimeout(60_000);
        var in = new DataInputStream(socket.getInputStream());
        in.readFully(new byte[PREAMBLE]);
        readFrame(in);
        readFrame(in);

        isUnavailable.set(true);
        var second = request(away, host);
        readFrame(in);
        assertThat(List.of(first, second)).noneMatch(CompletableFuture::isDone);
      }
    } finally {
      away.close();
    }
  }

  private static void readFrame(DataInputStream in) throws IOException {
    in.readFully(new byte[in.readInt()]);
  }

  /** The frame would be kept until it is complete, up to 2 GiB. */
  @Test
  void frameOverLimitClosesConnection() throws Exception {
    var failed = request(client, "localhost");
    try (var socket = server.accept()) {
      socket.setSoTimeout(60_000);
      new DataOutputStream(socket.getOutputStream()).writeInt(OwnHostsRpcClient.MAX_FRAME + 1);
      var in = socket.getInputStream();
      while (in.read() >= 0) {
        // The request, until the end.
      }
    }
    assertThat(failed.get(60, TimeUnit.SECONDS)).isNotNull();
  }
}
