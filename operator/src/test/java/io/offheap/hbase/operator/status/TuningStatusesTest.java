package io.offheap.hbase.operator.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.TuningStatus;
import io.offheap.hbase.operator.tune.TuningState.Event;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TuningStatusesTest {
  private static final String ALERT =
      "{name: HBaseSlow, fingerprint: 0123456789abcdef, startsAt: '2025-11-01T02:00:00Z'}";

  /** A writer of status must not be able to break tuning. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{name: 'no name!', fingerprint: 0123456789abcdef, startsAt: '2025-11-01T02:00:00Z'}",
        "{name: HBaseSlow, fingerprint: none, startsAt: '2025-11-01T02:00:00Z'}",
        "{name: HBaseSlow, fingerprint: 0123456789abcdef, startsAt: yesterday}",
        "{name: HBaseSlow, fingerprint: 0123456789abcdef}",
        "{}",
      })
  void ignoresInvalidAlert(String alert) {
    var event = read(alert);

    assertThat(event.alert()).isEmpty();
    assertThat(event.rule()).isEqualTo("PoolTooSmall");
  }

  @Test
  void alertIsRead() {
    assertThat(read(ALERT).alert().orElseThrow().name()).isEqualTo("HBaseSlow");
  }

  private static Event read(String alert) {
    var group =
        Serialization.unmarshal(
            """
            name: ''
            values: []
            rules: []
            restarts: []
            trials: 1
            history:
            - {at: '2025-11-01T02:00:00Z', rule: PoolTooSmall, event: Applied, values: {},
               reason: r, evidence: [], alert: %s}
            """
                .formatted(alert),
            TuningStatus.Group.class);
    return TuningStatuses.read(group).history().get(0);
  }
}
