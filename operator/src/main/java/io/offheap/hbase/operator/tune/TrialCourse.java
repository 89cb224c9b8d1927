package io.offheap.hbase.operator.tune;

import io.offheap.hbase.operator.tune.TuningInput.Rollout;
import io.offheap.hbase.operator.tune.TuningMemory.EventKind;
import io.offheap.hbase.operator.tune.TuningMemory.Phase;
import io.offheap.hbase.operator.tune.TuningMemory.Stop;
import io.offheap.hbase.operator.tune.TuningMemory.Trial;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A change while it is tried:
 *
 * <ol>
 *   <li><i>Rolling</i>, until every server has it. Where the rollout took it back, because its
 *       canary was worse than its peers, it is taken back here too.
 *   <li><i>Settling</i>, while the last server warms up.
 *   <li><i>Watching</i>, for a window. What helped ({@link Comparison}) is kept. What did not has a
 *       second window, since caches were empty after the restart; then it is taken back. What
 *       cannot be told, for want of traffic, is kept after four.
 * </ol>
 *
 * <p>Another rollout meanwhile, and it begins to settle anew.
 */
final class TrialCourse {
  static final int MOST_WITHOUT_GAIN = 2;

  private final TuningInput in;
  private final MemoryDraft memory;
  private final Instant now;

  TrialCourse(TuningInput in, MemoryDraft memory) {
    this.in = in;
    this.memory = memory;
    this.now = in.now();
  }

  /** The next step of the trial; says what it is. */
  String goOn(Trial trial) {
    if (in.rollout() instanceof Rollout.TakenBack taken) {
      return takeBack(trial, "by its rollout: " + taken.reason(), taken.evidence());
    }
    if (in.rollout() instanceof Rollout.UnderWay) {
      if (trial.phase() != Phase.ROLLING) {
        memory.trial = Optional.of(trial.in(Phase.ROLLING, now));
      }
      return trial.rule() + ": is rolled out";
    }
    return switch (trial.phase()) {
      case ROLLING -> {
        memory.trial = Optional.of(trial.in(Phase.SETTLING, now));
        yield trial.rule() + ": settles";
      }
      case SETTLING -> {
        if (now.isBefore(trial.since().plus(in.rules().warmUp()))) {
          yield trial.rule() + ": settles";
        }
        memory.trial = Optional.of(trial.in(Phase.WATCHING, now));
        yield trial.rule() + ": is watched";
      }
      case WATCHING -> watch(trial);
    };
  }

  /** Judges the newest full window of those since the trial is watched. */
  private String watch(Trial trial) {
    var window = in.rules().window();
    long windows = Duration.between(trial.since(), now).dividedBy(nonZero(window));
    if (windows < 1) {
      return trial.rule() + ": is watched until " + trial.since().plus(window);
    }
    var verdict =
        in.newestWindow()
            .map(it -> Comparison.compare(trial.baseline(), Baseline.of(trial.rule(), it)))
            .orElse(new Comparison.Verdict(Comparison.Kind.UNKNOWN, "too little to compare"));
    return switch (verdict.kind()) {
      case GAIN -> keep(trial, "helped: " + verdict.text());
      case NO_GAIN, HARM ->
          windows < 2
              ? trial.rule() + ": is watched for another window: " + verdict.text()
              : takeBack(trial, "did not help: " + verdict.text(), List.of());
      case UNKNOWN ->
          windows < 4
              ? trial.rule() + ": is watched on: " + verdict.text()
              : keep(trial, "cannot be judged: " + verdict.text());
    };
  }

  private String keep(Trial trial, String why) {
    memory.record(Steps.kept(memory.record(trial.rule()), trial));
    memory.trial = Optional.empty();
    memory.changed();
    memory.tell(trial.rule(), EventKind.KEPT, trial.values(), why);
    return trial.rule() + ": " + why;
  }

  private String takeBack(Trial trial, String why, List<String> evidence) {
    var record = Steps.withoutGain(memory.record(trial.rule()));
    // With it goes a change before it that helped for a while only.
    memory.applied =
        record
            .kept()
            .map(it -> Steps.backTo(trial.before(), trial.rule(), it.before()))
            .orElse(trial.before());
    memory.trial = Optional.empty();
    memory.restart();
    memory.tell(trial.rule(), EventKind.TAKEN_BACK, trial.values(), why, evidence);
    memory.record(record);
    return record.withoutGain() < MOST_WITHOUT_GAIN
        ? trial.rule() + ": taken back, " + why
        : stop(trial.rule());
  }

  /** The rule is asked no more. */
  String stop(RuleName rule) {
    var suspicion =
        MOST_WITHOUT_GAIN + " changes one after the other did not help; " + rule.suspicion();
    memory.record(Steps.stopped(memory.record(rule), new Stop(rule, now, suspicion)));
    memory.tell(rule, EventKind.STOPPED, Map.of(), suspicion);
    return rule + ": stops: " + suspicion;
  }

  private static Duration nonZero(Duration window) {
    return window.isZero() ? Duration.ofMillis(1) : window;
  }
}
