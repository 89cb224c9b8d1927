package io.offheap.hbase.operator.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.rollout.Rollout.Canary;
import io.offheap.hbase.operator.rollout.Rollout.MasterRestart;
import io.offheap.hbase.operator.rollout.RolloutNews.Event;
import io.offheap.hbase.operator.rollout.ServerRestart.Cancellation;
import io.offheap.hbase.operator.rollout.ServerRestart.Cause;
import io.offheap.hbase.operator.rollout.ServerRestart.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a process that starts takes from a stored rollout is what the one before has reported. */
class RolloutNewsTest {
  private static final ServerPod POD = Scene.outdated(3).pods.get("hb-rs-2");
  private static final Rollout BEGUN = Rollout.begin(at(0));
  private static final ServerRestart DRAIN =
      ServerRestart.begin(POD, Scene.rs(2), Cause.RESTART, Step.DRAIN, true, at(1));
  private static final MasterRestart MASTER =
      new MasterRestart("hb-master-0", "u", Optional.of(Scene.master(0)), at(1));

  @Test
  void lastTransitionsOfARestartAreThoseThatWereReported() {
    var drain = DRAIN.withServer(Scene.server("hb-rs-2", 2));
    var counted = drain.withRegions(List.of("a", "b"));
    var stop = counted.to(Step.STOP, at(2));
    var stopOfNext = stop.stopping("another", at(3));
    var start = stopOfNext.to(Step.START, at(4));

    assertReported(
        with(DRAIN),
        with(drain),
        with(counted),
        with(stop),
        with(stopOfNext),
        with(start),
        with(start.to(Step.RETURN, at(5))));
    assertReported(with(DRAIN), with(DRAIN.cancel(Cancellation.DRAIN_TIMED_OUT, at(2))));
    assertReported(with(DRAIN), with(DRAIN.cancel(Cancellation.NOT_WANTED, at(2))));
  }

  @Test
  void drainOfANewerProcessIsReported() {
    var newer = Scene.server("hb-rs-2", 2);
    var news = RolloutNews.of(Optional.of(with(DRAIN)), Optional.of(with(DRAIN.withServer(newer))));

    assertThat(news.events())
        .containsExactly(
            new Event(
                "Draining", false, "hb-rs-2 is drained: it must be restarted (" + newer + ")"));
  }

  @Test
  void stepsThatChangeNoEventAreNotReported() {
    var counted = DRAIN.withRegions(List.of("a"));

    assertThat(RolloutNews.of(Optional.of(with(DRAIN)), Optional.of(with(counted))).events())
        .isEmpty();
    assertThat(
            RolloutNews.of(
                    Optional.of(with(counted)),
                    Optional.of(with(counted.withEmptyAt(Optional.of(at(2))))))
                .events())
        .isEmpty();
  }

  /** Its time changes as it serves, is lost, or its pod is deleted, without an event of it. */
  @Test
  void lastTransitionsHaveNoComparison() {
    var found = Canary.found(POD, at(1));
    var serves = found.serves(POD, at(2));

    assertReported(
        with(found),
        with(serves),
        with(serves.replaced(at(3))),
        with(serves.lost(at(4))),
        with(serves.lost(at(4)).serves(POD, at(5))));
  }

  /** Its note would be another one, and its time the same. */
  @Test
  void lastTransitionsHaveNoCancelledRestartOfAMaster() {
    assertReported(with(MASTER), with(MASTER.cancel()));
    assertThat(RolloutNews.last(with(MASTER)))
        .containsEntry(
            new Event("RestartingMaster", false, "hb-master-0, the active one"), MASTER.since());
  }

  private static void assertReported(Rollout... stored) {
    var reported = new HashMap<Event, Instant>();
    var states = new ArrayList<Optional<Rollout>>(List.of(Optional.empty()));
    for (Rollout now : stored) {
      var before = states.get(states.size() - 1);
      states.add(Optional.of(now));
      RolloutNews.of(before, Optional.of(now))
          .events()
          .forEach(it -> reported.put(it, latest(now)));
      RolloutNews.last(now)
          .forEach(
              (event, at) -> {
                assertThat(reported).containsKey(event);
                assertThat(reported.get(event)).as(event.note()).isAfterOrEqualTo(at);
              });
    }
    assertThat(
            RolloutNews.of(states.get(states.size() - 1), states.get(states.size() - 1)).events())
        .isEmpty();
  }

  /** When a state was decided, which is before its events are recorded. */
  private static Instant latest(Rollout rollout) {
    var times = new ArrayList<>(List.of(rollout.started()));
    rollout.restarts().forEach(it -> times.add(it.since()));
    rollout.master().ifPresent(it -> times.add(it.since()));
    rollout.canary().ifPresent(it -> times.add(it.since()));
    return times.stream().max(Instant::compareTo).orElseThrow();
  }

  private static Rollout with(ServerRestart restart) {
    return BEGUN.withRestarts(List.of(restart));
  }

  private static Rollout with(MasterRestart restart) {
    return BEGUN.withMaster(Optional.of(restart));
  }

  private static Rollout with(Canary canary) {
    return BEGUN.withCanary(Optional.of(canary));
  }

  private static Instant at(int minute) {
    return Scene.START.plusSeconds(60L * minute);
  }
}
