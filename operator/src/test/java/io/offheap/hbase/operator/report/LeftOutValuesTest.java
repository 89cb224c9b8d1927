package io.offheap.hbase.operator.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.log.LogCapture;
import io.prometheus.client.CollectorRegistry;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reconciliations of a status with values that tuning does not write. */
class LeftOutValuesTest {
  private static final String GOOD =
      "{key: InitiatingHeapOccupancyPercent, value: '60', rule: MarkingTooEarlyOrLate}";
  private static final String MANY = "{key: G1NewSizePercent, value: 'so many', rule: R}";
  private static final String FEW = "{key: G1NewSizePercent, value: few, rule: R}";
  private static final String LINE =
      "WARN event=TunedValueLeftOut namespace=test cluster=demo group=\"\""
          + " setting=G1NewSizePercent value=";

  private final TuningReports reports =
      TuningReports.of(new Events(null, "test", Clock.systemUTC()), new CollectorRegistry());

  @Test
  void logsEachValueOnceUntilItChanges() {
    assertThat(logged(cluster("u", GOOD))).isEmpty();
    assertThat(logged(cluster("u", GOOD, MANY))).containsExactly(LINE + "\"so many\"");
    assertThat(logged(cluster("u", GOOD, MANY))).isEmpty();
    assertThat(logged(cluster("u", MANY, FEW))).containsExactly(LINE + "few");
    assertThat(logged(cluster("u", FEW))).isEmpty();
    assertThat(logged(cluster("u", MANY))).containsExactly(LINE + "\"so many\"");
  }

  @Test
  void logsValueThatCameBack() {
    assertThat(logged(cluster("u", FEW))).hasSize(1);
    assertThat(logged(cluster("u", GOOD))).isEmpty();
    assertThat(logged(cluster("u", FEW))).hasSize(1);
  }

  @Test
  void logsValueOfAnotherClusterOfThatName() {
    assertThat(logged(cluster("u", FEW))).hasSize(1);
    assertThat(logged(cluster("other", FEW))).hasSize(1);
    reports.forget(new ResourceID("demo", "test"));
    assertThat(logged(cluster("other", FEW))).hasSize(1);
  }

  private List<String> logged(HBaseCluster cluster) {
    try (var log = LogCapture.of(LeftOutValues.class)) {
      reports.logLeftOut(cluster);
      return log.lines();
    }
  }

  private static HBaseCluster cluster(String uid, String... values) {
    return Serialization.unmarshal(
        """
        apiVersion: hbase.offheap.io/v1alpha1
        kind: HBaseCluster
        metadata: {name: demo, namespace: test, uid: %s}
        status:
          tuning:
            groups:
            - {name: '', trials: 1, values: [%s]}
        """
            .formatted(uid, String.join(", ", values)),
        HBaseCluster.class);
  }
}
