package io.offheap.hbase.operator.webhook;

import static io.offheap.hbase.operator.webhook.AlertWebhook.REMEMBERED;
import static io.offheap.hbase.operator.webhook.AlertWebhook.REPEATED_WITHIN;
import static io.offheap.hbase.operator.webhook.RunningWebhook.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.TestClock;
import io.offheap.hbase.operator.tune.AlertCause;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AlertWebhookTest {
  private static final ClusterName ORDERS = new ClusterName("prod", "orders");

  private final TestClock clock = TestClock.at(NOW);
  private final List<ClusterName> trigger = new ArrayList<>();
  private final List<String> causes = new ArrayList<>();
  private final AlertWebhook webhook =
      new AlertWebhook(RunningWebhook.clusters(), clock, this::trigger);

  /** As Alertmanager sends it again for as long as it fires. */
  @Test
  void firingAlertTriggersReconciliationAgainLater() {
    assertThat(receive(alert(1))).isEqualTo(Verdict.TRIGGERED);
    clock.advance(REPEATED_WITHIN.minusMillis(1));
    assertThat(receive(alert(1))).isEqualTo(Verdict.REPEATED);
    clock.advance(Duration.ofMillis(1));
    assertThat(receive(alert(1))).isEqualTo(Verdict.TRIGGERED);
    clock.advance(Duration.ofMinutes(1));
    assertThat(receive(alert(1))).isEqualTo(Verdict.REPEATED);

    assertThat(trigger).containsExactly(ORDERS, ORDERS);
  }

  @Test
  void alertWithNewStartIsAnotherAlert() {
    receive(alert(1));

    assertThat(receive(alert(1, NOW.minusSeconds(5)))).isEqualTo(Verdict.TRIGGERED);
  }

  /** A sender with known fingerprints cannot silence another cluster's alerts. */
  @Test
  void sameFingerprintOfAnotherClusterIsAnotherAlert() {
    receive(alert(1));
    var other =
        new Alert(
            true,
            Optional.of(new ClusterName("prod", "events")),
            alert(1).cause(),
            Optional.empty());

    assertThat(receive(other)).isEqualTo(Verdict.TRIGGERED);
  }

  @Test
  void limitsStoredAlerts() {
    var many = IntStream.rangeClosed(0, REMEMBERED).mapToObj(AlertWebhookTest::alert).toList();
    webhook.receive(many);

    assertThat(trigger).as("one body").containsExactly(ORDERS);
    assertThat(receive(alert(REMEMBERED))).as("the last one").isEqualTo(Verdict.REPEATED);
    assertThat(receive(alert(1))).as("the oldest that is remembered").isEqualTo(Verdict.REPEATED);
    assertThat(receive(alert(0))).as("the one that is forgotten").isEqualTo(Verdict.TRIGGERED);
  }

  @Test
  void clockSetBackDoesNotSuppressAlertForLonger() {
    receive(alert(1));
    clock.advance(Duration.ofHours(-1));

    // Begins an hour ahead of this clock; and what was seen counts from when it was seen.
    assertThat(receive(alert(1))).isEqualTo(Verdict.FUTURE);
    clock.advance(Duration.ofHours(1).plus(REPEATED_WITHIN));
    assertThat(receive(alert(1))).isEqualTo(Verdict.TRIGGERED);
  }

  /** A repeated or a resolved alert is no cause. */
  @Test
  void firstNewAlertOfBodyIsCause() {
    receive(alert(1));
    webhook.receive(List.of(alert(1), alert(2), alert(3)));

    assertThat(causes).containsExactly("HBaseAlert1", "HBaseAlert2");
  }

  private void trigger(ClusterName cluster, AlertCause cause) {
    trigger.add(cluster);
    causes.add(cause.name());
  }

  private Verdict receive(Alert alert) {
    return webhook.receive(List.of(alert)).get(0);
  }

  private static Alert alert(int number) {
    return alert(number, NOW.minusSeconds(60));
  }

  private static Alert alert(int number, Instant startsAt) {
    return new Alert(
        true,
        Optional.of(ORDERS),
        AlertCause.of("HBaseAlert" + number, String.format("%016x", number), startsAt),
        Optional.empty());
  }
}
