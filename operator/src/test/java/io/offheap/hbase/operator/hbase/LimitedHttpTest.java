package io.offheap.hbase.operator.hbase;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Answers of servers that mean harm. */
class LimitedHttpTest {
  private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
  private static final int MAX_BYTES = 100_000;

  private final LimitedHttp http = new LimitedHttp("test", Duration.ofSeconds(2), MAX_BYTES);
  private ServerSocket server;

  private interface Answer {
    void to(OutputStream out) throws IOException, InterruptedException;
  }

  @BeforeEach
  void listen() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() throws IOException {
    server.close();
  }

  /** Answers one request; completes when the connection is closed by the other side. */
  private CompletableFuture<Void> serve(Answer answer) {
    var hungUpOn = new CompletableFuture<Void>();
    var thread =
        new Thread(
            () -> {
              try (var socket = server.accept()) {
                while (socket.getInputStream().read() != '\n') {
                  // The request's first line.
                }
                try {
                  answer.to(socket.getOutputStream());
                  while (socket.getInputStream().read() >= 0) {
                    // The rest of the request, until the end.
                  }
                } catch (IOException reset) {
                  // That is an end, too.
                }
                hungUpOn.complete(null);
              } catch (IOException | InterruptedException e) {
                hungUpOn.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return hungUpOn;
  }

  private String get() throws InterruptedException, ExecutionException {
    return http.get(URI.create("http://127.0.0.1:" + server.getLocalPort() + "/jmx")).get();
  }

  @Test
  void anAnswerWithinTheBoundsIsWhole() throws Exception {
    var text = "x".repeat(MAX_BYTES);
    var served =
        serve(
            out -> out.write((HEAD + "Content-Length: 100000\r\n\r\n" + text).getBytes(US_ASCII)));

    assertThat(get()).isEqualTo(text);
    served.get(60, TimeUnit.SECONDS);
  }

  @Test
  void anAnswerWithoutEndIsHungUpOn() throws Exception {
    var hungUpOn =
        serve(
            out -> {
              out.write((HEAD + "\r\n").getBytes(US_ASCII));
              while (true) {
                out.write(new byte[65_536]);
              }
            });

    assertThatThrownBy(this::get).hasMessageContaining("too large");
    hungUpOn.get(60, TimeUnit.SECONDS);
  }

  @Test
  void anAnswerThatSaysItIsLongIsHungUpOn() throws Exception {
    var hungUpOn =
        serve(
            out -> {
              out.write((HEAD + "Content-Length: 9999999999\r\n\r\n").getBytes(US_ASCII));
              while (true) {
                out.write(new byte[65_536]);
              }
            });

    assertThatThrownBy(this::get).isInstanceOf(ExecutionException.class);
    hungUpOn.get(60, TimeUnit.SECONDS);
  }

  @Test
  void aByteNowAndThenIsHungUpOnWhenItsTimeIsOver() throws Exception {
    var hungUpOn =
        serve(
            out -> {
              out.write((HEAD + "\r\n").getBytes(US_ASCII));
              while (true) {
                out.write('x');
                Thread.sleep(100);
              }
            });

    assertThatThrownBy(this::get).isInstanceOf(Exception.class);
    hungUpOn.get(60, TimeUnit.SECONDS);
  }

  @Test
  void aBodyThatNeverComesIsHungUpOn() throws Exception {
    var hungUpOn = serve(out -> out.write((HEAD + "\r\n").getBytes(US_ASCII)));

    assertThatThrownBy(this::get).isInstanceOf(Exception.class);
    hungUpOn.get(60, TimeUnit.SECONDS);
  }

  @Test
  void aHeadThatNeverEndsIsHungUpOn() throws Exception {
    var hungUpOn =
        serve(
            out -> {
              out.write(HEAD.getBytes(US_ASCII));
              while (true) {
                out.write("X-Header: x\r\n".repeat(100).getBytes(US_ASCII));
              }
            });

    assertThatThrownBy(this::get).isInstanceOf(ExecutionException.class);
    hungUpOn.get(60, TimeUnit.SECONDS);
  }
}
