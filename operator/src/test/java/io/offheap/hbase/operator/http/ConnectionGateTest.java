package io.offheap.hbase.operator.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.offheap.hbase.operator.Slow;
import io.offheap.hbase.operator.log.LogCapture;
import io.prometheus.client.CollectorRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Peers that hold connections. Each address of the loopback network is a peer. */
class ConnectionGateTest {
  private static final int ATTACKER = 2;
  private static final int KUBELET = 3;
  private static final String PROBE = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";

  private final List<Socket> sockets = new ArrayList<>();

  @AfterEach
  void close() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  /** From 127.0.0.N. */
  private Socket connect(int peer, int port) throws IOException {
    var socket = new Socket();
    sockets.add(socket);
    socket.bind(
        new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) peer}), 0));
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 60_000);
    socket.setSoTimeout(60_000);
    return socket;
  }

  private static OperatorServer operator() throws IOException {
    return new OperatorServer(0, 0, new CollectorRegistry(), () -> true, () -> true);
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static String status(Socket socket) throws IOException {
    return new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
  }

  private static boolean isClosed(Socket socket) throws IOException {
    socket.setSoTimeout(1);
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (SocketException e) {
      return true;
    }
  }

  private static long open(List<Socket> of) throws IOException {
    long open = 0;
    for (Socket socket : of) {
      open += isClosed(socket) ? 0 : 1;
    }
    return open;
  }

  @Test
  @Slow
  void thousandSilentConnectionsDelayNoProbe() throws Exception {
    try (var server = operator();
        var log = LogCapture.of(ConnectionGate.class)) {
      var silent = new ArrayList<Socket>();
      for (int i = 0; i < 1_000; i++) {
        silent.add(connect(ATTACKER, server.probePort()));
        if (i % 100 == 99) {
          var probe = connect(KUBELET, server.probePort());
          send(probe, PROBE);
          assertThat(status(probe)).isEqualTo("HTTP/1.1 200");
        }
      }

      await("no more than the bound are open")
          .atMost(Duration.ofSeconds(60))
          .until(() -> open(silent) <= ConnectionGate.MOST);
      assertThat(log.lines())
          .singleElement()
          .asString()
          .contains("event=TooManyConnections server=probes", "peer=127.0.0.2");
    }
  }

  /** An older connection that has sent nothing either. */
  @Test
  @Slow
  void closesConnectionOfPeerWithMost() throws Exception {
    try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        var gate =
            new ConnectionGate(
                "test",
                0,
                new InetSocketAddress(server.getInetAddress(), server.getLocalPort()),
                Duration.ofHours(1))) {
      var early = connect(KUBELET, gate.port());
      var silent = new ArrayList<Socket>();
      for (int i = 0; i < 2 * ConnectionGate.MOST; i++) {
        silent.add(connect(ATTACKER, gate.port()));
      }
      await("room was made")
          .atMost(Duration.ofSeconds(60))
          .until(() -> open(silent) == ConnectionGate.MOST - 1);

      send(early, "G");
      try (var behind = server.accept()) {
        assertThat(behind.getInputStream().read()).isEqualTo('G');
      }
      assertThat(isClosed(silent.get(0))).isTrue();
      assertThat(isClosed(silent.get(silent.size() - 1))).isFalse();
    }
  }

  /** Pods may have the address of the kubelet's node, and so may all clients behind a node. */
  @Test
  void keepsNewConnectionBesideBusyOnesOfItsAddress() throws Exception {
    try (var server =
            new ServerSocket(0, 2 * ConnectionGate.MOST, InetAddress.getLoopbackAddress());
        var gate =
            new ConnectionGate(
                "test",
                0,
                new InetSocketAddress(server.getInetAddress(), server.getLocalPort()),
                Duration.ofHours(1))) {
      var busy = new ArrayList<Socket>();
      for (int i = 0; i < ConnectionGate.MOST; i++) {
        var socket = connect(KUBELET, gate.port());
        send(socket, "G");
        busy.add(socket);
        var behind = server.accept();
        sockets.add(behind);
        assertThat(behind.getInputStream().read()).isEqualTo('G');
      }

      var probe = connect(KUBELET, gate.port());
      for (int i = 0; i < 10; i++) {
        connect(KUBELET, gate.port());
      }
      await("room was made")
          .atMost(Duration.ofSeconds(60))
          .until(() -> open(busy) == ConnectionGate.MOST - 11);

      assertThat(isClosed(probe)).isFalse();
      assertThat(isClosed(busy.get(0))).isTrue();
    }
  }

  /** The maximum of open connections, each from another peer. */
  @Test
  @Slow
  void closesSilentConnectionsOfManyPeers() throws Exception {
    try (var server = operator()) {
      var early = connect(KUBELET, server.probePort());
      send(early, PROBE);
      assertThat(status(early)).isEqualTo("HTTP/1.1 200");
      for (int i = 0; i < ConnectionGate.MOST + 50; i++) {
        connect(i % 250 + 4, server.probePort());
      }
      var body = new byte[4096];
      int unused = early.getInputStream().read(body);
      send(early, PROBE);
      assertThat(status(early)).isEqualTo("HTTP/1.1 200");
    }
  }

  @Test
  @Slow
  void closesConnectionWithoutFirstByte() throws Exception {
    try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        var gate =
            new ConnectionGate(
                "test",
                0,
                new InetSocketAddress(server.getInetAddress(), server.getLocalPort()),
                Duration.ofSeconds(2))) {
      server.setSoTimeout(60_000);
      var silent = connect(ATTACKER, gate.port());
      var slow = connect(ATTACKER, gate.port());
      send(slow, "G");
      try (var behind = server.accept()) {
        assertThat(behind.getInputStream().read()).isEqualTo('G');

        await("the silent connection closed")
            .atMost(Duration.ofSeconds(60))
            .until(() -> isClosed(silent));
        assertThat(isClosed(slow)).isFalse();
      }
    }
  }

  /** More bytes than any buffer, in both directions, and the end of each. */
  @Test
  void forwardsAllBytes() throws Exception {
    int length = 8 << 20;
    try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        var gate =
            new ConnectionGate(
                "test", 0, new InetSocketAddress(server.getInetAddress(), server.getLocalPort()))) {
      var client = connect(KUBELET, gate.port());
      var echo =
          new Thread(
              () -> {
                try (var behind = server.accept()) {
                  behind.getInputStream().transferTo(behind.getOutputStream());
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              });
      echo.start();
      var sent = new byte[length];
      new Random(7).nextBytes(sent);
      var sender =
          new Thread(
              () -> {
                try {
                  client.getOutputStream().write(sent);
                  client.shutdownOutput();
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              });
      sender.start();

      assertThat(client.getInputStream().readAllBytes()).isEqualTo(sent);
      echo.join(60_000);
      sender.join(60_000);
    }
  }

  @Test
  void missingServerEndsConnection() throws Exception {
    int closed;
    try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      closed = server.getLocalPort();
    }
    try (var gate =
        new ConnectionGate(
            "test", 0, new InetSocketAddress(InetAddress.getLoopbackAddress(), closed))) {
      var client = connect(KUBELET, gate.port());
      send(client, "G");

      await("the connection closed").atMost(Duration.ofSeconds(60)).until(() -> isClosed(client));
    }
  }
}
