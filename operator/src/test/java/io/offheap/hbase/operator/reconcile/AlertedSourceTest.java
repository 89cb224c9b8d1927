package io.offheap.hbase.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.TestClock;
import io.offheap.hbase.operator.tune.AlertCause;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The alert that woke a pass, as the pass sees it. */
class AlertedSourceTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final ResourceID ID = new ResourceID("hb", "ns");
  private static final AlertCause ALERT = AlertCause.of("HBaseX", "9f86d081884c7d65", START);

  private final TestClock clock = TestClock.at(START);
  private final List<Event> woken = new ArrayList<>();
  private final AlertedSource source = new AlertedSource(clock);

  private void start() {
    source.setEventHandler(woken::add);
    source.start();
  }

  @Test
  void alertIsTheCauseForLongerThanPeriod() {
    assertThat(AlertedSource.CAUSE).isGreaterThan(TuningPass.LONGEST_PERIOD);
    start();
    source.wake(ID, ALERT);

    assertThat(woken).extracting(Event::getRelatedCustomResourceID).containsExactly(ID);
    clock.advance(AlertedSource.CAUSE.minusMillis(1));
    assertThat(source.cause(ID)).contains(ALERT);
    assertThat(source.cause(new ResourceID("hb", "other"))).isEmpty();
    clock.advance(AlertedSource.CAUSE);
    assertThat(source.cause(ID)).isEmpty();
  }

  @Test
  void latestAlertCounts() {
    start();
    var other = AlertCause.of("HBaseY", "9f86d081884c7d65", START);
    source.wake(ID, ALERT);
    source.wake(ID, other);

    assertThat(source.cause(ID)).contains(other);
  }

  @Test
  void deletedClusterLeavesNothingToItsSuccessor() {
    start();
    source.wake(ID, ALERT);
    source.forget(ID);

    assertThat(source.cause(ID)).isEmpty();
  }

  @Test
  void nothingIsKeptBeforeTheStart() {
    source.wake(ID, ALERT);

    assertThat(source.cause(ID)).isEmpty();
  }
}
