package io.offheap.hbase.operator.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.rollout.HBaseCommand.Recommission;
import io.offheap.hbase.operator.rollout.HBaseCommand.SwitchBalancer;
import io.offheap.hbase.operator.rollout.HBaseCommand.SwitchNormalizer;
import io.offheap.hbase.operator.rollout.HBaseView.Server;
import io.offheap.hbase.operator.rollout.Rollout.Switches;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What HBase gets back of a rollout where no rollout may run. */
class RestorationTest {
  private static final Instant SINCE = Instant.parse("2025-11-01T02:00:00Z");
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final String OLD = "hb-rs-2.hb,16020,1";
  private static final String NEW = "hb-rs-2.hb,16020,2";
  private static final String OF_OTHERS = "hb-rs-1.hb,16020,1";
  private static final Optional<Switches> ON_AND_OFF = Optional.of(new Switches(true, false));

  private Optional<HBaseView> view = Optional.empty();
  private Optional<Instant> settledAt = Optional.of(Instant.EPOCH);
  private Set<String> keptDraining = Set.of();

  @Test
  void recommissionsServersOfRolloutAndSetsSwitches() {
    observe(MINUTE, Set.of(OLD, OF_OTHERS), false, true);

    assertThat(next(MINUTE, ON_AND_OFF))
        .isEqualTo(
            new Restoration(
                List.of(
                    new Recommission(OLD), new SwitchBalancer(true), new SwitchNormalizer(false)),
                false));
  }

  @Test
  void leavesSwitchesThatRolloutHasNotSet() {
    observe(MINUTE, Set.of(OF_OTHERS), false, true);

    assertThat(next(MINUTE, Optional.empty())).isEqualTo(new Restoration(List.of(), true));
  }

  @Test
  void isOverWhenHBaseHasEverythingBack() {
    observe(MINUTE, Set.of(OF_OTHERS), true, false);

    assertThat(next(MINUTE, ON_AND_OFF)).isEqualTo(new Restoration(List.of(), true));
  }

  /** An operator that has just ended may have sent one. */
  @Test
  void isNotOverWhileEarlierCommandMayTakeEffect() {
    observe(Duration.ofSeconds(19), Set.of(), true, false);

    assertThat(next(Duration.ofSeconds(19), ON_AND_OFF))
        .isEqualTo(new Restoration(List.of(), false));
  }

  @Test
  void isNotOverWhileCommandIsUnderWay() {
    observe(MINUTE, Set.of(), true, false);
    settledAt = Optional.empty();

    assertThat(next(MINUTE, ON_AND_OFF)).isEqualTo(new Restoration(List.of(), false));
  }

  @Test
  void doesNothingByOldView() {
    observe(MINUTE, Set.of(OLD), false, true);

    assertThat(next(MINUTE.plusSeconds(16), ON_AND_OFF))
        .isEqualTo(new Restoration(List.of(), false));
  }

  @Test
  void doesNothingByViewWithOldParts() {
    observe(MINUTE, Set.of(OLD), false, true);
    view = view.map(it -> HBaseViewBuilder.builder(it).serversAt(SINCE.plusSeconds(76)).build());

    assertThat(next(MINUTE.plusSeconds(16), ON_AND_OFF))
        .isEqualTo(new Restoration(List.of(), false));
  }

  @Test
  void doesNothingWithoutView() {
    assertThat(next(MINUTE, ON_AND_OFF)).isEqualTo(new Restoration(List.of(), false));
  }

  /** HBase may refuse that for ever. */
  @Test
  void leavesEndedProcessAfterTenMinutes() {
    var late = Duration.ofMinutes(11);
    settledAt = Optional.of(SINCE.plus(late).minusSeconds(5));
    var ofSmallerCluster = "hb-rs-9.hb,16020,1";
    keptDraining = Set.of(OLD, NEW, ofSmallerCluster);
    observe(late, Set.of(OLD), true, false);

    assertThat(next(late, ON_AND_OFF)).isEqualTo(new Restoration(List.of(), true));

    observe(late, Set.of(ofSmallerCluster), true, false);
    assertThat(next(late, ON_AND_OFF, ofSmallerCluster))
        .as("of a pod that does not exist any more")
        .isEqualTo(new Restoration(List.of(), true));

    observe(late, Set.of(NEW), true, false);
    assertThat(next(late, ON_AND_OFF, NEW).commands())
        .as("of a process that runs")
        .containsExactly(new Recommission(NEW));
  }

  /** The command may have been lost in an outage. */
  @Test
  void recommissionsEndedProcessUntilHBaseResponds() {
    var late = Duration.ofMinutes(11);
    settledAt = Optional.of(SINCE.plus(late).minusSeconds(5));
    observe(late, Set.of(OLD), true, false);

    assertThat(next(late, ON_AND_OFF).commands()).containsExactly(new Recommission(OLD));
  }

  private void observe(Duration after, Set<String> draining, boolean balancer, boolean normalizer) {
    view =
        Optional.of(
            new HBaseView(
                SINCE.plus(after),
                SINCE.plus(after),
                Optional.of("hb-master-0.hb,16000,1"),
                Set.of(),
                List.of(new Server(OF_OTHERS, 3), new Server(NEW, 0)),
                Set.of(),
                Set.of(),
                draining,
                balancer,
                normalizer,
                Map.of()));
  }

  private Restoration next(Duration after, Optional<Switches> before) {
    return next(after, before, OLD);
  }

  private Restoration next(Duration after, Optional<Switches> before, String server) {
    return Restoration.next(
        SINCE.plus(after), SINCE, view, settledAt, keptDraining, before, List.of(server));
  }
}
