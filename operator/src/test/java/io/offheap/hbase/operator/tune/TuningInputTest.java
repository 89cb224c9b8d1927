package io.offheap.hbase.operator.tune;

import static io.offheap.hbase.operator.tune.Group.metrics;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which readings make a window. */
class TuningInputTest {
  /** A server with readings at both ends, and few or none between them. */
  @ParameterizedTest
  @CsvSource({"2, false", "4, false", "6, true", "46, true"})
  void excludesServerWithLongGap(int readings, boolean counts) {
    var evidence = Group.talk().server(Collections.nCopies(readings, metrics())).evidence();
    var input =
        new TuningInput(
            new TuningSettings(
                TuningMode.AUTO, Group.WINDOW, Group.WARM_UP, Duration.ofHours(1), 4, Set.of()),
            TuningState.EMPTY,
            Optional.of(evidence),
            new TuningInput.Rollout.Complete(),
            Optional.empty(),
            Optional.empty(),
            Group.START,
            Group.START.plus(Duration.ofHours(1)).plus(Group.WINDOW));

    assertThat(input.newestWindow().orElseThrow().servers()).hasSize(counts ? 1 : 0);
  }
}
