package io.offheap.hbase.operator.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server whose clients mean harm. */
class GetServerTest {
  /** Longer than the test waits for an answer. */
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private GetServer server;

  @BeforeEach
  void start() throws IOException {
    server =
        new GetServer(
            "test",
            0,
            LIMIT,
            Map.of("/healthz", it -> GetServer.answer(it, 200, GetServer.TEXT, "ok\n")));
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

  /** As many as there are threads, more than that, and far more. */
  @ParameterizedTest
  @ValueSource(ints = {32, 100, 280})
  void aWholeRequestGetsPastHalves(int count) throws IOException {
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
        var answer = new String(whole.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertThat(answer).startsWith("HTTP/1.1 200").endsWith("ok\n");
      }
    } finally {
      for (var half : halves) {
        half.close();
      }
    }
  }
}
