package io.offheap.hbase.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A part of a pass that fails. */
class IsolatedStepsTest {
  private final IsolatedSteps isolated = new IsolatedSteps();

  @Test
  void othersAreDoneAndWhatFailedFirstIsReported() {
    var done = new ArrayList<String>();
    var refused = new IllegalStateException("quota");
    var unknown = new IllegalStateException("unknown name");

    isolated.run(
        () -> {
          throw refused;
        });
    isolated.run(() -> done.add("turn"));
    var tuning =
        isolated.<String>get(
            () -> {
              throw unknown;
            },
            () -> "as before");

    assertThat(done).containsExactly("turn");
    assertThat(tuning).isEqualTo("as before");
    assertThat(isolated.failure()).containsSame(refused);
    assertThat(refused.getSuppressed()).containsExactly(unknown);
  }

  @Test
  void nothingIsReportedWhereNothingFails() {
    assertThat(isolated.get(() -> List.of("late"), List::<String>of)).containsExactly("late");
    assertThat(isolated.failure()).isEmpty();
  }
}
