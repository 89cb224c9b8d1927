package io.offheap.hbase.operator.tune;

import io.offheap.hbase.operator.tune.TuningState.Applied;
import io.offheap.hbase.operator.tune.TuningState.Event;
import io.offheap.hbase.operator.tune.TuningState.EventKind;
import io.offheap.hbase.operator.tune.TuningState.Recommendation;
import io.offheap.hbase.operator.tune.TuningState.RuleRecord;
import io.offheap.hbase.operator.tune.TuningState.Trial;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A {@link TuningState} in the making, in one step. */
final class TuningStateBuilder {
  private static final Duration DAY = Duration.ofHours(24);

  /** More restarts a day than any budget; what is taken back is not held up by one. */
  private static final int MOST_RESTARTS = 100;

  private final Instant now;
  private final Map<RuleName, RuleRecord> records = new EnumMap<>(RuleName.class);
  private final List<Event> history;
  private final List<Instant> restarts;
  private Optional<Instant> lastChange;
  private int trials;
  List<Applied> applied;
  Optional<Trial> trial;
  Optional<Recommendation> recommendation;

  TuningStateBuilder(TuningState state, Instant now) {
    this.now = now;
    applied = state.applied();
    trial = state.trial();
    recommendation = state.recommendation();
    state.records().forEach(it -> records.put(it.rule(), it));
    history = new ArrayList<>(state.history());
    restarts = new ArrayList<>(state.restarts());
    restarts.removeIf(it -> !it.plus(DAY).isAfter(now));
    lastChange = state.lastChange();
    trials = state.trials();
  }

  Optional<Instant> lastChange() {
    return lastChange;
  }

  int trials() {
    return trials;
  }

  void countTrial() {
    trials++;
  }

  int restartsToday() {
    return restarts.size();
  }

  /** The first time at which there are fewer restarts in 24 hours. */
  Instant nextRestart() {
    return restarts.isEmpty() ? now : restarts.get(0).plus(DAY);
  }

  RuleRecord record(RuleName rule) {
    return records.getOrDefault(rule, RuleRecord.of(rule));
  }

  void record(RuleRecord record) {
    records.put(record.rule(), record);
  }

  void clearRecords() {
    records.clear();
  }

  /** The values are others now: the group will be restarted. */
  void restart() {
    restarts.add(now);
    if (restarts.size() > MOST_RESTARTS) {
      restarts.remove(0);
    }
    changed();
  }

  void changed() {
    lastChange = Optional.of(now);
  }

  void addEvent(RuleName rule, EventKind kind, Map<String, String> values, String text) {
    addEvent(rule, kind, values, text, List.of());
  }

  void addEvent(
      RuleName rule,
      EventKind kind,
      Map<String, String> values,
      String text,
      List<String> evidence) {
    history.add(new Event(now, rule, kind, values, text, evidence, Optional.empty()));
    if (history.size() > TuningState.HISTORY) {
      history.remove(0);
    }
  }

  TuningState finish() {
    return new TuningState(
        applied,
        trial,
        recommendation,
        List.copyOf(records.values()),
        history,
        restarts,
        lastChange,
        trials);
  }
}
