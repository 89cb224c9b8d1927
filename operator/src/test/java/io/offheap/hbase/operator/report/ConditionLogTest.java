package io.offheap.hbase.operator.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.log.LogCapture;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConditionLogTest {
  private static final String OF_DEMO = "event=ConditionChanged namespace=shop cluster=demo ";

  private final HBaseCluster cluster = new HBaseCluster();

  ConditionLogTest() {
    cluster.setMetadata(
        new ObjectMetaBuilder().withNamespace("shop").withName("demo").withUid("u").build());
  }

  @Test
  void refusalIsOneLineWithItsReasons() {
    assertThat(lines(condition("Planned", "False", "PlanRefused", "heap: is 1\noffHeap: is 2")))
        .containsExactly(
            "WARN "
                + OF_DEMO
                + "type=Planned status=False reason=PlanRefused was=\"\""
                + " message=\"heap: is 1\\noffHeap: is 2\"");
    assertThat(lines(condition("Planned", "False", "PlanRefused", "heap: is 1\noffHeap: is 2")))
        .isEmpty();
    assertThat(lines(condition("Planned", "False", "PlanRefused", "heap: is 3"))).hasSize(1);
    assertThat(lines(condition("Planned", "True", "Planned", "ok")))
        .containsExactly(
            "INFO "
                + OF_DEMO
                + "type=Planned status=True reason=Planned was=False/PlanRefused message=ok");
  }

  @Test
  void anotherMessageAloneIsNoTransition() {
    assertThat(lines(condition("Progressing", "True", "Starting", "0/3"))).hasSize(1);
    assertThat(lines(condition("Progressing", "True", "Starting", "1/3"))).isEmpty();
    assertThat(lines(condition("Progressing", "True", "Failing", "forbidden")))
        .singleElement()
        .asString()
        .startsWith("WARN " + OF_DEMO)
        .endsWith("reason=Failing was=True/Starting message=forbidden");
  }

  @Test
  void conditionThatIsNoMoreIsALine() {
    lines(condition("RolledBack", "True", "ChangeRolledBack", "worse"));

    assertThat(lines(condition("Ready", "True", "AllServing", "every pod serves")))
        .containsExactly(
            "INFO "
                + OF_DEMO
                + "type=Ready status=True reason=AllServing was=\"\" message=\"every pod serves\"",
            "INFO " + OF_DEMO + "type=RolledBack status=\"\" was=True/ChangeRolledBack");
  }

  /** Rollout steps, verdicts, rollbacks and changes of tuning are all events. */
  @Test
  void eventIsALineEvenWhereNoApiServerTakesIt() {
    var nowhere =
        new ConfigBuilder()
            .withMasterUrl("http://127.0.0.1:1")
            .withRequestRetryBackoffLimit(0)
            .build();
    try (var log = LogCapture.of(Events.class);
        var client = new KubernetesClientBuilder().withConfig(nowhere).build()) {
      var events = new Events(client, "test", Clock.systemUTC());
      events.normal(cluster, "Draining", "demo-regionserver-0 is drained");
      events.warning(cluster, "ChangeRolledBack", "Worse: heap share 20 %");

      assertThat(log.lines())
          .contains(
              "INFO event=Draining namespace=shop cluster=demo"
                  + " note=\"demo-regionserver-0 is drained\"",
              "WARN event=ChangeRolledBack namespace=shop cluster=demo"
                  + " note=\"Worse: heap share 20 %\"");
    }
  }

  private List<String> lines(Condition condition) {
    var next = HBaseClusterStatus.empty().withConditions(List.of(condition));
    try (var log = LogCapture.of(ConditionLog.class)) {
      ConditionLog.changes(cluster, next);
      cluster.setStatus(next);
      return log.lines();
    }
  }

  private static Condition condition(String type, String status, String reason, String message) {
    return new ConditionBuilder()
        .withType(type)
        .withStatus(status)
        .withReason(reason)
        .withMessage(message)
        .build();
  }
}
