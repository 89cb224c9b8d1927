package io.offheap.hbase.operator.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.rollout.PodState.Phase;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SeenPodsTest {
  private static final String MADE = "12:00";

  /** The clock of the node is behind that of the API server. */
  private static final String STARTED = MADE + " 11:50";

  private static final String DELETED = STARTED + " 12:05";

  private SeenPods seen = SeenPods.NONE;
  private long nanos = Long.MAX_VALUE - 1;

  @Test
  void stateLastsSinceItWasFirstSeen() {
    assertThat(lasted(pod(Phase.DOWN, MADE))).isZero();
    pass(60);
    assertThat(lasted(pod(Phase.LOADING, MADE))).as("of the same process").hasSeconds(60);
    pass(60);
    assertThat(lasted(pod(Phase.DOWN, MADE))).hasSeconds(120);
  }

  @Test
  void anotherTimeOfKubernetesIsAnotherState() {
    lasted(pod(Phase.DOWN, MADE));
    pass(60);
    assertThat(lasted(pod(Phase.DOWN, STARTED))).as("it starts again").isZero();
    pass(60);
    assertThat(lasted(pod(Phase.TERMINATING, DELETED))).as("deleted").isZero();
    pass(60);
    assertThat(lasted(pod(Phase.DOWN, MADE))).as("another pod of the name").isZero();
  }

  @Test
  void podThatWasDeletedIsSeenAnew() {
    lasted(pod(Phase.DOWN, MADE));
    pass(60);
    seen = seen.next(List.of(), nanos);
    assertThat(seen).isEqualTo(SeenPods.NONE);
    assertThat(lasted(pod(Phase.DOWN, MADE))).isZero();
  }

  @Test
  void gracePeriodComesFirst() {
    var pod =
        new PodState(
            "hb-zookeeper-0",
            0,
            false,
            Phase.TERMINATING,
            MADE,
            Duration.ofMinutes(-5),
            Optional.empty());
    lasted(pod);
    pass(120);
    assertThat(lasted(pod)).hasSeconds(-180);
  }

  private void pass(int seconds) {
    nanos += Duration.ofSeconds(seconds).toNanos();
  }

  private Duration lasted(PodState pod) {
    var roles = List.of(new RolePods("zookeeper", List.of(pod), 1, true));
    seen = seen.next(roles, nanos);
    return seen.timed(roles, nanos).get(0).pods().get(0).lasted();
  }

  private static PodState pod(Phase phase, String times) {
    return new PodState("hb-zookeeper-0", 0, true, phase, times, Duration.ZERO, Optional.empty());
  }
}
