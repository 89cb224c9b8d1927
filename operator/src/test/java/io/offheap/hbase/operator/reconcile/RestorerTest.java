package io.offheap.hbase.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.TestClock;
import io.offheap.hbase.operator.hbase.ClusterControl;
import io.offheap.hbase.operator.observe.ObservationTimes;
import io.offheap.hbase.operator.rollout.HBaseCommand;
import io.offheap.hbase.operator.rollout.HBaseView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Restorations in passes that apply nothing. */
class RestorerTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final ResourceID ID = new ResourceID("hb", "ns");
  private static final String POD = "hb-regionserver-2";
  private static final String SERVER = POD + ".hb,16020,1";
  private static final RolloutCopy COPY =
      new RolloutCopy(List.of(), true, false, Map.of(POD, SERVER));

  private final TestClock clock = TestClock.at(START);
  private final AtomicLong nanos = new AtomicLong();
  private final ObservationTimes times = new ObservationTimes(clock, nanos::get, it -> true);
  private final HBase hbase = new HBase();
  private final Restorer restorer = new Restorer(times, clock);

  @Test
  void restoresUntilHBaseHasEverythingBack() {
    hbase.draining = Set.of(SERVER);
    assertThat(restorer.restore(ID, COPY, hbase)).isFalse();
    assertThat(hbase.sent)
        .containsExactly(
            new HBaseCommand.Recommission(SERVER), new HBaseCommand.SwitchBalancer(true));

    hbase.draining = Set.of();
    hbase.isBalancerOn = true;
    pass(Duration.ofSeconds(30));
    assertThat(restorer.restore(ID, COPY, hbase)).isTrue();
    assertThat(hbase.sent).as("commands of both passes").hasSize(2);
  }

  /** A rollout's deadlines begin after the passes that did not continue it. */
  @Test
  void itsPassesAreNoTimeInWhichRolloutWasWatched() {
    times.watched(ID, START);
    for (int i = 0; i < 10; i++) {
      pass(Duration.ofSeconds(30));
      restorer.restore(ID, COPY, hbase);
    }

    assertThat(times.watched(ID, clock.instant())).isEqualTo(clock.instant());
  }

  @Test
  void isOpenUntilHBaseHasEverythingBackOrSpecIsApplied() {
    assertThat(restorer.isOpen(ID)).isFalse();
    restorer.open(ID);
    restorer.restore(ID, COPY, hbase);
    assertThat(restorer.isOpen(ID)).isTrue();
    hbase.isBalancerOn = true;
    pass(Duration.ofSeconds(30));
    restorer.restore(ID, COPY, hbase);
    assertThat(restorer.isOpen(ID)).isFalse();

    restorer.open(ID);
    restorer.forget(ID);
    assertThat(restorer.isOpen(ID)).isFalse();
  }

  @Test
  void endsUntilSpecIsAppliedAgain() {
    hbase.isBalancerOn = true;
    restorer.restore(ID, COPY, hbase);
    assertThat(restorer.hasEnded(ID, COPY)).as("others' commands may follow").isFalse();

    pass(Duration.ofSeconds(30));
    restorer.restore(ID, COPY, hbase);
    assertThat(restorer.hasEnded(ID, COPY)).isTrue();
    assertThat(restorer.hasEnded(ID, new RolloutCopy(List.of(), true, false, Map.of())))
        .as("another copy")
        .isFalse();

    restorer.forget(ID);
    assertThat(restorer.hasEnded(ID, COPY)).isFalse();
  }

  private void pass(Duration later) {
    clock.advance(later);
    nanos.addAndGet(later.toNanos());
  }

  /** A view of each moment, and the commands that were sent. */
  private final class HBase implements ClusterControl {
    private final List<HBaseCommand> sent = new ArrayList<>();
    private Set<String> draining = Set.of();
    private boolean isBalancerOn;

    @Override
    public Optional<HBaseView> view(ResourceID id) {
      return Optional.of(
          new HBaseView(
              clock.instant(),
              clock.instant(),
              Optional.of("hb-master-0.hb,16000,1"),
              Set.of(),
              List.of(new HBaseView.Server(SERVER, 3)),
              Set.of(),
              Set.of(),
              draining,
              isBalancerOn,
              false,
              Map.of()));
    }

    @Override
    public void send(ResourceID id, List<HBaseCommand> commands) {
      sent.addAll(commands);
    }

    @Override
    public Map<HBaseCommand, String> refusals(ResourceID id) {
      return Map.of();
    }

    @Override
    public Set<HBaseCommand> denied(ResourceID id) {
      return Set.of();
    }

    @Override
    public Optional<Instant> settledAt(ResourceID id) {
      return Optional.of(Instant.EPOCH);
    }
  }
}
