package io.offheap.hbase.operator.hbase;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * An HTTP server that responds to each request by a script, and numbers connections and the
 * requests on each: {@code 1.2} is the second on the first connection.
 */
final class NumberedServer implements AutoCloseable {
  private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final Map<Integer, CompletableFuture<Void>> closed = new ConcurrentHashMap<>();
  private final Script script;

  /** Responds to a request. */
  interface Script {
    void respond(Request request) throws IOException, InterruptedException;
  }

  /** A request whose head is read. */
  record Request(String number, Socket client) {
    boolean is(String other) {
      return number.equals(other);
    }

    void send(String text) throws IOException {
      client.getOutputStream().write(text.getBytes(US_ASCII));
    }

    void close() throws IOException {
      client.close();
    }
  }

  NumberedServer(Script script) throws IOException {
    this.script = script;
    daemon(this::accept);
  }

  private static void daemon(Runnable task) {
    var thread = new Thread(task, "numbered-server");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      for (int connection = 1; true; connection++) {
        int number = connection;
        var client = socket.accept();
        daemon(() -> serve(number, client));
      }
    } catch (IOException closed) {
      // The end of the test.
    }
  }

  private void serve(int connection, Socket client) {
    try (client) {
      for (int request = 1; readHead(client); request++) {
        var number = connection + "." + request;
        requests.add(number);
        script.respond(new Request(number, client));
      }
    } catch (IOException | InterruptedException end) {
      // Closed by one side.
    } finally {
      closed(connection).complete(null);
    }
  }

  /** False at the end of the connection. */
  private static boolean readHead(Socket client) throws IOException {
    var head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = client.getInputStream().read();
      if (next < 0) {
        return false;
      }
      head.append((char) next);
    }
    return true;
  }

  private CompletableFuture<Void> closed(int connection) {
    return closed.computeIfAbsent(connection, it -> new CompletableFuture<>());
  }

  int port() {
    return socket.getLocalPort();
  }

  /** The numbers of all requests, in their order. */
  List<String> requests() {
    return requests;
  }

  /** Waits until a connection is closed. */
  void awaitClosed(int connection)
      throws InterruptedException, ExecutionException, TimeoutException {
    closed(connection).get(60, TimeUnit.SECONDS);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
