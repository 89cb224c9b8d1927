package io.offheap.hbase.operator.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Serves GET requests for a few paths, on its own port. A client that sends half a request, or does
 * not read the response, holds a thread until the limit, so that only many repeated connections
 * delay other clients; their number is limited ({@link ConnectionGate}). The JDK's server is
 * sufficient for small responses.
 */
final class GetServer implements AutoCloseable {
  static final String TEXT = "text/plain; charset=utf-8";

  private static final int THREADS = 32;

  private final HttpServer server;
  private final ExchangeThreads threads;
  private final ConnectionGate gate;

  /**
   * Starts to listen.
   *
   * @param name name of its threads
   * @param port TCP port; 0 for any free port
   * @param limit limit for each request, from its first byte to its last, and again for its
   *     response
   * @param pages handler of each path
   * @throws IOException if the port cannot be bound
   */
  GetServer(String name, int port, Duration limit, Map<String, HttpHandler> pages)
      throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    threads = new ExchangeThreads(name, THREADS, limit);
    server.setExecutor(threads);
    pages.forEach(this::serve);
    server.start();
    try {
      gate = new ConnectionGate(name, port, server.getAddress());
    } catch (IOException e) {
      server.stop(0);
      threads.close();
      throw e;
    }
  }

  /** Serves only this exact path: the JDK's server matches prefixes. */
  private void serve(String path, HttpHandler page) {
    server.createContext(
        path,
        exchange -> {
          if (!hasBody(exchange)) {
            threads.requestIsRead();
          }
          if (!exchange.getRequestURI().getPath().equals(path)) {
            respond(exchange, 404, TEXT, "not found\n");
          } else if (!exchange.getRequestMethod().equals("GET")) {
            exchange.getResponseHeaders().set("Allow", "GET");
            respond(exchange, 405, TEXT, "GET only\n");
          } else {
            page.handle(exchange);
          }
        });
  }

  /** Whether the request has a body, which the JDK's server reads before it ends the exchange. */
  private static boolean hasBody(HttpExchange exchange) {
    var headers = exchange.getRequestHeaders();
    return headers.containsKey("Transfer-Encoding")
        || !headers.getOrDefault("Content-Length", List.of("0")).equals(List.of("0"));
  }

  /** Sends a response and ends the exchange. */
  static void respond(HttpExchange exchange, int status, String type, String text)
      throws IOException {
    try (exchange) {
      var body = text.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", type);
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  /** The port that it listens on. */
  int port() {
    return gate.port();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
    gate.close();
  }
}
