package io.offheap.hbase.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.TestClock;
import io.offheap.hbase.operator.hbase.ClusterControl;
import io.offheap.hbase.operator.hbase.HBaseAccess;
import io.offheap.hbase.operator.rollout.HBaseCommand;
import io.offheap.hbase.operator.rollout.HBaseView;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ObservedHBaseTest {
  private static final ResourceID ID = new ResourceID("hb", "ns");

  /** Reads a view, and ends a command, at each request. */
  private record Busy(Clock clock) implements ClusterControl {
    @Override
    public Optional<HBaseView> view(ResourceID id) {
      return Optional.of(
          new HBaseView(
              clock.instant(),
              clock.instant(),
              Optional.empty(),
              Set.of(),
              List.of(),
              Set.of(),
              Set.of(),
              Set.of(),
              true,
              true,
              Map.of()));
    }

    @Override
    public void send(ResourceID id, List<HBaseCommand> commands) {
      throw new AssertionError("no command is expected");
    }

    @Override
    public Map<HBaseCommand, String> refusals(ResourceID id) {
      return Map.of(new HBaseCommand.SwitchBalancer(true), "busy");
    }

    @Override
    public Set<HBaseCommand> denied(ResourceID id) {
      return Set.of();
    }

    @Override
    public Optional<Instant> settledAt(ResourceID id) {
      return Optional.of(clock.instant());
    }
  }

  @Test
  void nothingIsLaterThanThePass() {
    var clock = TestClock.ticking();
    var access =
        new HBaseAccess(
            List.of(),
            new Busy(clock),
            id -> {
              clock.instant();
              return List.of();
            },
            id -> List.of(),
            id -> {},
            (id, wanted) -> Map.of(),
            id -> List.of());

    var observed = ObservedHBase.of(access, ID, clock);

    assertThat(observed.view().orElseThrow().requestedAt()).isBefore(observed.now());
    assertThat(observed.settledAt().orElseThrow()).isBefore(observed.now());
    assertThat(observed.refused()).containsExactly(new HBaseCommand.SwitchBalancer(true));
  }
}
