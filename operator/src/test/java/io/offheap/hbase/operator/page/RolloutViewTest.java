package io.offheap.hbase.operator.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.page.RolloutView.Phase;
import org.junit.jupiter.api.Test;

class RolloutViewTest {
  private static HBaseClusterStatus status(String yaml) {
    return Serialization.unmarshal(yaml, HBaseClusterStatus.class);
  }

  @Test
  void serverThatIsRestartedAgainIsNotDone() {
    var view =
        RolloutView.of(
            status(
                """
                regionServers:
                  - {pod: a, state: Outdated}
                  - {pod: b, state: Outdated}
                  - {pod: c, state: Serving}
                rollout:
                  servers: [{pod: a, step: Drain}]
                  finished:
                    - {pod: b, outcome: Restarted, regions: 1, drainMillis: 1000, stopMillis: 1000, startMillis: 1000, returnMillis: 1000}
                    - {pod: a, outcome: DrainTimedOut, regions: 1, drainMillis: 1000, stopMillis: 0, startMillis: 0, returnMillis: 1000}
                    - {pod: c, outcome: Restarted, regions: 1, drainMillis: 1000, stopMillis: 1000, startMillis: 1000, returnMillis: 1000}
                """));

    assertThat(view.lines()).extracting(RolloutView.Line::pod).containsExactly("c", "a", "b");
    assertThat(view.lines())
        .extracting(RolloutView.Line::phase)
        .containsExactly(Phase.done, Phase.now, Phase.next);
    assertThat(view.done()).isEqualTo(1);
    assertThat(view.total()).isEqualTo(3);
  }

  @Test
  void statusWithoutRolloutHasNone() {
    assertThat(RolloutView.of(status("conditions: []"))).isNull();
    assertThat(RolloutView.last(status("conditions: []"))).isNull();
  }

  @Test
  void incompleteRolloutIsShown() {
    var view = RolloutView.of(status("rollout: {canary: {}, servers: [{}]}"));

    assertThat(view.lines()).hasSize(1);
    assertThat(view.done()).isZero();
  }
}
