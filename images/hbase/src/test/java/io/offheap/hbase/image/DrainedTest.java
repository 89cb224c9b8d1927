package io.offheap.hbase.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The pre-stop step against a server that responds as a region server does, with the region counts
 * of each case. The end-to-end suites run it with real region servers.
 */
class DrainedTest {
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  private static final int NOT_THERE = -1;

  @TempDir private Path folder;
  private HttpServer server;
  private IntSupplier bean;
  private IntSupplier page;

  @BeforeEach
  void startServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(LOOPBACK, 0), 0);
    server.createContext("/jmx", exchange -> respond(exchange, beans(bean.getAsInt())));
    server.createContext("/rs-status", exchange -> respond(exchange, status(page.getAsInt())));
    server.start();
  }

  @AfterEach
  void stopServer() {
    server.stop(0);
  }

  private static String beans(int regions) {
    return regions == NOT_THERE
        ? "{\"beans\" : []}"
        : "{\"beans\" : [{\"regionCount\" : " + regions + ", ";
  }

  private static String status(int regions) {
    return switch (regions) {
      case NOT_THERE -> "The RegionServer is initializing!";
      case 0 -> "<p>Not serving regions</p>";
      default -> "<table>";
    };
  }

  private static void respond(HttpExchange exchange, String body) throws IOException {
    byte[] bytes = body.getBytes(UTF_8);
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Test
  void returnsAtOnceWithoutRegions() throws Exception {
    regions(() -> 0);

    assertThat(drained(Map.of())).startsWith("no region after");
    assertThat(pauses()).isZero();
  }

  @Test
  void waitsUntilLastRegionIsMoved() throws Exception {
    var left = new AtomicInteger(11);
    regions(() -> Math.max(0, left.decrementAndGet()));

    // Shorter than it takes in all, longer than it takes from one region to the next.
    assertThat(drained(Map.of("DRAIN_PATIENCE", "6"))).startsWith("no region after");
    assertThat(left.get()).isNotPositive();
    assertThat(pauses()).isGreaterThan(6);
  }

  @Test
  void checksStaleCountOfZero() throws Exception {
    var left = new AtomicInteger(3);
    bean = () -> 0;
    page = () -> Math.max(0, left.decrementAndGet());

    assertThat(drained(Map.of())).startsWith("no region after");
    assertThat(left.get()).isZero();
  }

  @Test
  void doesNotWaitForStaleCount() throws Exception {
    bean = () -> 7;
    page = () -> 0;

    assertThat(drained(Map.of())).startsWith("no region after");
    assertThat(pauses()).isZero();
  }

  @Test
  void stopsWaitingWithoutProgress() throws Exception {
    regions(() -> 7);

    assertThat(drained(Map.of("DRAIN_PATIENCE", "2")))
        .startsWith("7 regions left, none moved for 2 s: stops waiting");
  }

  @Test
  void openedRegionsAreNoProgress() throws Exception {
    var count = new AtomicInteger(5);
    regions(count::incrementAndGet);

    assertThat(drained(Map.of("DRAIN_PATIENCE", "2"))).contains("none moved for 2 s");
  }

  @Test
  void stopsWaitingAtTimeout() throws Exception {
    var left = new AtomicInteger(1_000);
    regions(left::decrementAndGet);

    assertThat(drained(Map.of("DRAIN_TIMEOUT", "2")))
        .matches("[0-9]+ regions left: stops waiting after ([2-9]|[0-9]{2,}) s");
  }

  @Test
  void stopsWaitingWithoutMaster() throws Exception {
    regions(() -> 7);

    var masters = "localhost:%d no-such-master.invalid:16000".formatted(closedPort());
    assertThat(drained(Map.of("MASTERS", masters)))
        .startsWith("7 regions left, and no master accepts connections: stops waiting");
  }

  @Test
  void oneMasterIsEnough() throws Exception {
    var left = new AtomicInteger(8);
    regions(() -> Math.max(0, left.decrementAndGet()));

    try (var master = new ServerSocket(0, 50, LOOPBACK)) {
      var masters = "localhost:%d localhost:%d".formatted(closedPort(), master.getLocalPort());
      assertThat(drained(Map.of("MASTERS", masters))).startsWith("no region after");
    }
  }

  @Test
  void returnsAtOnceIfServerIsStopped() throws Exception {
    server.stop(0);

    assertThat(drained(Map.of())).startsWith("the server does not respond after");
    assertThat(pauses()).isZero();
  }

  @Test
  void doesNotWaitForStartingServer() throws Exception {
    bean = () -> NOT_THERE;
    page = () -> NOT_THERE;

    assertThat(drained(Map.of())).startsWith("no region after");
    assertThat(pauses()).isZero();
  }

  @Test
  void continuesWhileBeanIsMissing() throws Exception {
    var requests = new AtomicInteger();
    bean = () -> requests.incrementAndGet() < 3 ? NOT_THERE : 0;
    page = () -> requests.get() < 3 ? 7 : 0;

    assertThat(drained(Map.of())).startsWith("no region after");
    assertThat(requests.get()).isEqualTo(3);
  }

  private void regions(IntSupplier count) {
    bean = count;
    page = count;
  }

  private static int closedPort() throws IOException {
    try (var socket = new ServerSocket(0, 50, LOOPBACK)) {
      return socket.getLocalPort();
    }
  }

  /** Number of waits between two checks. A busy machine adds seconds, but no wait. */
  private long pauses() throws IOException {
    return Files.exists(folder.resolve("pauses"))
        ? Files.readAllLines(folder.resolve("pauses")).size()
        : 0;
  }

  /** A {@code sleep} whose calls are counted. */
  private String pathWithCountingSleep() throws IOException {
    var sleep = Files.createDirectory(folder.resolve("bin")).resolve("sleep");
    Files.writeString(
        sleep,
        """
        #!/bin/sh
        echo "$1" >> '%s'
        PATH=${PATH#*:} exec sleep "$1"
        """
            .formatted(folder.resolve("pauses")));
    assertThat(sleep.toFile().setExecutable(true)).isTrue();
    return sleep.getParent() + ":" + System.getenv("PATH");
  }

  /** The last line in the container's log. */
  private String drained(Map<String, String> environment) throws Exception {
    var log = folder.resolve("container.log");
    var builder = new ProcessBuilder("bin/drained").redirectOutput(folder.resolve("out").toFile());
    builder.redirectErrorStream(true);
    builder.environment().putAll(environment);
    builder.environment().put("CONTAINER_LOG", log.toString());
    builder.environment().put("PATH", pathWithCountingSleep());
    builder.environment().put("INFO_PORT", Integer.toString(server.getAddress().getPort()));
    var process = builder.start();
    try {
      assertThat(process.waitFor(Duration.ofSeconds(60).toSeconds(), TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).isZero();
    var lines = Files.readAllLines(log);
    assertThat(lines).hasSize(2).allMatch(line -> line.startsWith("drained: "));
    return lines.get(1).substring("drained: ".length());
  }
}
