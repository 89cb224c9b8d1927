package io.offheap.hbase.operator.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Serves at {@code /prometheus} the recorded metrics of a real region server, with allocator
 * counters that rise while it runs. A restart resets them and changes the start code.
 */
final class ReplayedServer implements AutoCloseable {
  private static final Pattern METRIC = Pattern.compile("(# TYPE )?([a-z0-9_]+)[{ ].*");

  private final HttpServer http;
  private final double heapBytesPerSecond;
  private final double poolBytesPerSecond;
  private volatile Instant started = Instant.now();
  private volatile boolean up = true;

  private ReplayedServer(HttpServer http, double heapBytesPerSecond, double poolBytesPerSecond) {
    this.http = http;
    this.heapBytesPerSecond = heapBytesPerSecond;
    this.poolBytesPerSecond = poolBytesPerSecond;
  }

  static ReplayedServer start(double heapBytesPerSecond, double poolBytesPerSecond)
      throws IOException {
    var http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    var server = new ReplayedServer(http, heapBytesPerSecond, poolBytesPerSecond);
    http.createContext(
        "/prometheus",
        exchange -> {
          try (exchange) {
            var query = exchange.getRequestURI().getQuery();
            var body = server.metrics(query.substring("qry=".length())).getBytes(UTF_8);
            exchange.sendResponseHeaders(server.up ? 200 : 503, server.up ? body.length : -1);
            if (server.up) {
              exchange.getResponseBody().write(body);
            }
          }
        });
    http.start();
    return server;
  }

  /** The real server's metrics without unneeded ones. */
  static String recorded() {
    return recorded("regionserver");
  }

  /** The recorded metrics of a real server. */
  static String recorded(String role) {
    try (var resource = ReplayedServer.class.getResourceAsStream("/alerts/" + role + ".prom")) {
      return new String(resource.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String address() {
    return "127.0.0.1:" + http.getAddress().getPort();
  }

  void stop() {
    up = false;
  }

  void startAgain() {
    started = Instant.now();
    up = true;
  }

  /** Lines whose metric's name contains the text, like HBase's filter. */
  private String metrics(String filter) {
    return recorded()
        .lines()
        .filter(line -> name(line).contains(filter))
        .map(this::current)
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private static String name(String line) {
    var matcher = METRIC.matcher(line);
    return matcher.matches() ? matcher.group(2) : "";
  }

  private String current(String line) {
    return switch (line.startsWith("#") ? "" : name(line)) {
      case "observer_allocator_heap_bytes" -> withValue(line, run -> run * heapBytesPerSecond);
      case "observer_allocator_pool_bytes" -> withValue(line, run -> run * poolBytesPerSecond);
      default -> line.replace("STARTCODE", Long.toString(started.toEpochMilli()));
    };
  }

  private String withValue(String line, ToDoubleFunction<Double> ofSeconds) {
    double seconds = Duration.between(started, Instant.now()).toMillis() / 1000.0;
    return line.substring(0, line.indexOf('}') + 2) + (long) ofSeconds.applyAsDouble(seconds);
  }

  @Override
  public void close() {
    http.stop(0);
  }
}
