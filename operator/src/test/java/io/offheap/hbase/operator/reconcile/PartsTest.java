package io.offheap.hbase.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A part of a pass that fails. */
class PartsTest {
  private final Parts parts = new Parts();

  @Test
  void othersAreDoneAndWhatFailedFirstIsReported() {
    var done = new ArrayList<String>();
    var refused = new IllegalStateException("quota");
    var unknown = new IllegalStateException("unknown name");

    parts.run(
        () -> {
          throw refused;
        });
    parts.run(() -> done.add("turn"));
    var tuning =
        parts.<String>get(
            () -> {
              throw unknown;
            },
            () -> "as before");

    assertThat(done).containsExactly("turn");
    assertThat(tuning).isEqualTo("as before");
    assertThat(parts.failure()).containsSame(refused);
    assertThat(refused.getSuppressed()).containsExactly(unknown);
  }

  @Test
  void nothingIsReportedWhereNothingFails() {
    assertThat(parts.get(() -> List.of("late"), List::<String>of)).containsExactly("late");
    assertThat(parts.failure()).isEmpty();
  }
}
