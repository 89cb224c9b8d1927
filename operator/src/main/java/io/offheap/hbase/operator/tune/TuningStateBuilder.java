package io.offheap.hbase.operator.tune;

import io.offheap.hbase.operator.plan.Tuned;
import io.offheap.hbase.operator.plan.TunedKey;
import io.offheap.hbase.operator.tune.TuningState.Event;
import io.offheap.hbase.operator.tune.TuningState.EventKind;
import io.offheap.hbase.operator.tune.TuningState.Recommendation;
import io.offheap.hbase.operator.tune.TuningState.RuleRecord;
import io.offheap.hbase.operator.tune.TuningState.Trial;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Builds the next {@link TuningState} in one step. */
final class TuningStateBuilder {
  private static final Duration DAY = Duration.ofHours(24);

  /** Bound of the list. It exceeds the largest daily limit, which does not delay rollbacks. */
  private static final int MOST_RESTARTS = 100;

  private final Instant now;
  private final Map<String, RuleRecord> records = new LinkedHashMap<>();
  private final List<Event> history;
  private final List<Instant> restarts;
  private Optional<Instant> lastChange;
  private int trials;
  List<Tuned> tuned;
  Optional<Trial> trial;
  Optional<Recommendation> recommendation;

  /** A time of later than now is of before the clock was set back, and counts from now on. */
  TuningStateBuilder(TuningState state, Instant now) {
    this.now = now;
    tuned = state.tuned();
    trial = state.trial().map(it -> it.since().isAfter(now) ? it.in(it.phase(), now) : it);
    recommendation = state.recommendation();
    state.records().forEach(it -> records.put(it.rule(), it));
    history = new ArrayList<>(state.history());
    restarts = new ArrayList<>(state.restarts());
    restarts.replaceAll(this::notAfterNow);
    restarts.removeIf(it -> !it.plus(DAY).isAfter(now));
    lastChange = state.lastChange().map(this::notAfterNow);
    trials = state.trials();
  }

  private Instant notAfterNow(Instant time) {
    return time.isAfter(now) ? now : time;
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

  RuleRecord record(String rule) {
    return records.getOrDefault(rule, RuleRecord.of(rule));
  }

  void record(RuleRecord record) {
    records.put(record.rule(), record);
  }

  void clearRecords() {
    records.clear();
  }

  /** Removes the records of the other rules. */
  void retainRecords(Predicate<String> rule) {
    records.keySet().removeIf(rule.negate());
  }

  /** Records that values changed, which restarts the group. */
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

  void addEvent(String rule, EventKind kind, Map<TunedKey, Long> values, String text) {
    addEvent(rule, kind, values, text, List.of());
  }

  void addEvent(
      String rule, EventKind kind, Map<TunedKey, Long> values, String text, List<String> evidence) {
    history.add(new Event(now, rule, kind, values, text, evidence, Optional.empty()));
    if (history.size() > TuningState.HISTORY) {
      history.remove(0);
    }
  }

  TuningState build() {
    return new TuningState(
        tuned,
        trial,
        recommendation,
        List.copyOf(records.values()),
        history,
        restarts,
        lastChange,
        trials);
  }
}
