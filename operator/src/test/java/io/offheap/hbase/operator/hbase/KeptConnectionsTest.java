package io.offheap.hbase.operator.hbase;

import static io.offheap.hbase.operator.Waits.LONG;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.offheap.hbase.operator.Slow;
import io.offheap.hbase.operator.hbase.LimitedHttp.Reuse;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections that are kept between two requests, to servers that may be hostile or replaced. */
class KeptConnectionsTest {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final Duration FIRST_BYTE = Duration.ofSeconds(50);
  private static final Duration SHORT = Duration.ofMillis(500);
  private static final int MAX_BYTES = 1_000;
  private static final int MOST = 3;

  private final AtomicInteger open = new AtomicInteger();
  private final List<NumberedServer> servers = new ArrayList<>();
  private KeptConnections kept;
  private LimitedHttp http;

  KeptConnectionsTest() {
    use(Duration.ofMinutes(1), Duration.ofMinutes(1), FIRST_BYTE);
  }

  private void use(Duration idle, Duration age, Duration firstByte) {
    kept = new KeptConnections(new KeptConnections.Bounds(MOST, idle, age, firstByte));
    http = new LimitedHttp(DEADLINE, MAX_BYTES, 16, kept);
  }

  @AfterEach
  void close() throws IOException {
    for (var server : servers) {
      server.close();
    }
    await().alias("parsers are closed").atMost(LONG).until(() -> open.get() == 0);
  }

  private NumberedServer serve(NumberedServer.Script script) throws IOException {
    var server = new NumberedServer(script);
    servers.add(server);
    return server;
  }

  /** Counts parsers that are not closed. */
  private final class Text implements BodyReader<String> {
    private final StringBuilder text = new StringBuilder();

    Text() {
      open.incrementAndGet();
    }

    @Override
    public void read(byte[] more) {
      text.append(new String(more, US_ASCII));
    }

    @Override
    public String end() {
      return text.toString();
    }

    @Override
    public void close() {
      open.decrementAndGet();
    }
  }

  private CompletableFuture<String> begin(NumberedServer server) {
    return http.get(
        URI.create("http://127.0.0.1:" + server.port() + "/jmx"), Reuse.PERMITTED, Text::new);
  }

  private String get(NumberedServer server) throws InterruptedException, ExecutionException {
    return begin(server).get();
  }

  @Test
  void usesConnectionAgain() throws Exception {
    var server = serve(request -> request.send(OK));

    for (int i = 0; i < 3; i++) {
      assertThat(get(server)).isEqualTo("ok");
    }

    assertThat(server.requests()).containsExactly("1.1", "1.2", "1.3");
    assertThat(kept.size()).isOne();
  }

  @Test
  void usesOwnConnectionWhereReuseIsNotPermitted() throws Exception {
    var server = serve(request -> request.send(OK));
    get(server);

    var uri = URI.create("http://127.0.0.1:" + server.port() + "/jmx");
    assertThat(http.get(uri, Reuse.NONE, Text::new).get()).isEqualTo("ok");

    assertThat(server.requests()).containsExactly("1.1", "2.1");
    server.awaitClosed(2);
    assertThat(kept.size()).isOne();
  }

  /** The pod was replaced, or HBase's server closes what was idle for 30 s. */
  @Test
  void connectsAgainAfterServerHasClosed() throws Exception {
    var server =
        serve(
            request -> {
              request.send(OK);
              request.close();
            });
    assertThat(get(server)).isEqualTo("ok");
    await().atMost(LONG).until(() -> kept.size() == 0);

    assertThat(get(server)).isEqualTo("ok");
    assertThat(server.requests()).containsExactly("1.1", "2.1");
  }

  @Test
  void requestsAgainIfServerClosesInsteadOfResponding() throws Exception {
    var server =
        serve(
            request -> {
              if (request.is("1.2")) {
                request.close();
              } else {
                request.send(OK);
              }
            });
    get(server);

    assertThat(get(server)).isEqualTo("ok");
    assertThat(get(server)).isEqualTo("ok");
    assertThat(server.requests()).containsExactly("1.1", "1.2", "2.1", "2.2");
  }

  /** The node has failed: no packet says that the connection has ended. */
  @Test
  @Slow
  void requestsAgainIfKeptConnectionIsSilent() throws Exception {
    use(Duration.ofMinutes(1), Duration.ofMinutes(1), Duration.ofSeconds(2));
    var server =
        serve(
            request -> {
              if (!request.is("1.2")) {
                request.send(OK);
              }
            });
    get(server);

    assertThat(get(server)).isEqualTo("ok");
    assertThat(server.requests()).containsExactly("1.1", "1.2", "2.1");
    server.awaitClosed(1);
  }

  @Test
  void requestsAtMostTwice() throws Exception {
    var server =
        serve(
            request -> {
              if (request.is("1.1")) {
                request.send(OK);
              } else {
                request.close();
              }
            });
    get(server);

    assertThatThrownBy(() -> get(server)).cause().isInstanceOf(EOFException.class);
    assertThat(server.requests()).containsExactly("1.1", "1.2", "2.1");
    assertThat(kept.size()).isZero();
  }

  @Test
  @Slow
  void refusesIncompleteResponseOnKeptConnectionAtDeadline() throws Exception {
    use(Duration.ofMinutes(1), Duration.ofMinutes(1), Duration.ofSeconds(2));
    http = new LimitedHttp(Duration.ofSeconds(3), MAX_BYTES, 16, kept);
    var server = serve(request -> request.send(request.is("1.2") ? "HTTP/1.1 200" : OK));
    get(server);

    assertThatThrownBy(() -> get(server))
        .cause()
        .isInstanceOf(RefusedResponseException.class)
        .hasMessageContaining("sent 12 bytes, an incomplete response, in 3 s");
    assertThat(server.requests()).containsExactly("1.1", "1.2");
    server.awaitClosed(1);
  }

  @Test
  void failsIfConnectionEndsWithinResponse() throws Exception {
    var server =
        serve(
            request -> {
              request.send(request.is("1.2") ? "HTTP/1.1 200" : OK);
              if (request.is("1.2")) {
                request.close();
              }
            });
    get(server);

    assertThatThrownBy(() -> get(server)).cause().isInstanceOf(EOFException.class);
    assertThat(server.requests()).containsExactly("1.1", "1.2");
  }

  @Test
  void closesConnectionOnBytesBetweenRequests() throws Exception {
    var more = new CountDownLatch(1);
    var server =
        serve(
            request -> {
              request.send(OK);
              more.await();
              request.send(OK);
            });
    assertThat(get(server)).isEqualTo("ok");
    assertThat(kept.size()).isOne();

    more.countDown();
    server.awaitClosed(1);
    assertThat(kept.size()).isZero();
  }

  /** Also where it is no whole response, whose part would be kept in memory. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        OK + "HTTP/1.1 200 OK\r\n",
        "HTTP/1.1 200 OK\r\na:\r\na:\r\n",
        "HTTP/1.1 200 OK\r\na:\r\n\r\n",
        "HT",
        "\r\n"
      })
  void closesConnectionOnMoreThanResponse(String more) throws Exception {
    var server = serve(request -> request.send(OK + more));

    assertThat(get(server)).isEqualTo("ok");
    assertThat(get(server)).isEqualTo("ok");

    server.awaitClosed(1);
    server.awaitClosed(2);
    assertThat(server.requests()).containsExactly("1.1", "2.1");
    assertThat(kept.size()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 500 Error\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n",
        "no HTTP\r\n\r\n"
      })
  void closesConnectionAfter(String response) throws Exception {
    var server = serve(request -> request.send(response));

    begin(server).handle((body, failure) -> failure).get();

    server.awaitClosed(1);
    assertThat(kept.size()).isZero();
  }

  /** Otherwise each request to a slow server would be sent twice. */
  @Test
  @Slow
  void closesConnectionAfterSlowResponse() throws Exception {
    use(Duration.ofMinutes(1), Duration.ofMinutes(1), SHORT);
    var server =
        serve(
            request -> {
              TimeUnit.MILLISECONDS.sleep(SHORT.toMillis() + 100);
              request.send(OK);
            });

    assertThat(get(server)).isEqualTo("ok");
    assertThat(get(server)).isEqualTo("ok");
    assertThat(server.requests()).containsExactly("1.1", "2.1");
    assertThat(kept.size()).isZero();
  }

  @Test
  void closesIdleConnection() throws Exception {
    use(Duration.ofMillis(100), Duration.ofMinutes(1), FIRST_BYTE);
    var server = serve(request -> request.send(OK));
    get(server);

    server.awaitClosed(1);
    assertThat(kept.size()).isZero();
    assertThat(get(server)).isEqualTo("ok");
  }

  @Test
  void looksHostUpAgainAfterAge() throws Exception {
    use(Duration.ofMinutes(1), Duration.ZERO, FIRST_BYTE);
    var server = serve(request -> request.send(OK));
    get(server);

    assertThat(get(server)).isEqualTo("ok");
    assertThat(server.requests()).containsExactly("1.1", "2.1");
    server.awaitClosed(1);
  }

  @Test
  void keepsOneConnectionToServerAndLimitedNumberInAll() throws Exception {
    var all = new CountDownLatch(2);
    var first =
        serve(
            request -> {
              all.countDown();
              all.await();
              request.send(OK);
            });
    var two = IntStream.range(0, 2).mapToObj(it -> begin(first)).toList();
    for (var response : two) {
      assertThat(response.get()).isEqualTo("ok");
    }
    assertThat(kept.size()).isOne();

    for (int i = 0; i < MOST; i++) {
      get(serve(request -> request.send(OK)));
    }
    assertThat(kept.size()).isEqualTo(MOST);
    servers.get(MOST).awaitClosed(1);
    assertThat(get(servers.get(MOST))).isEqualTo("ok");
  }

  /** The older one may lead to a process that has another in its place. */
  @Test
  void keepsTheYoungerOfTwo() throws Exception {
    var isSecondOpen = new CountDownLatch(1);
    var isSecondKept = new CountDownLatch(1);
    var server =
        serve(
            request -> {
              if (request.is("1.1")) {
                isSecondOpen.await();
              } else if (request.is("2.1")) {
                isSecondOpen.countDown();
                isSecondKept.await();
              }
              request.send(OK);
            });
    var first = begin(server);
    await().atMost(LONG).until(() -> server.requests().contains("1.1"));
    var second = begin(server);
    assertThat(first.get()).isEqualTo("ok");
    assertThat(kept.size()).isOne();
    isSecondKept.countDown();
    assertThat(second.get()).isEqualTo("ok");

    server.awaitClosed(1);
    assertThat(kept.size()).isOne();
    assertThat(get(server)).isEqualTo("ok");
    assertThat(server.requests()).containsExactly("1.1", "2.1", "2.2");
  }

  @Test
  void failsIfNothingListens() throws Exception {
    var server = serve(request -> {});
    server.close();

    assertThatThrownBy(() -> get(server)).cause().isInstanceOf(ConnectException.class);
  }
}
