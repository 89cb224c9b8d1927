package io.offheap.hbase.operator.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.offheap.hbase.operator.Slow;
import io.offheap.hbase.operator.log.LogCapture;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A source whose server sends responses that cannot be parsed is polled again and again. */
class FailingPollTest {
  /** No GET is late on a busy machine, since that would be a failure of another kind. */
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  private final AtomicInteger responses = new AtomicInteger();
  private volatile String response = "{\"properties\": [";

  @Test
  @Slow
  void failureIsLoggedOnceUntilItEnds() throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/conf",
        exchange -> {
          try (exchange) {
            var body = response.getBytes(UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            responses.incrementAndGet();
          }
        });
    server.start();
    var address = "127.0.0.1:" + server.getAddress().getPort();
    try (var log = LogCapture.of(PollFailures.class);
        var clusters = new ControlledClusters(1, Duration.ofSeconds(1))) {
      var source =
          new OnlineRevisionSource(
              clusters.context(), cluster -> Map.of("demo-0", address), DEADLINE);
      var reconciliations = new CopyOnWriteArrayList<Event>();
      source.setEventHandler(reconciliations::add);
      source.start();
      var id = clusters.add("demo", List.of());
      source.onResourceCreated(clusters.resource(id));
      source.inForce(id, List.of(new OnlineRevisions.Wanted("demo-0", "u", "r")));

      await("some rounds")
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                source.pollSoon(id);
                return responses.get() >= 4;
              });
      assertThat(of("online-revisions", log))
          .singleElement()
          .asString()
          .startsWith("WARN event=PollFailing namespace=test cluster=demo source=online-revisions")
          .contains("kind=RefusedResponseException host=" + address + " cause=\"" + address)
          .contains("Unexpected end-of-input");
      assertThat(source.problems(id))
          .singleElement()
          .asString()
          .startsWith(address + " sent no valid JSON within the limits");
      assertThat(reconciliations).as("a reconciliation that reports it").isNotEmpty();

      response = "{\"properties\": []}";
      await("that it is over")
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                source.pollSoon(id);
                return of("online-revisions", log).size() > 1;
              });
      assertThat(of("online-revisions", log))
          .hasSize(2)
          .last()
          .asString()
          .startsWith(
              "INFO event=PollRecovered namespace=test cluster=demo source=online-revisions");
      assertThat(source.problems(id)).isEmpty();
      source.stop();
    } finally {
      server.stop(0);
    }
  }

  private static List<String> of(String source, LogCapture log) {
    return log.lines().stream().filter(it -> it.contains("source=" + source)).toList();
  }
}
