package io.offheap.hbase.operator.tune;

import io.offheap.hbase.operator.tune.TuningInput.Rollout;
import io.offheap.hbase.operator.tune.TuningState.EventKind;
import io.offheap.hbase.operator.tune.TuningState.Phase;
import io.offheap.hbase.operator.tune.TuningState.RuleRecord;
import io.offheap.hbase.operator.tune.TuningState.Stop;
import io.offheap.hbase.operator.tune.TuningState.Trial;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The phases of a change on trial:
 *
 * <ol>
 *   <li><i>Rolling</i>, until every server has it. Where the rollout rolled it back because the
 *       canary was worse than its peers, tuning removes the tuned value.
 *   <li><i>Settling</i>, while the last server warms up.
 *   <li><i>Watching</i>, for a window. A change that helped ({@link Comparison}) is kept. A change
 *       that did not help gets a second window, since caches were empty after the restart; then it
 *       is rolled back. Where traffic is too low to judge, the change is kept after four windows.
 *       Where the symptom is only a counter, the second window decides in any case: the heap was
 *       empty too, and of many looks one would find shorter pauses by chance. A change that clients
 *       do not feel, or of which that cannot be judged after four windows, is rolled back and
 *       dismissed: its rule was right about the counter, so that nothing is suspected, and it would
 *       propose the same again. After a change that helped for a while only, it is rolled back as
 *       one that did not help.
 * </ol>
 *
 * <p>After another rollout, <i>Settling</i> starts anew. After a break of the observation ({@link
 * TuningInput#watchedSince()}) a change is rolled back, or kept, by a whole window since the break,
 * and kept as one that cannot be judged after four.
 */
final class TrialEvaluation {
  static final int MOST_WITHOUT_GAIN = 2;

  private final Rules rules;
  private final TuningInput in;
  private final TuningStateBuilder state;
  private final Instant now;

  TrialEvaluation(Rules rules, TuningInput in, TuningStateBuilder state) {
    this.rules = rules;
    this.in = in;
    this.state = state;
    this.now = in.now();
  }

  /** Takes the next step of the trial and returns its message. */
  String advance(Trial trial) {
    if (in.rollout() instanceof Rollout.RolledBack rolledBack) {
      return rollBack(trial, "by its rollout: " + rolledBack.reason(), rolledBack.evidence());
    }
    if (in.rollout() instanceof Rollout.InProgress) {
      if (trial.phase() != Phase.ROLLING) {
        state.trial = Optional.of(trial.in(Phase.ROLLING, now));
      }
      return trial.rule() + ": is rolled out";
    }
    return switch (trial.phase()) {
      case ROLLING -> {
        state.trial = Optional.of(trial.in(Phase.SETTLING, now));
        yield trial.rule() + ": settles";
      }
      case SETTLING -> {
        if (now.isBefore(begin(trial).plus(in.settings().warmUp()))) {
          yield trial.rule() + ": settles";
        }
        state.trial = Optional.of(trial.in(Phase.WATCHING, now));
        yield trial.rule() + ": is watched";
      }
      case WATCHING -> evaluateWindow(trial);
    };
  }

  /** Since when the phase was observed without a break. */
  private Instant begin(Trial trial) {
    return trial.since().isBefore(in.watchedSince()) ? in.watchedSince() : trial.since();
  }

  /** Judges the newest full window since the phase began. */
  private String evaluateWindow(Trial trial) {
    var window = in.settings().window();
    var begin = begin(trial);
    long windows = Duration.between(trial.since(), now).dividedBy(nonZero(window));
    long watched = Duration.between(begin, now).dividedBy(nonZero(window));
    if (watched < 1) {
      return trial.rule() + ": is watched until " + begin.plus(window);
    }
    var rule = rule(trial);
    var verdict =
        in.newestWindow()
            .map(it -> Comparison.compare(rule, trial.baseline(), Baseline.of(rule, it)))
            .orElse(new Comparison.Verdict(Comparison.Kind.UNKNOWN, "too few metrics to compare"));
    boolean isFinal = windows >= 2;
    var another = trial.rule() + ": is watched for another window: " + verdict.text();
    return switch (verdict.kind()) {
      case GAIN ->
          isFinal || rule.isSymptomFelt() ? keep(trial, "helped: " + verdict.text()) : another;
      case NOT_FELT ->
          isFinal ? dismiss(trial, "clients feel nothing of it: " + verdict.text()) : another;
      case NO_GAIN, HARM ->
          isFinal ? rollBack(trial, "did not help: " + verdict.text(), List.of()) : another;
      case UNKNOWN ->
          watched < 4
              ? trial.rule() + ": is watched further: " + verdict.text()
              : unjudged(rule, trial, "cannot be judged: " + verdict.text());
    };
  }

  private String keep(Trial trial, String why) {
    state.record(Steps.kept(state.record(trial.rule()), trial));
    state.trial = Optional.empty();
    state.changed();
    state.addEvent(trial.rule(), EventKind.KEPT, trial.values(), why);
    return trial.rule() + ": " + why;
  }

  private String rollBack(Trial trial, String why, List<String> evidence) {
    var record = Steps.withoutGain(state.record(trial.rule()));
    restore(trial, record, why, evidence);
    return record.withoutGain() < MOST_WITHOUT_GAIN
        ? trial.rule() + ": rolled back, " + why
        : stop(rule(trial));
  }

  private String unjudged(Rule rule, Trial trial, String why) {
    return rule.isSymptomFelt() ? keep(trial, why) : dismiss(trial, why);
  }

  /** Rolls back a change that clients do not feel. */
  private String dismiss(Trial trial, String why) {
    var record = state.record(trial.rule());
    if (record.kept().isPresent()) {
      // The change before it did not last: that is suspicious, whatever clients feel.
      return rollBack(trial, why, List.of());
    }
    var dismissed = in.evidence().map(it -> Steps.dismissed(trial, it, now));
    restore(trial, Steps.withDismissed(record, dismissed), why, List.of());
    return trial.rule() + ": rolled back, " + why;
  }

  /** Restores the values before the trial, and keeps what became of it. */
  private void restore(Trial trial, RuleRecord record, String why, List<String> evidence) {
    // A change before it that helped for a while only is rolled back too.
    state.tuned =
        record
            .kept()
            .map(it -> Steps.restore(trial.before(), trial.rule(), it.before()))
            .orElse(trial.before());
    state.trial = Optional.empty();
    state.restart();
    state.addEvent(trial.rule(), EventKind.ROLLED_BACK, trial.values(), why, evidence);
    state.record(record);
  }

  /** Trials of other rules are dropped before. */
  private Rule rule(Trial trial) {
    return rules.find(trial.rule()).orElseThrow();
  }

  /** Stops the rule: its proposals are ignored from now on. */
  String stop(Rule rule) {
    var suspicion =
        MOST_WITHOUT_GAIN + " changes one after the other did not help; " + rule.suspicion();
    state.record(Steps.stopped(state.record(rule.name()), new Stop(rule.name(), now, suspicion)));
    state.addEvent(rule.name(), EventKind.STOPPED, Map.of(), suspicion);
    return rule.name() + ": stops: " + suspicion;
  }

  private static Duration nonZero(Duration window) {
    return window.isZero() ? Duration.ofMillis(1) : window;
  }
}
