package io.offheap.hbase.operator.webhook;

import static io.offheap.hbase.operator.webhook.RunningWebhook.alert;
import static io.offheap.hbase.operator.webhook.RunningWebhook.body;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offheap.hbase.operator.tune.AlertCause;
import io.offheap.hbase.operator.webhook.AlertBody.MalformedException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AlertBodyTest {
  @Test
  void readsClusterAndTimesOfAlert() throws Exception {
    var alerts =
        AlertBody.parse(body(alert(), alert(Map.of("status", "resolved"))).getBytes(UTF_8), 2);

    assertThat(alerts).hasSize(2);
    assertThat(alerts.get(0))
        .isEqualTo(
            new Alert(
                true,
                Optional.of(new ClusterName("prod", "orders")),
                new AlertCause(
                    "HBaseReservoirMisses",
                    "9f86d081884c7d65",
                    Instant.parse("2026-03-01T11:59:00Z")),
                Optional.empty()));
    assertThat(alerts.get(1).firing()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ""                                | unnamed
          "a b"                             | a_b
          "x\\nlevel=ERROR"                 | x_level_ERROR
          "\\u001b[31mred"                  | __31mred
          "\\u202egnp"                      | _gnp
          "{evil=\\"1\\"}"                  | _evil__1__
          "HBase:rule.name-1"               | HBase:rule.name-1
          """)
  void cleansNameOfAlert(String json, String name) throws Exception {
    var body = body(alert()).replace("\"HBaseReservoirMisses\",\"namespace", json + ",\"namespace");

    assertThat(nameOf(body)).isEqualTo(name);
  }

  @Test
  void limitsNameOfAlertAndAcceptsNone() throws Exception {
    var named = body(alert());
    assertThat(nameOf(named.replace("HBaseReservoirMisses", "x".repeat(100_000))))
        .isEqualTo("x".repeat(64));
    assertThat(nameOf(named.replace("alertname", "name"))).isEqualTo("unnamed");
  }

  private static String nameOf(String body) throws Exception {
    return AlertBody.parse(body.getBytes(UTF_8), 1).get(0).cause().name();
  }

  @Test
  void acceptsBodyWithoutAlerts() throws Exception {
    assertThat(AlertBody.parse(body().getBytes(UTF_8), 2)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "version":"4"          | "version":"3"          | version is "3"; must be "4"
          "version":"4"          | "version":4            | version is 4; must be "4"
          "version":"4",         | ``                     | version is missing; must be "4"
          "alerts":[{            | "alerts":[7,{          | alerts[0] is 7; must be a JSON object
          "alerts":[{            | "alerts":[null,{       | alerts[0] is null; must be a JSON object
          "receiver":"hbase","status":"firing" | "status":"" | status is ""; must be firing or resolved
          {"status":"firing"     | {"status":true         | alerts[0].status is true; must be firing or resolved
          "namespace":"prod"     | "namespace":["prod"]   | a label in alerts[0].labels is an array; must be a text
          "pod":"orders-regionserver-0" | "pod":{}        | a label in alerts[0].labels is an object; must be a text
          "9f86d081884c7d65"     | 11                     | alerts[0].fingerprint is 11; must be 16 hexadecimal digits
          "9f86d081884c7d65"     | "9F86D081884C7D65"     | alerts[0].fingerprint is "9F86D081884C7D65"; must be 16 hexadecimal digits
          "2026-03-01T11:59:00Z" | 1772366340             | alerts[0].startsAt is 1772366340; must be a time such as 2026-01-31T12:00:00Z
          "2026-03-01T11:59:00Z" | "2026-03-01 11:59"     | alerts[0].startsAt is "2026-03-01 11:59"; must be a time such as 2026-01-31T12:00:00Z
          "2026-03-01T11:59:00Z" | "2026-02-30T11:59:00Z" | alerts[0].startsAt is "2026-02-30T11:59:00Z"; must be a time such as 2026-01-31T12:00:00Z
          "0001-01-01T00:00:00Z" | null                   | alerts[0].endsAt is null; must be a time such as 2026-01-31T12:00:00Z
          """)
  void errorHasFieldValueAndRequirement(String right, String wrong, String message) {
    var body = body(alert());
    assertThat(body).contains(right);

    assertThatThrownBy(() -> parse(body.replace(right, wrong)))
        .isInstanceOf(MalformedException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "{}{}",
        "{} x",
        "nonsense",
        "{\"version\":\"4\",\"version\":\"4\"}",
        "{\"version\":NaN}",
        "<alerts/>",
        "\u0000"
      })
  void errorDoesNotQuoteInvalidJson(String body) {
    assertThatThrownBy(() -> parse(body))
        .isInstanceOf(MalformedException.class)
        .hasMessageStartingWith("the body is no JSON, or has a name twice, at line 1 column ")
        .hasMessageEndingWith("must be one JSON object in UTF-8");
  }

  @Test
  void refusesDeeplyNestedBody() {
    assertThatThrownBy(() -> parse("{\"alerts\":" + "[".repeat(1_000_000)))
        .isInstanceOf(MalformedException.class);
    assertThatThrownBy(() -> parse("{\"a\":".repeat(150_000)))
        .isInstanceOf(MalformedException.class);
    assertThatThrownBy(() -> parse("{\"version\":" + "9".repeat(1_000_000) + "}"))
        .isInstanceOf(MalformedException.class);
  }

  /** A log takes line ends for its own, and a terminal takes escapes for orders. */
  @Test
  void errorShowsValueShortAndInPrintableAscii() {
    var evil = "\\n2026 ERROR \\u001b[31m \\u202e \\\" \\u0085 ${jndi:x} é" + "z".repeat(100_000);

    assertThatThrownBy(() -> parse(body(alert(Map.of("startsAt", evil)))))
        .isInstanceOf(MalformedException.class)
        .message()
        .contains("\"\\u000a2026 ERROR \\u001b[31m \\u202e \\u0022 \\u0085 ${jndi:x} \\u00e9zzz")
        .matches("[ -~]{1,300}");
  }

  /** Whatever the bytes are, they are alerts or a mistake that is named. */
  @Test
  void refusesOrAcceptsAnyDamagedBody() throws Exception {
    var random = new Random(1);
    var body = body(alert()).getBytes(UTF_8);
    int mistakes = 0;
    for (int i = 0; i < 5_000; i++) {
      var damaged = body.clone();
      for (int j = 0; j <= i % 3; j++) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      try {
        AlertBody.parse(damaged, 10);
      } catch (MalformedException e) {
        mistakes++;
        assertThat(e.getMessage()).matches("[ -~]{1,300}").contains("; must be ");
      }
    }
    assertThat(mistakes).isPositive();
  }

  private static void parse(String body) throws Exception {
    AlertBody.parse(body.getBytes(UTF_8), 10);
  }
}
