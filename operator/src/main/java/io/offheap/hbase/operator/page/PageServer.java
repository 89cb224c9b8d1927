package io.offheap.hbase.operator.page;

import com.sun.net.httpserver.HttpServer;
import io.offheap.hbase.operator.http.ConnectionGate;
import io.offheap.hbase.operator.http.ExchangeThreads;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * Serves the read-only page on loopback, which {@code kubectl port-forward} connects to: only users
 * with the right to forward a port of the operator's pod can see it.
 */
public final class PageServer implements AutoCloseable {
  private static final int THREADS = 8;

  /** For each request, and again for its response; a history of 64 servers is 200 kB. */
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final HttpServer server;
  private final ConnectionGate gate;
  private final ExchangeThreads threads;
  private final WhatIf whatIf;

  /**
   * Starts to listen.
   *
   * @param port TCP port on 127.0.0.1; 0 for any free port
   * @throws IOException if the port is in use, or a file of the page is not in the jar
   */
  public PageServer(int port, PageSource source) throws IOException {
    var files = new PageFiles();
    // Not the JVM's loopback address, which may be IPv6: kubectl tries 127.0.0.1 first.
    var loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    server = HttpServer.create(new InetSocketAddress(loopback, 0), 0);
    threads = new ExchangeThreads("page", THREADS, LIMIT);
    server.setExecutor(threads);
    whatIf = new WhatIf(source.preview());
    server.createContext(
        "/",
        new PageHandler(
            files, new Views(source), whatIf, source.cluster(), threads::requestIsRead));
    server.start();
    try {
      gate = new ConnectionGate("page", new InetSocketAddress(loopback, port), server.getAddress());
    } catch (IOException e) {
      end();
      throw e;
    }
  }

  /** The port that it listens on. */
  public int port() {
    return gate.port();
  }

  @Override
  public void close() {
    gate.close();
    end();
  }

  private void end() {
    server.stop(0);
    threads.close();
    whatIf.close();
  }
}
