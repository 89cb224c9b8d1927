package io.offheap.hbase.operator.tune;

import static io.offheap.hbase.operator.tune.Group.figures;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What counts as a window of readings. */
class TuningInputTest {
  /** A server of which the readings at both ends came, and little or nothing in between. */
  @ParameterizedTest
  @CsvSource({"2, false", "4, false", "6, true", "46, true"})
  void serverThatWasSilentForLongDoesNotCount(int readings, boolean counts) {
    var evidence = Group.talk().server(Collections.nCopies(readings, figures())).evidence();
    var input =
        new TuningInput(
            new TuningSettings(
                TuningMode.AUTO, Group.WINDOW, Group.WARM_UP, Duration.ofHours(1), 4, Set.of()),
            TuningState.EMPTY,
            Optional.of(evidence),
            new TuningInput.Rollout.Complete(),
            Optional.empty(),
            Optional.empty(),
            Group.START.plus(Duration.ofHours(1)).plus(Group.WINDOW));

    assertThat(input.newestWindow().orElseThrow().servers()).hasSize(counts ? 1 : 0);
  }
}
