package io.offheap.hbase.operator.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offheap.hbase.operator.tune.TuningState.Event;
import io.offheap.hbase.operator.tune.TuningState.EventKind;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AlertCauseTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final String FINGERPRINT = "9f86d081884c7d65";
  private static final AlertCause ALERT = AlertCause.of("HBaseX", FINGERPRINT, NOW);

  /** A user can edit the status. */
  @ParameterizedTest
  @CsvSource({"a b, 9f86d081884c7d65", "'', 9f86d081884c7d65", "HBaseX, 9f86", "HBaseX, ''"})
  void refusesPartsThatAreNotPlain(String name, String fingerprint) {
    assertThatThrownBy(() -> new AlertCause(name, fingerprint, NOW))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void marksOnlyChangesAppliedNow() {
    var before = event(EventKind.APPLIED, NOW.minusSeconds(1));
    var kept = event(EventKind.KEPT, NOW);
    var applied = event(EventKind.APPLIED, NOW);
    var step =
        new TuningStep(
            remembering(before, kept, applied),
            TuningStep.Activity.APPLYING,
            "is applied",
            List.of(),
            List.of());

    var marked = step.after(ALERT, NOW).next();

    assertThat(marked.history())
        .extracting(Event::alert)
        .containsExactly(Optional.empty(), Optional.empty(), Optional.of(ALERT));
    assertThat(marked.history().get(2).text()).isEqualTo(applied.text());
    assertThat(ALERT).hasToString("HBaseX (9f86d081884c7d65, since 2026-01-01T00:00:00Z)");
  }

  private static Event event(EventKind kind, Instant at) {
    return new Event(at, "PoolTooSmall", kind, Map.of(), "text", List.of(), Optional.empty());
  }

  private static TuningState remembering(Event... history) {
    var empty = TuningState.EMPTY;
    return new TuningState(
        empty.tuned(),
        empty.trial(),
        empty.recommendation(),
        empty.records(),
        List.of(history),
        empty.restarts(),
        empty.lastChange(),
        empty.trials());
  }
}
