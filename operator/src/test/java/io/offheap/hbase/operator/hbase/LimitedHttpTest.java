package io.offheap.hbase.operator.hbase;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offheap.hbase.operator.Slow;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Responses of hostile servers. */
class LimitedHttpTest {
  private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
  private static final int MAX_BYTES = 100_000;
  private static final int AT_ONCE = 3;

  private static final Duration SHORT = Duration.ofSeconds(2);

  private LimitedHttp http = new LimitedHttp(Duration.ofSeconds(60), MAX_BYTES, AT_ONCE);
  private ServerSocket server;

  private interface Responder {
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

  /** Responds to one request; completes when the client closes the connection. */
  private CompletableFuture<Void> serve(Responder response) {
    var hungUpOn = new CompletableFuture<Void>();
    var thread =
        new Thread(
            () -> {
              try (var socket = server.accept()) {
                while (socket.getInputStream().read() != '\n') {
                  // The request's first line.
                }
                try {
                  response.to(socket.getOutputStream());
                  while (socket.getInputStream().read() >= 0) {
                    // The rest of the request, until the end.
                  }
                } catch (IOException reset) {
                  // An end as well.
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

  private URI uri() {
    return URI.create("http://127.0.0.1:" + server.getLocalPort() + "/jmx");
  }

  /** The whole body. */
  private static final class Text implements BodyReader<String> {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Override
    public void read(byte[] more) {
      bytes.writeBytes(more);
    }

    @Override
    public String end() {
      return bytes.toString(US_ASCII);
    }

    @Override
    public void close() {
      // No resources.
    }
  }

  private String get() throws InterruptedException, ExecutionException {
    return http.get(uri(), LimitedHttp.Reuse.NONE, Text::new).get();
  }

  @Test
  void returnsResponseWithinLimits() throws Exception {
    var text = "x".repeat(MAX_BYTES);
    var served =
        serve(
            out -> out.write((HEAD + "Content-Length: 100000\r\n\r\n" + text).getBytes(US_ASCII)));

    assertThat(get()).isEqualTo(text);
    served.get(60, TimeUnit.SECONDS);
  }

  @Test
  void closesConnectionOnEndlessResponse() throws Exception {
    var hungUpOn =
        serve(
            out -> {
              out.write((HEAD + "\r\n").getBytes(US_ASCII));
              while (true) {
                out.write(new byte[65_536]);
              }
            });

    assertThatThrownBy(this::get)
        .cause()
        .isInstanceOf(RefusedResponseException.class)
        .hasMessage(
            "127.0.0.1:%d sent a response of over 100000 bytes; must be at most so many",
            server.getLocalPort());
    hungUpOn.get(60, TimeUnit.SECONDS);
  }

  @Test
  void closesConnectionOnLongContentLength() throws Exception {
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
  @Slow
  void closesConnectionOnSlowResponseAtDeadline() throws Exception {
    http = new LimitedHttp(SHORT, MAX_BYTES, AT_ONCE);
    var hungUpOn =
        serve(
            out -> {
              out.write((HEAD + "\r\n").getBytes(US_ASCII));
              while (true) {
                out.write('x');
                Thread.sleep(100);
              }
            });

    assertThatThrownBy(this::get).hasMessageContaining("an incomplete response, in 2 s");
    hungUpOn.get(60, TimeUnit.SECONDS);
  }

  @Test
  @Slow
  void closesConnectionWithoutResponseAtDeadline() throws Exception {
    http = new LimitedHttp(SHORT, MAX_BYTES, AT_ONCE);
    var hungUpOn = serve(out -> {});

    assertThatThrownBy(this::get).hasMessageContaining("no response in 2 s");
    hungUpOn.get(60, TimeUnit.SECONDS);
  }

  /** A thousand times as long after decompression. */
  @Test
  void closesConnectionOnCompressedResponse() throws Exception {
    var hungUpOn =
        serve(
            out ->
                out.write(
                    (HEAD + "Content-Encoding: gzip\r\nContent-Length: 9\r\n\r\nabcdefghi")
                        .getBytes(US_ASCII)));

    assertThatThrownBy(this::get).hasMessageContaining("sent the encoding gzip; must be none");
    hungUpOn.get(60, TimeUnit.SECONDS);
  }

  @Test
  @Slow
  void closesConnectionWithoutBodyAtDeadline() throws Exception {
    http = new LimitedHttp(SHORT, MAX_BYTES, AT_ONCE);
    var hungUpOn = serve(out -> out.write((HEAD + "\r\n").getBytes(US_ASCII)));

    assertThatThrownBy(this::get).isInstanceOf(Exception.class);
    hungUpOn.get(60, TimeUnit.SECONDS);
  }

  /** A chunk of one byte whose length is followed by a long comment. */
  @Test
  void closesConnectionOnEndlessChunks() throws Exception {
    var chunk = "1;" + "c".repeat(4000) + "\r\nx\r\n";
    var hungUpOn =
        serve(
            out -> {
              out.write((HEAD + "Transfer-Encoding: chunked\r\n\r\n").getBytes(US_ASCII));
              while (true) {
                out.write(chunk.getBytes(US_ASCII));
              }
            });

    assertThatThrownBy(this::get).isInstanceOf(ExecutionException.class);
    hungUpOn.get(60, TimeUnit.SECONDS);
  }

  @Test
  void closesConnectionOnEndlessTrailers() throws Exception {
    var hungUpOn =
        serve(
            out -> {
              out.write((HEAD + "Transfer-Encoding: chunked\r\n\r\n0\r\n").getBytes(US_ASCII));
              while (true) {
                out.write("X-Trailer: x\r\n".repeat(100).getBytes(US_ASCII));
              }
            });

    assertThatThrownBy(this::get).isInstanceOf(ExecutionException.class);
    hungUpOn.get(60, TimeUnit.SECONDS);
  }

  @Test
  void doesNotFollowRedirect() throws Exception {
    try (var other = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      var served =
          serve(
              out ->
                  out.write(
                      ("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:"
                              + other.getLocalPort()
                              + "/\r\nContent-Length: 0\r\n\r\n")
                          .getBytes(US_ASCII)));

      assertThatThrownBy(this::get).hasMessageContaining("HTTP status 302");
      served.get(60, TimeUnit.SECONDS);
      other.setSoTimeout(1);
      assertThatThrownBy(other::accept).isInstanceOf(SocketTimeoutException.class);
    }
  }

  /** A thousand servers of one tenant would otherwise fill a thousand times the limit. */
  @Test
  void limitsConcurrentRequestsToOneService() throws Exception {
    var responses =
        Stream.generate(() -> http.get(uri(), LimitedHttp.Reuse.NONE, Text::new))
            .limit(AT_ONCE + 1)
            .toList();
    var sockets = new ArrayList<Socket>();
    for (int i = 0; i < AT_ONCE; i++) {
      sockets.add(server.accept());
    }
    server.setSoTimeout(200);
    assertThatThrownBy(server::accept)
        .as("one more while none has ended")
        .isInstanceOf(SocketTimeoutException.class);

    server.setSoTimeout(60_000);
    sockets.get(0).close();
    sockets.add(server.accept());
    for (var socket : sockets) {
      socket.close();
    }
    for (var response : responses) {
      assertThatThrownBy(() -> response.get(60, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class);
    }
  }

  @Test
  void closesConnectionOnEndlessHead() throws Exception {
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
