package io.offheap.hbase.operator.hbase;

import io.offheap.hbase.operator.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/** Accepts every connection, reads what it gets and never responds. */
final class FrozenServer implements AutoCloseable {
  private final ServerSocket server;
  private final AtomicInteger accepted = new AtomicInteger();
  private final AtomicInteger open = new AtomicInteger();

  FrozenServer() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  private static void start(Runnable task) {
    var thread = new Thread(task, "frozen-server");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        var client = server.accept();
        accepted.incrementAndGet();
        open.incrementAndGet();
        start(() -> readToEnd(client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void readToEnd(Socket client) {
    try (client) {
      client.getInputStream().readAllBytes();
    } catch (IOException reset) {
      // The connection is closed all the same.
    } finally {
      open.decrementAndGet();
    }
  }

  String address() {
    return "localhost:" + server.getLocalPort();
  }

  /** An address where no process listens. */
  static String closedAddress() {
    return "localhost:" + FreePort.next();
  }

  /** Connections that were accepted. */
  int accepted() {
    return accepted.get();
  }

  /** Connections that are open. */
  int open() {
    return open.get();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
