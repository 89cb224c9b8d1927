package io.offheap.hbase.operator.webhook;

import static io.offheap.hbase.operator.webhook.RunningWebhook.NOW;
import static io.offheap.hbase.operator.webhook.RunningWebhook.PER_MINUTE;
import static io.offheap.hbase.operator.webhook.RunningWebhook.TOKEN;
import static io.offheap.hbase.operator.webhook.RunningWebhook.alert;
import static io.offheap.hbase.operator.webhook.RunningWebhook.body;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offheap.hbase.operator.Slow;
import io.offheap.hbase.operator.tune.AlertCause;
import io.prometheus.client.Collector.MetricFamilySamples;
import io.prometheus.client.exporter.common.TextFormat;
import java.io.IOException;
import java.io.StringWriter;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an alert does that comes over HTTP; mostly nothing. */
class AlertServerTest {
  private static final ClusterName ORDERS = new ClusterName("prod", "orders");

  @TempDir Path folder;
  private RunningWebhook webhook;

  @BeforeEach
  void start() throws IOException {
    webhook = new RunningWebhook(folder, Optional.empty(), RunningWebhook.AMPLE);
  }

  @AfterEach
  void stop() {
    webhook.close();
  }

  @Test
  void alertTriggersReconciliation() {
    var response = webhook.post(body(alert()));

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
    assertThat(response.body()).isEqualTo("{\"triggered\":1}\n");
    assertThat(webhook.trigger).containsExactly(ORDERS);
    assertThat(webhook.causes)
        .containsExactly(
            new AlertCause("HBaseReservoirMisses", "9f86d081884c7d65", NOW.minusSeconds(60)));
    assertThat(webhook.verdicts(Verdict.TRIGGERED)).isEqualTo(1);
    assertThat(webhook.requests(AlertOutcome.ACCEPTED)).isEqualTo(1);
  }

  @Test
  void alertsOfOneBodyTriggerOneReconciliation() {
    var response =
        webhook.post(
            body(
                alert(Map.of("fingerprint", "0000000000000001")),
                alert(Map.of("fingerprint", "0000000000000002")),
                alert(Map.of("cluster", "events")),
                alert(Map.of("status", "resolved"))));

    assertThat(response.body()).isEqualTo("{\"resolved\":1,\"triggered\":3}\n");
    assertThat(webhook.trigger).containsExactly(ORDERS, new ClusterName("prod", "events"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Bearer",
        "Bearer ",
        "Bearer a-token-for-the-test",
        "Bearer a-token-for-the-tests2",
        "Bearer A-TOKEN-FOR-THE-TESTS",
        "Basic YS10b2tlbi1mb3ItdGhlLXRlc3Rz",
        "a-token-for-the-tests"
      })
  void forgedAlertChangesNothing(String authorization) {
    var response =
        webhook.send(
            webhook
                .request()
                .setHeader("Authorization", authorization)
                .POST(BodyPublishers.ofString(body(alert()))));

    assertThat(response.statusCode()).isEqualTo(401);
    assertThat(response.headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
    assertNothingChanged();
    assertThat(webhook.requests(AlertOutcome.UNAUTHENTICATED)).isEqualTo(1);
  }

  @Test
  @Slow
  void unauthenticatedRequestsDoNotCountAgainstTheRate() {
    for (int i = 0; i < 3 * PER_MINUTE; i++) {
      webhook.send(
          webhook
              .request()
              .setHeader("Authorization", "Bearer not-the-right-one")
              .POST(BodyPublishers.ofString(body(alert()))));
    }
    assertNothingChanged();

    assertThat(webhook.post(body(alert())).statusCode()).isEqualTo(200);
    assertThat(webhook.trigger).containsExactly(ORDERS);
  }

  @Test
  void repeatedAlertChangesNothing() {
    webhook.post(body(alert()));

    var response = webhook.post(body(alert(), alert()));

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo("{\"repeated\":2}\n");
    assertThat(webhook.trigger).hasSize(1);
    assertThat(webhook.verdicts(Verdict.REPEATED)).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({
    "startsAt,  2026-02-28T11:59:59Z,      stale",
    "endsAt,    2026-03-01T11:54:59Z,      stale",
    "startsAt,  2026-03-01T12:05:01Z,      future",
    "startsAt,  9999-12-31T23:59:59Z,      future",
    "status,    resolved,                  resolved",
    "cluster,   nowhere,                   unknown_cluster",
    "namespace, default,                   unwatched_namespace",
    "namespace, kube-system,               unwatched_namespace",
    "cluster,   ../orders,                 no_cluster",
    "cluster,   orders.prod,               no_cluster",
    "cluster,   ORDERS,                    no_cluster",
    "namespace, '',                        no_cluster"
  })
  void alertWithoutReasonChangesNothing(String field, String value, String verdict) {
    var response = webhook.post(body(alert(Map.of(field, value))));

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo("{\"" + verdict + "\":1}\n");
    assertThat(webhook.trigger).isEmpty();
    assertThat(webhook.verdicts(Verdict.TRIGGERED)).isZero();
  }

  /** So the cases above are refused for their content. */
  @ParameterizedTest
  @CsvSource({
    "startsAt,  2026-02-28T12:00:00Z",
    "startsAt,  2026-03-01T12:04:59.999999999Z",
    "startsAt,  2026-03-01T13:00:00+01:00",
    "endsAt,    2026-03-01T11:55:01Z",
    "endsAt,    2026-03-01T12:10:00Z",
    "cluster,   events"
  })
  void alertJustWithinLimitsTriggersReconciliation(String field, String value) {
    assertThat(webhook.post(body(alert(Map.of(field, value)))).body())
        .isEqualTo("{\"triggered\":1}\n");
  }

  @Test
  @Slow
  void refusesRequestsOverTheRateUntilTheMinuteIsOver() {
    for (int i = 0; i < PER_MINUTE; i++) {
      assertThat(webhook.post(body(alert())).statusCode()).isEqualTo(200);
    }

    var another = body(alert(Map.of("cluster", "events")));
    var response = webhook.post(another);
    assertThat(response.statusCode()).isEqualTo(429);
    assertThat(response.headers().firstValue("Retry-After")).hasValue("3");
    assertThat(webhook.trigger).containsExactly(ORDERS);
    assertThat(webhook.requests(AlertOutcome.FLOODED)).isEqualTo(1);

    webhook.clock.advance(Duration.ofSeconds(3));
    assertThat(webhook.post(another).statusCode()).isEqualTo(200);
    assertThat(webhook.post(another).statusCode()).isEqualTo(429);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "nonsense", "{\"version\":\"4\"}", "{\"version\":\"3\"}"})
  void malformedBodyChangesNothing(String body) {
    var response = webhook.post(body);

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body()).contains("; must be ");
    assertNothingChanged();
    assertThat(webhook.requests(AlertOutcome.MALFORMED)).isEqualTo(1);
  }

  @Test
  void refusesBodyWithOneMalformedAlert() {
    var response = webhook.post(body(alert(), alert(Map.of("startsAt", "yesterday"))));

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body())
        .isEqualTo(
            "alerts[1].startsAt is \"yesterday\"; must be a time such as 2026-01-31T12:00:00Z\n");
    assertNothingChanged();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100_000, 900_000})
  void tooLargeBodyChangesNothing(int over) {
    var large = body(alert()) + " ".repeat(AlertHandler.LARGEST_BODY + over);

    var response = webhook.post(large);

    assertThat(response.statusCode()).isEqualTo(413);
    assertNothingChanged();
    assertThat(webhook.requests(AlertOutcome.TOO_LARGE)).isEqualTo(1);
  }

  /** The length is not announced, so the bytes themselves have to be counted. */
  @Test
  void stopsReadingEndlessChunkedBody() throws IOException {
    try (var socket =
        webhook.begin(
            RunningWebhook.head("Transfer-Encoding: chunked\r\nContent-Type: application/json"))) {
      var part = "100000\r\n" + " ".repeat(1 << 20) + "\r\n";
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 64; i++) {
                  socket.getOutputStream().write(part.getBytes(US_ASCII));
                }
              })
          .as("the webhook hangs up")
          .isInstanceOf(SocketException.class);
    }
    assertNothingChanged();
    assertThat(webhook.requests(AlertOutcome.TOO_LARGE)).isEqualTo(1);
  }

  @Test
  void acceptsLargestBody() {
    var alert = body(alert());

    var response = webhook.post(alert + " ".repeat(AlertHandler.LARGEST_BODY - alert.length()));

    assertThat(response.statusCode()).isEqualTo(200);
  }

  @Test
  void tooManyAlertsChangeNothing() {
    var alerts =
        IntStream.rangeClosed(0, AlertHandler.MOST_ALERTS).mapToObj(it -> alert()).toList();

    assertThat(webhook.post(body(alerts.toArray(String[]::new))).statusCode()).isEqualTo(413);
    assertNothingChanged();

    var fewer = alerts.subList(1, alerts.size()).toArray(String[]::new);
    assertThat(webhook.post(body(fewer)).body()).isEqualTo("{\"repeated\":499,\"triggered\":1}\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain", "application/jsonx", "application/x-www-form-urlencoded"})
  void anythingButJsonChangesNothing(String type) {
    var response =
        webhook.send(
            webhook
                .request()
                .setHeader("Content-Type", type)
                .POST(BodyPublishers.ofString(body(alert()))));

    assertThat(response.statusCode()).isEqualTo(415);
    assertNothingChanged();
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD", "PUT", "DELETE"})
  void anythingButPostChangesNothing(String method) {
    var response =
        webhook.send(webhook.request().method(method, BodyPublishers.ofString(body(alert()))));

    assertThat(response.statusCode()).isEqualTo(405);
    assertThat(response.headers().firstValue("Allow")).hasValue("POST");
    assertNothingChanged();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/api/v1/alerts/", "/api/v1/alerts/x", "/metrics", "/healthz"})
  void respondsNotFoundOnOtherPaths(String path) {
    var request = webhook.request().POST(BodyPublishers.ofString(body(alert())));
    var uri = URI.create("http://localhost:" + webhook.port() + path);

    assertThat(webhook.send(request.uri(uri)).statusCode()).isEqualTo(404);
    assertNothingChanged();
  }

  @Test
  void standbyReplicaRespondsWith503() {
    webhook.acting = false;

    var response = webhook.post(body(alert()));

    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(response.headers().firstValue("Connection")).hasValue("close");
    assertNothingChanged();

    webhook.acting = true;
    assertThat(webhook.post(body(alert())).body()).isEqualTo("{\"triggered\":1}\n");
  }

  @Test
  void alertMayBeSentAgainAfterFailure() {
    webhook.failing = true;
    assertThat(webhook.post(body(alert())).statusCode()).isEqualTo(500);

    webhook.failing = false;
    assertThat(webhook.post(body(alert())).body()).isEqualTo("{\"triggered\":1}\n");
    assertThat(webhook.trigger).containsExactly(ORDERS);
  }

  @Test
  void usesCurrentTokensOfSecret() throws IOException {
    Files.writeString(webhook.tokenFile, TOKEN + "\nanother-token-of-theirs\n");
    assertThat(withToken(TOKEN)).isEqualTo(200);
    assertThat(withToken("another-token-of-theirs")).isEqualTo(200);

    Files.writeString(webhook.tokenFile, "another-token-of-theirs\n");
    assertThat(withToken(TOKEN)).isEqualTo(401);
    assertThat(withToken("another-token-of-theirs")).isEqualTo(200);
  }

  @Test
  void refusesRequestsWhileThereIsNoToken() throws IOException {
    Files.writeString(webhook.tokenFile, "\n\n");
    assertThat(withToken("")).isEqualTo(500);
    assertThat(withToken(TOKEN)).isEqualTo(500);

    Files.delete(webhook.tokenFile);
    assertThat(withToken(TOKEN)).isEqualTo(500);
    assertNothingChanged();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "short", "a-token-for-the-tests\nshort\n"})
  void refusesShortTokenAtStart(String text) throws IOException {
    var file = Files.writeString(folder.resolve("guessed"), text);

    assertThatThrownBy(() -> new BearerTokens(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("guessed")
        .hasMessageContaining("; must have one token a line");
  }

  /** Text of a sender adds no series and appears in no label. */
  @Test
  void senderTextNeverReachesMetrics() throws IOException {
    int before = series();
    var evil = "x\\\"} 1\\nevil";
    webhook.post(body(alert(Map.of("cluster", evil))));
    webhook.post(body(alert(Map.of("namespace", "evil"))));
    webhook.post(body(alert(Map.of("cluster", "evil"))));
    webhook.post(body(alert()).replace("HBaseReservoirMisses", "evil"));
    webhook.post(body(alert(Map.of("status", "evil"))));
    webhook.send(
        webhook
            .request()
            .uri(URI.create("http://localhost:" + webhook.port() + "/evil?evil=evil"))
            .header("evil", "evil")
            .method("EVIL", BodyPublishers.noBody()));

    assertThat(series()).isEqualTo(before);
    var text = new StringWriter();
    TextFormat.write004(text, webhook.registry.metricFamilySamples());
    assertThat(text.toString()).contains("hbase_offheap_alerts_total").doesNotContain("evil");
  }

  private int series() {
    return Collections.list(webhook.registry.metricFamilySamples()).stream()
        .mapToInt(
            (MetricFamilySamples family) ->
                (int) family.samples.stream().filter(it -> !it.name.endsWith("_created")).count())
        .sum();
  }

  private int withToken(String token) {
    return webhook
        .send(
            webhook
                .request()
                .setHeader("Authorization", "Bearer " + token)
                .POST(BodyPublishers.ofString(body(alert()))))
        .statusCode();
  }

  private void assertNothingChanged() {
    assertThat(webhook.trigger).isEmpty();
    assertThat(List.of(Verdict.values()))
        .allSatisfy(it -> assertThat(webhook.verdicts(it)).isZero());
    assertThat(webhook.requests(AlertOutcome.ACCEPTED)).isZero();
    assertThat(webhook.clock.instant()).isEqualTo(NOW);
  }
}
