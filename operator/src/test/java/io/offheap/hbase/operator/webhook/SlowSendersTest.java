package io.offheap.hbase.operator.webhook;

import static io.offheap.hbase.operator.Waits.LONG;
import static io.offheap.hbase.operator.webhook.RunningWebhook.TOKEN;
import static io.offheap.hbase.operator.webhook.RunningWebhook.alert;
import static io.offheap.hbase.operator.webhook.RunningWebhook.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.offheap.hbase.operator.Slow;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Senders that are too slow, or too many: an exchange must be over within two seconds here. */
class SlowSendersTest {
  private static final ClusterName ORDERS = new ClusterName("prod", "orders");

  @TempDir Path folder;
  private RunningWebhook webhook;

  @BeforeEach
  void start() throws IOException {
    webhook = new RunningWebhook(folder, Optional.empty(), Duration.ofSeconds(2));
  }

  @AfterEach
  void stop() {
    webhook.close();
  }

  @Test
  @Slow
  void slowSendersDelayNoOtherAndAreDisconnected() throws IOException {
    var slow = new ArrayList<Socket>();
    for (int i = 0; i < 5; i++) {
      slow.add(
          webhook.begin(
              RunningWebhook.head("Content-Length: 100\r\nContent-Type: application/json") + "{"));
      slow.add(webhook.begin("POST /api/v1/al"));
    }
    // More than the number of threads: the response comes after the first connections are closed.
    assertThat(webhook.post(body(alert())).statusCode()).isEqualTo(200);

    for (var socket : slow) {
      assertThat(isClosed(socket)).isTrue();
      socket.close();
    }
    assertThat(webhook.trigger).containsExactly(ORDERS);
    // Counted by the exchange's thread, after the connection is closed.
    await("five cut off").atMost(LONG).until(() -> webhook.requests(AlertOutcome.CUT_OFF) == 5);
  }

  @Test
  @Slow
  void thousandSilentConnectionsDelayNoOther() throws IOException {
    var silent = new ArrayList<Socket>();
    for (int i = 0; i < 1_000; i++) {
      silent.add(webhook.begin(""));
    }

    assertThat(webhook.post(body(alert())).statusCode()).isEqualTo(200);
    assertThat(isClosed(silent.get(0))).isTrue();
    for (var socket : silent) {
      socket.close();
    }
  }

  @Test
  @Slow
  void slowSenderWithoutTokenGets401AndIsDisconnected() throws IOException {
    var request =
        RunningWebhook.head("Content-Length: 100\r\nContent-Type: application/json")
            .replace(TOKEN, "guess");
    try (var socket = webhook.begin(request)) {
      var response = new byte[12];
      assertThat(socket.getInputStream().readNBytes(response, 0, 12)).isEqualTo(12);
      assertThat(response).asString().isEqualTo("HTTP/1.1 401");
      assertThat(isClosed(socket)).isTrue();
    }
  }

  @Test
  @Slow
  void closesExcessConnectionsAndContinues() throws IOException {
    var slow = new ArrayList<Socket>();
    for (int i = 0; i < 100; i++) {
      slow.add(webhook.begin("P"));
    }
    await("late connections closed").atMost(LONG).until(() -> isClosed(slow.get(99)));
    for (var socket : slow) {
      socket.close();
    }

    await("an alert is taken again")
        .atMost(LONG)
        .ignoreExceptions()
        .until(() -> webhook.post(body(alert())).statusCode() == 200);
    assertThat(webhook.trigger).containsExactly(ORDERS);
  }

  /** Whether the other side ends the connection, after whatever it still sends. */
  private static boolean isClosed(Socket socket) throws IOException {
    try {
      socket.getInputStream().readAllBytes();
      return true;
    } catch (SocketException e) {
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    }
  }
}
