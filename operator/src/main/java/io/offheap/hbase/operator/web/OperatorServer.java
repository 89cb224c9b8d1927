package io.offheap.hbase.operator.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.exporter.common.TextFormat;
import java.io.IOException;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;

/**
 * {@code /metrics} for Prometheus, {@code /healthz} and {@code /readyz} for the kubelet. The JDK's
 * own server does for three small answers.
 */
public final class OperatorServer implements AutoCloseable {
  private static final String TEXT = "text/plain; charset=utf-8";

  private final HttpServer server;

  /**
   * Starts to listen.
   *
   * @param port TCP port; 0 for any that is free
   * @param registry the metrics
   * @param healthy whether the process works; if not, the kubelet restarts it
   * @param ready whether the operator reconciles
   * @throws IOException if the port cannot be had
   */
  public OperatorServer(
      int port, CollectorRegistry registry, BooleanSupplier healthy, BooleanSupplier ready)
      throws IOException {
    server = HttpServer.create(new InetSocketAddress(port), 0);
    serve("/metrics", exchange -> metrics(exchange, registry));
    serve("/healthz", exchange -> probe(exchange, healthy));
    serve("/readyz", exchange -> probe(exchange, ready));
    server.setExecutor(
        Executors.newFixedThreadPool(
            2,
            task -> {
              var thread = new Thread(task, "web");
              thread.setDaemon(true);
              return thread;
            }));
    server.start();
  }

  /** Answers a GET of this path and of no other: the server itself matches prefixes. */
  private void serve(String path, HttpHandler handler) {
    server.createContext(
        path,
        exchange -> {
          if (!exchange.getRequestURI().getPath().equals(path)) {
            answer(exchange, 404, TEXT, "not found\n");
          } else if (!exchange.getRequestMethod().equals("GET")) {
            exchange.getResponseHeaders().set("Allow", "GET");
            answer(exchange, 405, TEXT, "GET only\n");
          } else {
            handler.handle(exchange);
          }
        });
  }

  /** The port that it listens on. */
  public int port() {
    return server.getAddress().getPort();
  }

  private static void metrics(HttpExchange exchange, CollectorRegistry registry)
      throws IOException {
    var type = TextFormat.chooseContentType(exchange.getRequestHeaders().getFirst("Accept"));
    var text = new StringWriter();
    TextFormat.writeFormat(type, text, registry.metricFamilySamples());
    answer(exchange, 200, type, text.toString());
  }

  private static void probe(HttpExchange exchange, BooleanSupplier holds) throws IOException {
    boolean ok = holds.getAsBoolean();
    answer(exchange, ok ? 200 : 503, TEXT, ok ? "ok\n" : "not ok\n");
  }

  private static void answer(HttpExchange exchange, int status, String type, String text)
      throws IOException {
    try (exchange) {
      var body = text.getBytes(UTF_8);
      exchange.getResponseHeaders().set("Content-Type", type);
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
