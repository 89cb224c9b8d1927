package io.offheap.hbase.operator.status;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.TuningStatus;
import io.offheap.hbase.operator.api.TuningStatus.Entry;
import io.offheap.hbase.operator.api.TuningStatusGroupBuilder;
import io.offheap.hbase.operator.plan.TunedKey;
import io.offheap.hbase.operator.tune.AlertCause;
import io.offheap.hbase.operator.tune.Baseline;
import io.offheap.hbase.operator.tune.RuleResult.Proposal;
import io.offheap.hbase.operator.tune.TuningState;
import io.offheap.hbase.operator.tune.TuningState.Dismissed;
import io.offheap.hbase.operator.tune.TuningState.Event;
import io.offheap.hbase.operator.tune.TuningState.EventKind;
import io.offheap.hbase.operator.tune.TuningState.Kept;
import io.offheap.hbase.operator.tune.TuningState.Phase;
import io.offheap.hbase.operator.tune.TuningState.Recommendation;
import io.offheap.hbase.operator.tune.TuningState.RuleRecord;
import io.offheap.hbase.operator.tune.TuningState.Stop;
import io.offheap.hbase.operator.tune.TuningState.Trial;
import io.offheap.hbase.operator.tune.TuningStep;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Converts the state of tuning of a group to status and back. */
public final class TuningStatuses {
  private static final double MILLION = 1e6;
  private static final double MICROS = 1e3;

  private TuningStatuses() {}

  /** All groups' steps; null for none. */
  public static TuningStatus of(Map<String, TuningStep> steps) {
    return steps.isEmpty()
        ? null
        : new TuningStatus(
            steps.entrySet().stream().map(it -> of(it.getKey(), it.getValue())).toList());
  }

  /** The state of tuning of each group, by its name; of one that is there twice, the first. */
  public static Map<String, TuningState> states(HBaseCluster cluster) {
    return TunedValues.groups(cluster)
        .filter(it -> it.name() != null)
        .collect(
            Collectors.toMap(
                TuningStatus.Group::name, TuningStatuses::read, (first, second) -> first));
  }

  public static TuningStatus.Group of(String group, TuningStep step) {
    var state = step.next();
    return TuningStatusGroupBuilder.builder()
        .name(group)
        .reason(step.activity().text())
        .message(step.message())
        .suspected(
            step.suspicions().isEmpty()
                ? null
                : step.suspicions().stream()
                    .map(it -> new TuningStatus.Suspicion(it.rule(), it.text()))
                    .toList())
        .values(TunedValues.stored(state.tuned()))
        .trial(state.trial().map(TuningStatuses::of).orElse(null))
        .recommendation(state.recommendation().map(TuningStatuses::of).orElse(null))
        .rules(state.records().stream().map(TuningStatuses::of).toList())
        .history(state.history().stream().map(TuningStatuses::of).toList())
        .restarts(state.restarts().stream().map(Instant::toString).toList())
        .lastChange(state.lastChange().map(Instant::toString).orElse(null))
        .trials(state.trials())
        .build();
  }

  /**
   * The state that a status has. A trial, a recommendation or an entry of the history that is not
   * as the operator writes it, since another writer of the status left a piece of it, is left out:
   * it must not end each reconciliation. With such a trial go the values of its rule, as it can get
   * no verdict any more.
   */
  public static TuningState read(TuningStatus.Group status) {
    var trial = readable(status.trial(), TuningStatuses::read);
    var values =
        trial.isPresent() || status.trial() == null
            ? status.values()
            : status.values().stream()
                .filter(it -> !Objects.equals(it.rule(), status.trial().rule()))
                .toList();
    return new TuningState(
        TunedValues.read(values),
        trial,
        readable(status.recommendation(), TuningStatuses::read),
        status.rules().stream().map(TuningStatuses::read).toList(),
        allReadable(status.history(), TuningStatuses::read),
        status.restarts().stream().map(Instant::parse).toList(),
        Optional.ofNullable(status.lastChange()).map(Instant::parse),
        status.trials());
  }

  private static <S, T> List<T> allReadable(List<S> parts, Function<S, T> read) {
    return parts.stream().flatMap(it -> readable(it, read).stream()).toList();
  }

  /** Empty for none, and for one with a value that is missing or that none of its kind has. */
  private static <S, T> Optional<T> readable(S part, Function<S, T> read) {
    try {
      return Optional.ofNullable(part).map(read);
    } catch (DateTimeException
        | IllegalArgumentException
        | IllegalStateException
        | NullPointerException e) {
      return Optional.empty();
    }
  }

  private static TuningStatus.Baseline of(Baseline it) {
    return new TuningStatus.Baseline(
        rounded(it.symptom(), MILLION),
        rounded(it.peers(), MILLION),
        rounded(it.traffic(), 1),
        rounded(it.pauses(), MILLION),
        rounded(it.callP99Millis(), MICROS));
  }

  private static Baseline read(TuningStatus.Baseline it) {
    return new Baseline(
        optional(it.symptomPerMillion(), MILLION),
        optional(it.peersPerMillion(), MILLION),
        optional(it.trafficBytesPerSecond(), 1),
        optional(it.pausesPerMillion(), MILLION),
        optional(it.callP99Micros(), MICROS));
  }

  private static TuningStatus.Trial of(Trial it) {
    return new TuningStatus.Trial(
        it.rule(),
        TunedKey.texts(it.values()),
        TunedValues.stored(it.before()),
        of(it.baseline()),
        it.phase().text(),
        it.since().toString());
  }

  private static Trial read(TuningStatus.Trial it) {
    return new Trial(
        it.rule(),
        TunedKey.ofTexts(it.values()),
        TunedValues.read(it.before()),
        read(it.baseline()),
        named(Phase.values(), Phase::text, it.phase()),
        Instant.parse(it.since()));
  }

  private static TuningStatus.Recommendation of(Recommendation it) {
    return new TuningStatus.Recommendation(
        it.id(),
        it.proposal().rule(),
        it.proposal().texts(),
        it.proposal().text(),
        it.proposal().evidence(),
        it.since().toString());
  }

  private static Recommendation read(TuningStatus.Recommendation it) {
    return new Recommendation(
        it.id(),
        new Proposal(it.rule(), TunedKey.ofTexts(it.values()), it.reason(), it.evidence()),
        Instant.parse(it.since()));
  }

  private static TuningStatus.RuleRecord of(RuleRecord it) {
    return new TuningStatus.RuleRecord(
        it.rule(),
        it.withoutGain(),
        it.direction(),
        it.reversals(),
        it.kept()
            .map(
                kept ->
                    new TuningStatus.Kept(of(kept.baseline()), TunedValues.stored(kept.before())))
            .orElse(null),
        it.stop().map(stop -> stop.at().toString()).orElse(null),
        it.stop().map(Stop::suspicion).orElse(null),
        it.dismissed()
            .map(
                dismissed ->
                    new TuningStatus.Dismissed(
                        dismissed.at().toString(),
                        TunedKey.texts(dismissed.values()),
                        TunedKey.texts(dismissed.planned()),
                        dismissed.isByUser() ? null : true))
            .orElse(null));
  }

  private static RuleRecord read(TuningStatus.RuleRecord it) {
    return new RuleRecord(
        it.rule(),
        it.withoutGain(),
        it.direction(),
        it.reversals(),
        Optional.ofNullable(it.kept())
            .map(kept -> new Kept(read(kept.baseline()), TunedValues.read(kept.before()))),
        Optional.ofNullable(it.stopped())
            .map(at -> new Stop(it.rule(), Instant.parse(at), it.suspicion())),
        // Without it, the change is proposed again.
        readable(it.dismissed(), TuningStatuses::read));
  }

  private static Dismissed read(TuningStatus.Dismissed it) {
    return new Dismissed(
        Instant.parse(it.at()),
        TunedKey.ofTexts(it.values()),
        TunedKey.ofTexts(it.planned()),
        !Boolean.TRUE.equals(it.unfelt()));
  }

  private static Entry of(Event it) {
    return new Entry(
        it.at().toString(),
        it.rule(),
        it.kind().text(),
        TunedKey.texts(it.values()),
        it.text(),
        it.evidence(),
        it.alert()
            .map(
                alert ->
                    new TuningStatus.Alert(
                        alert.name(), alert.fingerprint(), alert.startsAt().toString()))
            .orElse(null));
  }

  private static Event read(Entry it) {
    return new Event(
        Instant.parse(it.at()),
        it.rule(),
        named(EventKind.values(), EventKind::text, it.event()),
        TunedKey.ofTexts(it.values()),
        it.reason(),
        it.evidence(),
        // It is only an explanation.
        readable(it.alert(), TuningStatuses::read));
  }

  private static AlertCause read(TuningStatus.Alert it) {
    return new AlertCause(it.name(), it.fingerprint(), Instant.parse(it.startsAt()));
  }

  private static <E extends Enum<E>> E named(E[] all, Function<E, String> text, String name) {
    return Arrays.stream(all)
        .filter(it -> text.apply(it).equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("status has the unknown name " + name));
  }

  private static Long rounded(OptionalDouble value, double unit) {
    return value.isPresent() ? Long.valueOf(Math.round(value.getAsDouble() * unit)) : null;
  }

  private static OptionalDouble optional(Long value, double unit) {
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value / unit);
  }
}
