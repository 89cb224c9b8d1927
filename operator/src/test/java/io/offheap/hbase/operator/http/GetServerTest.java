package io.offheap.hbase.operator.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpHandler;
import io.offheap.hbase.operator.Slow;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server with hostile clients. */
class GetServerTest {
  /** Longer than the test waits for a response. */
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private GetServer server;

  @BeforeEach
  void start() throws IOException {
    server =
        new GetServer(
            "test",
            0,
            LIMIT,
            Map.of("/healthz", it -> GetServer.respond(it, 200, GetServer.TEXT, "ok\n")));
  }

  private static final int THREADS = 32;

  private Socket send(String request) throws IOException {
    var socket = connect();
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private void replace(Duration limit, HttpHandler page) throws IOException {
    server.close();
    server = new GetServer("test", 0, limit, Map.of("/page", page));
  }

  /** A slow page, and more readers than threads. */
  @Test
  @Slow
  void servesCompleteRequestWhileOthersWait() throws Exception {
    var entered = new Semaphore(0);
    var responses = new CountDownLatch(1);
    replace(
        LIMIT,
        it -> {
          entered.release();
          try {
            responses.await();
          } catch (InterruptedException e) {
            throw new InterruptedIOException("made room for others");
          }
          GetServer.respond(it, 200, GetServer.TEXT, "ok\n");
        });
    var sockets = new ArrayList<Socket>();
    try {
      for (int i = 0; i < THREADS; i++) {
        sockets.add(send("GET /page HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"));
      }
      assertThat(entered.tryAcquire(THREADS, 60, TimeUnit.SECONDS)).isTrue();
      for (int i = 0; i < THREADS; i++) {
        sockets.add(send("GET /page HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"));
      }
      assertThat(entered.tryAcquire(1, 1, TimeUnit.SECONDS)).as("a free thread").isFalse();
      responses.countDown();
      for (var socket : sockets) {
        assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
            .startsWith("HTTP/1.1 200")
            .endsWith("ok\n");
      }
    } finally {
      responses.countDown();
      for (var socket : sockets) {
        socket.close();
      }
    }
  }

  /** Its request is complete, and still it must not hold its thread for ever. */
  @ParameterizedTest
  @ValueSource(strings = {"", "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n"})
  @Slow
  void closesConnectionOfClientThatDoesNotReadResponse(String header) throws Exception {
    var ended = new Semaphore(0);
    var large = "x".repeat(64 << 20);
    replace(
        Duration.ofSeconds(2),
        it -> {
          try {
            GetServer.respond(it, 200, GetServer.TEXT, large);
          } finally {
            ended.release();
          }
        });
    try (var socket = send("GET /page HTTP/1.1\r\nHost: x\r\n" + header + "\r\n")) {
      assertThat(ended.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
      assertThat(socket.isConnected()).isTrue();
    }
  }

  /** A body is read completely before the next request of its connection. */
  @ParameterizedTest
  @ValueSource(strings = {"Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n"})
  void interruptsRequestWithMissingBody(String header) throws Exception {
    var sockets = new ArrayList<Socket>();
    try {
      for (int i = 0; i < THREADS; i++) {
        var socket = send("GET /healthz HTTP/1.1\r\nHost: x\r\n" + header + "\r\n");
        sockets.add(socket);
        assertThat(socket.getInputStream().read()).as("the response to it").isEqualTo('H');
      }
      try (var whole = send("GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")) {
        assertThat(new String(whole.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
            .startsWith("HTTP/1.1 200");
      }
    } finally {
      for (var socket : sockets) {
        socket.close();
      }
    }
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Socket connect() throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket.setSoTimeout(60_000);
    return socket;
  }

  /** As many as threads, more, and many more. */
  @ParameterizedTest
  @ValueSource(ints = {32, 100, 280})
  @Slow
  void servesCompleteRequestDespiteIncompleteOnes(int count) throws IOException {
    var halves = new ArrayList<Socket>();
    try {
      for (int i = 0; i < count; i++) {
        var half = connect();
        halves.add(half);
        half.getOutputStream().write('G');
      }
      try (var whole = connect()) {
        whole
            .getOutputStream()
            .write(
                "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
        var response = new String(whole.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertThat(response).startsWith("HTTP/1.1 200").endsWith("ok\n");
      }
    } finally {
      for (var half : halves) {
        half.close();
      }
    }
  }
}
