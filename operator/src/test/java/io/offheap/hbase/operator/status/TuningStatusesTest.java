package io.offheap.hbase.operator.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.TuningStatus;
import io.offheap.hbase.operator.plan.Tuned;
import io.offheap.hbase.operator.plan.TunedKey;
import io.offheap.hbase.operator.tune.TuningState;
import io.offheap.hbase.operator.tune.TuningState.Dismissed;
import io.offheap.hbase.operator.tune.TuningState.Event;
import io.offheap.hbase.operator.tune.TuningStep;
import io.offheap.hbase.operator.tune.TuningStep.Activity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TuningStatusesTest {
  private static final String ALERT =
      "{name: HBaseSlow, fingerprint: 0123456789abcdef, startsAt: '2025-11-01T02:00:00Z'}";

  private static final String DISMISSED =
      "{at: '2025-11-01T02:00:00Z', values: {SurvivorRatio: '1'},"
          + " planned: {SurvivorRatio: '2'}}";

  private static final String RULES =
      "[{rule: PoolTooSmall, withoutGain: 0, direction: 1, reversals: 0, dismissed: %s}]";

  private static final String KEPT =
      "[{rule: PoolTooSmall, withoutGain: 0, direction: 1, reversals: 0,"
          + " kept: {baseline: %s, before: []}}]";

  private static final String GROUP =
      """
      name: ''
      values: []
      restarts: []
      trials: 1
      history: %s
      rules: %s
      """;

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
    var event = readEvent(alert);

    assertThat(event.alert()).isEmpty();
    assertThat(event.rule()).isEqualTo("PoolTooSmall");
  }

  /** A piece that a writer of status left; the rest is read. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "trial: {rule: PoolTooSmall, values: {a: '1'}, before: [], baseline: {}}",
        "trial: {phase: Unheard, since: '2025-11-01T02:00:00Z', rule: R, values: {}, before: []}",
        "recommendation: {id: x}",
      })
  void pieceIsAbsent(String piece) {
    var state = read(GROUP.formatted("[]", RULES.formatted(DISMISSED)) + piece);

    assertThat(state.trial()).isEmpty();
    assertThat(state.recommendation()).isEmpty();
    assertThat(state.records()).hasSize(1);
  }

  /** It can get no verdict any more; those of other rules are kept. */
  @Test
  void valuesOfAnUnreadableTrialGo() {
    var values =
        "values: [{key: SurvivorRatio, value: '1', rule: PoolTooSmall},"
            + " {key: G1NewSizePercent, value: '2', rule: Other}]";
    var group =
        GROUP.replace("values: []", values).formatted("[]", "[]")
            + "trial: {rule: PoolTooSmall, values: {a: '1'}, before: []}";

    assertThat(read(group).tuned())
        .extracting(Tuned::key)
        .containsExactly(TunedKey.NEW_SIZE_PERCENT);
  }

  /** A hand, or another version, may have written any text. The next status is without them. */
  @Test
  void readsTunedValuesOfTheirSettingsAlone() {
    var values =
        """
        values:
          - {key: SurvivorRatio, value: many, rule: R}
          - {key: G1NewSizePercent, rule: R}
          - {value: '1', rule: R}
          - {key: UseZGC, value: 'true', rule: R}
          - {key: G1MixedGCCountTarget, value: '8'}
          - {key: hbase.server.allocator.max.buffer.count, value: '9999999999', rule: R}
          - {key: InitiatingHeapOccupancyPercent, value: '60', rule: R}
          - {key: InitiatingHeapOccupancyPercent, value: '70', rule: S}
        """;
    var event =
        "[{at: '2025-11-01T02:00:00Z', rule: R, event: Applied, reason: r, evidence: [],"
            + " values: {SurvivorRatio: many, G1NewSizePercent: '3'}}]";

    var state =
        read(GROUP.replace("values: []\n", values).formatted(event, RULES.formatted(DISMISSED)));

    assertThat(state.tuned()).containsExactly(new Tuned(TunedKey.IHOP, 60, "R"));
    assertThat(state.history().get(0).values()).isEqualTo(Map.of(TunedKey.NEW_SIZE_PERCENT, 3L));
    var step = new TuningStep(state, Activity.WATCHING, "", List.of(), List.of());
    assertThat(TuningStatuses.of("", step).values())
        .containsExactly(new TuningStatus.Value("InitiatingHeapOccupancyPercent", "60", "R"));
  }

  @Test
  void alertIsRead() {
    assertThat(readEvent(ALERT).alert().orElseThrow().name()).isEqualTo("HBaseSlow");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{at: yesterday, values: {a: '1'}, planned: {a: '2'}}",
        "{at: '2025-11-01T02:00:00Z', values: {a: '1'}}",
        "{}",
      })
  void dismissalThatNoneCanBeIsAbsent(String dismissed) {
    assertThat(readDismissed(dismissed)).isEmpty();
  }

  @Test
  void dismissalIsReadAndWritten() {
    var state = read(GROUP.formatted("[]", RULES.formatted(DISMISSED)));
    assertThat(state.records().get(0).dismissed().orElseThrow().isByUser()).isTrue();
    assertThat(state.records().get(0).dismissed().orElseThrow().planned())
        .isEqualTo(Map.of(TunedKey.SURVIVOR_RATIO, 2L));

    var step = new TuningStep(state, Activity.WATCHING, "", List.of(), List.of());
    assertThat(TuningStatuses.read(TuningStatuses.of("", step))).isEqualTo(state);
  }

  @Test
  void changeThatWasNotFeltIsReadAndWritten() {
    var unfelt = DISMISSED.replace("}}", "}, unfelt: true}");
    var state = read(GROUP.formatted("[]", RULES.formatted(unfelt)));
    assertThat(state.records().get(0).dismissed().orElseThrow().isByUser()).isFalse();

    var step = new TuningStep(state, Activity.WATCHING, "", List.of(), List.of());
    assertThat(TuningStatuses.read(TuningStatuses.of("", step))).isEqualTo(state);
  }

  /** A list that is left out stays as another client wrote it: it is applied, not replaced. */
  @Test
  void writesEmptyLists() {
    var group = Serialization.unmarshal("---\n{name: '', trials: 0}", TuningStatus.Group.class);

    assertThat(TuningStatuses.read(group)).isEqualTo(TuningState.EMPTY);
    assertThat(Serialization.asJson(group))
        .contains("\"values\":[]", "\"rules\":[]", "\"history\":[]", "\"restarts\":[]");
  }

  /** What a status has, is written as it was read, so that it is not written again and again. */
  @Test
  void baselineIsReadAndWrittenInIntegers() {
    var baseline =
        "{symptomPerMillion: 333333, peersPerMillion: 7, trafficBytesPerSecond: 62914560,"
            + " callP99Micros: 12500}";
    var state = read(GROUP.formatted("[]", KEPT.formatted(baseline)));

    assertThat(state.records().get(0).kept().orElseThrow().baseline().symptom()).hasValue(0.333333);
    assertThat(state.records().get(0).kept().orElseThrow().baseline().callP99Millis())
        .hasValue(12.5);
    assertThat(writtenBaseline(state))
        .isEqualTo(new TuningStatus.Baseline(333_333L, 7L, 62_914_560L, null, 12_500L));
  }

  /** The config map that outlives the resource has no schema that would drop them. */
  @Test
  void readsBaselineInFloatingPointNumbers() {
    var baseline = "{symptom: 0.3333333333333333, traffic: 62914560.7, pauses: 1}";
    var state = read(GROUP.formatted("[]", KEPT.formatted(baseline)));

    assertThat(writtenBaseline(state))
        .isEqualTo(new TuningStatus.Baseline(333_333L, null, 62_914_561L, 1_000_000L, null));
  }

  @Test
  void readsGroupThatWasOff() {
    var group =
        Serialization.unmarshal(
            "---\n{name: '', reason: 'Off', trials: 0}", TuningStatus.Group.class);

    assertThat(TuningStatuses.read(group)).isEqualTo(TuningState.EMPTY);
  }

  private static TuningStatus.Baseline writtenBaseline(TuningState state) {
    var step = new TuningStep(state, Activity.DISABLED, "", List.of(), List.of());
    var written = TuningStatuses.of("", step);
    assertThat(written.reason()).isEqualTo("Disabled");
    return written.rules().get(0).kept().baseline();
  }

  /** Another version, or another writer, may recommend what this one cannot tune. */
  @Test
  void readsRecommendedValuesOfTunedKeysAlone() {
    var group =
        Serialization.unmarshal(
            """
            name: ''
            trials: 0
            recommendation:
              {id: a, rule: PoolTooSmall, reason: r, evidence: [], since: '2025-11-01T02:00:00Z',
               values: {hbase.server.allocator.max.buffer.count: '2000', SurvivorRatio: many,
                        UseZGC: 'true'}}
            """,
            TuningStatus.Group.class);

    var proposal = TuningStatuses.read(group).recommendation().orElseThrow().proposal();

    assertThat(proposal.values()).containsExactly(Map.entry(TunedKey.BUFFER_COUNT, 2000L));
    assertThat(proposal.texts())
        .containsExactly(Map.entry("hbase.server.allocator.max.buffer.count", "2000"));
  }

  private static Optional<Dismissed> readDismissed(String dismissed) {
    return read(GROUP.formatted("[]", RULES.formatted(dismissed))).records().get(0).dismissed();
  }

  private static Event readEvent(String alert) {
    var history =
        """
        [{at: '2025-11-01T02:00:00Z', rule: PoolTooSmall, event: Applied, values: {}, reason: r,
          evidence: [], alert: %s}]
        """
            .formatted(alert)
            .replace("\n", "");
    return read(GROUP.formatted(history, "[]")).history().get(0);
  }

  private static TuningState read(String group) {
    return TuningStatuses.read(Serialization.unmarshal(group, TuningStatus.Group.class));
  }
}
