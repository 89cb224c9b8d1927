package io.offheap.hbase.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.rollout.Rollout;
import io.offheap.hbase.operator.rollout.Rollout.Switches;
import io.offheap.hbase.operator.rollout.Turn;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What outlives a resource of what it had taken from HBase. */
class RolloutCopyTest {
  private static final Instant NOW = Instant.parse("2025-11-01T02:00:00Z");
  private static final String WRITTEN =
      """
      {"cluster": "first", "balancer": true, "normalizer": false,
       "servers": {"hb-regionserver-2": "hb-regionserver-2.svc,16020,1"}, "later": 1}
      """;

  @Test
  void anotherResourceGivesBackWhatTheFirstHadTaken() {
    var left = RolloutCopy.on(set(WRITTEN)).flatMap(it -> it.leftBehindFor(cluster("second"), NOW));

    assertThat(left.flatMap(Rollout::before)).contains(new Switches(true, false));
    assertThat(left.get().turns())
        .extracting(Turn::server)
        .containsExactly("hb-regionserver-2.svc,16020,1");
    assertThat(RolloutCopy.of(cluster("second"), left))
        .as("what it writes itself")
        .contains(
            new RolloutCopy(
                "second",
                true,
                false,
                Map.of("hb-regionserver-2", "hb-regionserver-2.svc,16020,1")));
  }

  @Test
  void theSameResourceGoesByItsStatus() {
    assertThat(RolloutCopy.on(set(WRITTEN)).flatMap(it -> it.leftBehindFor(cluster("first"), NOW)))
        .isEmpty();
  }

  @Test
  void aTextThatIsNoneIsNone() {
    assertThat(RolloutCopy.on(set("yes"))).isEmpty();
    assertThat(RolloutCopy.on(set("{\"servers\": 3}"))).isEmpty();
    assertThat(RolloutCopy.on(set("null"))).isEmpty();
    assertThat(RolloutCopy.on(set("{}")).flatMap(it -> it.leftBehindFor(cluster("second"), NOW)))
        .isEmpty();
  }

  @Test
  void whereHBaseIsAsOthersLeftItThereIsNone() {
    assertThat(RolloutCopy.of(cluster("first"), Optional.empty())).isEmpty();
    assertThat(
            RolloutCopy.of(
                cluster("first"), Optional.of(Rollout.leftBehind(Optional.empty(), Map.of(), NOW))))
        .isEmpty();
  }

  private static StatefulSet set(String annotation) {
    return new StatefulSetBuilder()
        .withNewMetadata()
        .addToAnnotations(Labels.ROLLOUT, annotation)
        .endMetadata()
        .build();
  }

  private static HBaseCluster cluster(String uid) {
    var cluster = new HBaseCluster();
    cluster.getMetadata().setUid(uid);
    return cluster;
  }
}
