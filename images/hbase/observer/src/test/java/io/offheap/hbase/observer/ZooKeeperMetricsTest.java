package io.offheap.hbase.observer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.zookeeper.metrics.MetricsContext;
import org.apache.zookeeper.metrics.MetricsProviderLifeCycleException;
import org.apache.zookeeper.server.ServerConfig;
import org.apache.zookeeper.server.ZooKeeperServerMain;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ZooKeeperMetricsTest {
  private final ZooKeeperMetrics metrics = new ZooKeeperMetrics();

  @AfterEach
  void stop() {
    metrics.stop();
  }

  @Test
  void showsGaugesForAsLongAsTheyAreRegistered() throws Exception {
    start(0);
    metrics.getRootContext().registerGauge("uptime", () -> 5L);
    metrics.getRootContext().getCounter("looking_count").add(2);

    assertThat(get(metrics.port())).contains("zookeeper_uptime 5\n", "zookeeper_looking_count 2\n");

    metrics.getRootContext().unregisterGauge("uptime");

    assertThat(get(metrics.port()))
        .doesNotContain("uptime")
        .contains("zookeeper_looking_count 2\n");
  }

  @Test
  void hasNoSeriesOfAZnode() throws Exception {
    start(0);
    metrics
        .getRootContext()
        .getSummarySet("read_per_namespace", MetricsContext.DetailLevel.BASIC)
        .add("some-znode", 1);
    metrics.getRootContext().registerGauge("no name", () -> 1);
    metrics.getRootContext().registerGauge("name", () -> 1);

    assertThat(get(metrics.port())).isEqualTo("zookeeper_name 1\n");
  }

  /** Each half holds a thread until the server gives its request up. */
  @Test
  void servesCompleteRequestBesideIncompleteOnes() throws Exception {
    start(0);
    metrics.getRootContext().registerGauge("name", () -> 1);
    var halves = new ArrayList<Socket>();
    try {
      for (int i = 0; i < 8; i++) {
        halves.add(half());
      }
      assertThat(get(metrics.port())).isEqualTo("zookeeper_name 1\n");
    } finally {
      close(halves);
    }
  }

  /** What waits is kept in the heap of ZooKeeper. */
  @Test
  void closesIncompleteRequestsOverTheLimit() throws Exception {
    start(0);
    var halves = new ArrayList<Socket>();
    try {
      for (int i = 0; i < 200; i++) {
        halves.add(half());
      }
      var last = halves.get(halves.size() - 1);
      last.setSoTimeout(10_000);
      assertThat(isClosed(last)).isTrue();
    } finally {
      close(halves);
    }
  }

  private Socket half() throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), metrics.port());
    socket.getOutputStream().write('G');
    return socket;
  }

  private static boolean isClosed(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (SocketException reset) {
      return true;
    }
  }

  private static void close(List<Socket> sockets) throws IOException {
    for (var socket : sockets) {
      socket.close();
    }
  }

  @Test
  void startsWithoutAPortThatIsTaken() throws Exception {
    try (var other = new ServerSocket(0)) {
      start(other.getLocalPort());

      assertThat(metrics.port()).isEqualTo(-1);
    }
  }

  /** As the image's entry point starts it, but in this process. */
  @Test
  void aRealServerThatServesHasAnUptime(@TempDir Path folder) throws Exception {
    int client = freePort();
    int http = freePort();
    var properties = new Properties();
    properties.setProperty("dataDir", folder.toString());
    properties.setProperty("clientPort", Integer.toString(client));
    properties.setProperty("admin.enableServer", "false");
    properties.setProperty("metricsProvider.className", ZooKeeperMetrics.class.getName());
    properties.setProperty("metricsProvider.httpPort", Integer.toString(http));
    var quorum = new QuorumPeerConfig();
    quorum.parseProperties(properties);
    var config = new ServerConfig();
    config.readFrom(quorum);
    var server =
        new ZooKeeperServerMain() {
          void end() {
            close();
          }
        };
    var running =
        new Thread(
            () -> {
              try {
                server.runFromConfig(config);
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    running.start();
    try {
      await("a server that serves")
          .atMost(Duration.ofSeconds(60))
          .ignoreException(IOException.class)
          .until(() -> get(http).contains("zookeeper_uptime "));
      assertThat(get(http))
          .contains(
              "\nzookeeper_outstanding_requests ",
              "\nzookeeper_num_alive_connections ",
              "\nzookeeper_znode_count ",
              "\nzookeeper_approximate_data_size ");
    } finally {
      server.end();
      running.join(30_000);
    }
    assertThat(running.isAlive()).isFalse();
  }

  private void start(int port) throws MetricsProviderLifeCycleException {
    var configuration = new Properties();
    configuration.setProperty("httpPort", Integer.toString(port));
    metrics.configure(configuration);
    metrics.start();
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static String get(int port) throws IOException {
    try {
      return HttpClient.newHttpClient()
          .send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                  .timeout(Duration.ofSeconds(20))
                  .build(),
              BodyHandlers.ofString())
          .body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }
}
