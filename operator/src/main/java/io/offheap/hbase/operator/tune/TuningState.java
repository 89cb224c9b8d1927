package io.offheap.hbase.operator.tune;

import io.offheap.hbase.operator.plan.Tuned;
import io.offheap.hbase.operator.plan.TunedKey;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The state of tuning of a group, kept in status. Without it the plan is as declared. All parts are
 * bounded.
 *
 * @param tuned the tuned values, at most one for a {@link TunedKey}
 * @param trial the change on trial
 * @param recommendation a change that waits for approval, or for a new day
 * @param records results of each rule's changes
 * @param history what was done, newest last; at most {@link #HISTORY}
 * @param restarts when the group was restarted by tuning in the last 24 hours
 * @param lastChange when a change was last applied, kept or rolled back
 * @param trials changes tried since tuning began; makes the id of each recommendation unique
 */
public record TuningState(
    List<Tuned> tuned,
    Optional<Trial> trial,
    Optional<Recommendation> recommendation,
    List<RuleRecord> records,
    List<Event> history,
    List<Instant> restarts,
    Optional<Instant> lastChange,
    int trials) {
  public static final int HISTORY = 20;

  /** The state before the first step. */
  public static final TuningState EMPTY = of(List.of());

  public TuningState {
    tuned = List.copyOf(tuned);
    records = List.copyOf(records);
    history = List.copyOf(history);
    restarts = List.copyOf(restarts);
  }

  /** The state before the first step of a group that has tuned values. */
  public static TuningState of(List<Tuned> tuned) {
    return new TuningState(
        tuned,
        Optional.empty(),
        Optional.empty(),
        List.of(),
        List.of(),
        List.of(),
        Optional.empty(),
        0);
  }

  /** The tuned values: what to plan with. */
  public Map<TunedKey, Long> values() {
    return values(tuned);
  }

  static Map<TunedKey, Long> values(List<Tuned> tuned) {
    var values = new EnumMap<TunedKey, Long>(TunedKey.class);
    tuned.forEach(it -> values.put(it.key(), it.value()));
    return values;
  }

  /** The rules that stopped, with what is suspected. */
  public List<Stop> stops() {
    return records.stream().flatMap(it -> it.stop().stream()).toList();
  }

  /**
   * A change on trial.
   *
   * @param rule the rule that proposed it
   * @param values the changed values
   * @param before all tuned values as they were before
   * @param baseline the metrics before
   * @param phase the present phase
   * @param since when the phase began
   */
  public record Trial(
      String rule,
      Map<TunedKey, Long> values,
      List<Tuned> before,
      Baseline baseline,
      Phase phase,
      Instant since) {
    public Trial {
      values = Map.copyOf(values);
      before = List.copyOf(before);
    }

    Trial in(Phase next, Instant time) {
      return new Trial(rule, values, before, baseline, next, time);
    }
  }

  /** The phases of a trial. */
  public enum Phase {
    /** Its plan is rolled out, canary first. */
    ROLLING("Rolling"),
    /** All servers run with it; the last of them warms up. */
    SETTLING("Settling"),
    /** The metrics are compared with those before. */
    WATCHING("Watching");

    private final String text;

    Phase(String text) {
      this.text = text;
    }

    /** The name in status. */
    public String text() {
      return text;
    }
  }

  /**
   * A change that waits.
   *
   * @param id the id that a user approves; another change has another id
   * @param proposal the change
   * @param since when it was first proposed
   */
  public record Recommendation(String id, RuleResult.Proposal proposal, Instant since) {}

  /**
   * The results of a rule's changes.
   *
   * @param rule the rule
   * @param withoutGain changes without gain, one after the other
   * @param direction of the last change: up 1, down -1, none yet 0
   * @param reversals changes of direction, each of which halves the step
   * @param kept the last change that helped
   * @param stop why the rule stopped
   * @param dismissed the change that is not proposed again, while it is what the rule would propose
   */
  public record RuleRecord(
      String rule,
      int withoutGain,
      int direction,
      int reversals,
      Optional<Kept> kept,
      Optional<Stop> stop,
      Optional<Dismissed> dismissed) {
    static RuleRecord of(String rule) {
      return new RuleRecord(rule, 0, 0, 0, Optional.empty(), Optional.empty(), Optional.empty());
    }
  }

  /** The same, where changes that are applied at this time name an alert as their cause. */
  TuningState after(AlertCause alert, Instant now) {
    return new TuningState(
        tuned,
        trial,
        recommendation,
        records,
        history.stream()
            .map(it -> it.kind() == EventKind.APPLIED && it.at().equals(now) ? it.after(alert) : it)
            .toList(),
        restarts,
        lastChange,
        trials);
  }

  /**
   * A change that helped.
   *
   * @param baseline the metrics before it
   * @param before the rule's tuned values before it
   */
  public record Kept(Baseline baseline, List<Tuned> before) {
    public Kept {
      before = List.copyOf(before);
    }
  }

  /**
   * A rule that stopped.
   *
   * @param rule the rule
   * @param at when
   * @param suspicion the suspected cause, which the rule does not remove
   */
  public record Stop(String rule, Instant at, String suspicion) {}

  /**
   * A change that is not to be proposed again.
   *
   * @param at when
   * @param values the values that it would set
   * @param planned what was planned for the same keys then; another plan ends the dismissal
   * @param isByUser whether a user dismissed it; otherwise it was tried, and clients felt nothing
   */
  public record Dismissed(
      Instant at, Map<TunedKey, Long> values, Map<TunedKey, Long> planned, boolean isByUser) {
    public Dismissed {
      values = Map.copyOf(values);
      planned = Map.copyOf(planned);
    }
  }

  /**
   * What was done.
   *
   * @param at when
   * @param rule the rule
   * @param kind the kind
   * @param values the values that were set or rolled back
   * @param text why, with the numbers
   * @param evidence the metrics for it
   * @param alert the alert that woke the pass, where one did
   */
  public record Event(
      Instant at,
      String rule,
      EventKind kind,
      Map<TunedKey, Long> values,
      String text,
      List<String> evidence,
      Optional<AlertCause> alert) {
    public Event {
      values = Map.copyOf(values);
      evidence = List.copyOf(evidence);
    }

    private Event after(AlertCause cause) {
      return new Event(at, rule, kind, values, text, evidence, Optional.of(cause));
    }
  }

  /** The kinds of events. */
  public enum EventKind {
    APPLIED("Applied"),
    KEPT("Kept"),
    ROLLED_BACK("RolledBack"),
    /** The rule stopped. */
    STOPPED("Stopped"),
    /** Tuning was disabled, or the resource or its profile declares the value. */
    DROPPED("Dropped");

    private final String text;

    EventKind(String text) {
      this.text = text;
    }

    /** The name in status. */
    public String text() {
      return text;
    }
  }
}
