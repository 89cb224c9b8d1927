package io.offheap.hbase.operator.tune;

import io.offheap.hbase.operator.tune.Outcome.Not;
import io.offheap.hbase.operator.tune.Outcome.Proposal;
import io.offheap.hbase.operator.tune.Outcome.Why;
import io.offheap.hbase.operator.tune.TuningInput.Rollout;
import io.offheap.hbase.operator.tune.TuningMemory.Applied;
import io.offheap.hbase.operator.tune.TuningMemory.EventKind;
import io.offheap.hbase.operator.tune.TuningMemory.Phase;
import io.offheap.hbase.operator.tune.TuningMemory.Recommendation;
import io.offheap.hbase.operator.tune.TuningMemory.Trial;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The care with which proposals are tried. Each step is decided from what is remembered and what is
 * seen alone, and does one thing:
 *
 * <ol>
 *   <li><b>Off</b>: no tuned values, so that the plan is as declared. What rules remember is
 *       forgotten too; the history stays.
 *   <li>A tuned value that a person has declared meanwhile is dropped.
 *   <li><b>A change is tried</b>: nothing else is changed until it is judged ({@link TrialCourse}).
 *   <li><b>Nothing is tried</b>: while something is under way, a window is not full or the last
 *       change cools down, nothing happens. Then the rules are asked, in their order, without those
 *       that are disabled or stopped; the first proposal counts.
 *       <ul>
 *         <li>A change of a rule's direction halves its step, each further one again ({@link
 *             Steps}).
 *         <li>A rule whose change helped, but whose symptom is back with no more traffic, had no
 *             gain after all.
 *         <li>Two changes without gain one after the other, and the rule stops and says what it
 *             suspects instead. What it had changed without gain is taken back. It is asked again
 *             when tuning was switched off and on.
 *         <li>More than so many restarts in 24 hours, and the proposal waits.
 *         <li><b>Recommend</b>, and in Auto a rule that is not proven ({@link RuleName}): it waits
 *             until a person approves its id. A new id for each change keeps an old approval from
 *             counting twice. In Auto it holds up no proposal of a proven rule.
 *       </ul>
 * </ol>
 *
 * <p>What is approved is tried with the same care as what is not asked for: also in Recommend, a
 * change that did not help is taken back.
 */
public final class Tuner {
  /** What is said while something else is under way. */
  public static final String UNDER_WAY = "waits until the rollout is over";

  static final String GATHERS = "gathers evidence of ";

  private final TuningInput in;
  private final MemoryDraft memory;
  private final TrialCourse course;
  private final Instant now;
  private List<Outcome> outcomes = List.of();

  private Tuner(TuningInput in) {
    this.in = in;
    this.now = in.now();
    this.memory = new MemoryDraft(in.memory(), now);
    this.course = new TrialCourse(in, memory);
  }

  /** What to do next. */
  public static TuningStep step(TuningInput in) {
    var tuner = new Tuner(in);
    var saying = tuner.decide();
    var next = tuner.memory.finish();
    var suspected =
        tuner.outcomes.stream()
            .filter(it -> it instanceof Not not && not.why() == Why.SUSPECTED)
            .map(it -> it.rule() + ": " + it.text());
    var stopped = next.stops().stream().map(it -> it.rule() + ": " + it.suspicion());
    return new TuningStep(next, saying, tuner.outcomes, Stream.concat(stopped, suspected).toList());
  }

  private String decide() {
    if (in.rules().mode() == TuningMode.OFF) {
      return off();
    }
    dropDeclared();
    if (memory.trial.isPresent()) {
      return course.goOn(memory.trial.get());
    }
    if (!(in.rollout() instanceof Rollout.Over)) {
      return UNDER_WAY;
    }
    var evidence = in.newestWindow();
    if (evidence.isEmpty() || evidence.get().servers().isEmpty()) {
      return GATHERS + text(in.rules().window());
    }
    var cool = memory.lastChange().map(it -> it.plus(in.rules().coolDown()));
    if (cool.isPresent() && now.isBefore(cool.get())) {
      return "cools down until " + cool.get();
    }
    return propose(evidence.get());
  }

  private String off() {
    memory.applied.stream()
        .map(Applied::rule)
        .distinct()
        .forEach(
            rule ->
                memory.tell(
                    rule,
                    EventKind.DROPPED,
                    TuningMemory.values(
                        memory.applied.stream().filter(it -> it.rule() == rule).toList()),
                    "tuning was switched off"));
    memory.applied = List.of();
    memory.trial = Optional.empty();
    memory.waiting = Optional.empty();
    memory.forgetRecords();
    return "is off";
  }

  private void dropDeclared() {
    var declared = in.evidence().map(Evidence::declared).orElse(Set.of());
    for (Applied it : memory.applied) {
      if (declared.contains(it.key())) {
        memory.tell(
            it.rule(),
            EventKind.DROPPED,
            Map.of(it.key(), it.value()),
            it.key() + " is declared now");
      }
    }
    memory.applied = memory.applied.stream().filter(it -> !declared.contains(it.key())).toList();
    memory.trial =
        memory.trial.filter(it -> it.values().keySet().stream().noneMatch(declared::contains));
  }

  private String propose(Evidence evidence) {
    outcomes = Rules.judge(evidence);
    var proposals =
        outcomes.stream()
            .filter(it -> !in.rules().disabled().contains(it.rule()))
            .filter(it -> memory.record(it.rule()).stop().isEmpty())
            .flatMap(it -> it instanceof Proposal proposed ? Stream.of(proposed) : Stream.empty())
            .toList();
    var approved = memory.waiting.filter(this::isApproved).map(it -> it.proposal().rule());
    var proposal =
        proposals.stream()
            .filter(it -> actsByItself(it.rule()) || approved.equals(Optional.of(it.rule())))
            .findFirst()
            .or(() -> proposals.stream().findFirst());
    if (proposal.isEmpty()) {
      memory.waiting = Optional.empty();
      return "finds nothing to change";
    }
    var rule = proposal.get().rule();
    var record = memory.record(rule);
    var baseline = Baseline.of(rule, evidence);
    var lost =
        record.kept().filter(it -> Comparison.isBack(Rules.of(rule), it.baseline(), baseline));
    if (lost.isPresent() && record.withoutGain() + 1 >= TrialCourse.MOST_WITHOUT_GAIN) {
      return stopWithWhatHelpedNot(rule, lost.get().before());
    }
    var recommendation = recommend(Steps.soften(proposal.get(), record, evidence), evidence);
    memory.waiting = Optional.of(recommendation);
    var what = rule + ": " + recommendation.proposal().text();
    if (!actsByItself(rule) && !isApproved(recommendation)) {
      return what + "; waits for approval of " + recommendation.id();
    }
    if (memory.restartsToday() >= in.rules().changesADay()) {
      return String.format(
          Locale.ROOT,
          "%s; waits until %s: %d restarts in 24 hours",
          what,
          memory.nextRestart(),
          memory.restartsToday());
    }
    apply(recommendation.proposal(), evidence, baseline, lost.isPresent());
    return what + "; is applied";
  }

  private boolean actsByItself(RuleName rule) {
    return in.rules().mode() == TuningMode.AUTO && rule.isProven();
  }

  private boolean isApproved(Recommendation recommendation) {
    return in.approved().equals(Optional.of(recommendation.id()));
  }

  /** The one that waits already, unless the evidence now asks for clearly another one. */
  private Recommendation recommend(Proposal proposal, Evidence evidence) {
    return memory
        .waiting
        .filter(it -> Steps.isMuchTheSame(it.proposal(), proposal, evidence))
        .orElseGet(
            () ->
                new Recommendation(
                    Steps.id(proposal, in.memory().values(), memory.trials()), proposal, now));
  }

  private void apply(Proposal proposal, Evidence evidence, Baseline baseline, boolean isLost) {
    var rule = proposal.rule();
    memory.trial =
        Optional.of(
            new Trial(rule, proposal.values(), memory.applied, baseline, Phase.ROLLING, now));
    memory.record(Steps.tried(memory.record(rule), proposal, evidence, isLost));
    memory.applied = Steps.with(memory.applied, proposal);
    memory.waiting = Optional.empty();
    memory.countTrial();
    memory.restart();
    memory.tell(rule, EventKind.APPLIED, proposal.values(), proposal.text(), proposal.evidence());
  }

  private String stopWithWhatHelpedNot(RuleName rule, List<Applied> before) {
    var own = memory.applied.stream().filter(it -> it.rule() == rule).toList();
    memory.applied = Steps.backTo(memory.applied, rule, before);
    memory.waiting = Optional.empty();
    memory.restart();
    memory.tell(
        rule,
        EventKind.TAKEN_BACK,
        TuningMemory.values(own),
        "helped for a while only: it is as it was before");
    return course.stop(rule);
  }

  private static String text(Duration duration) {
    return duration.toMinutes() < 2 ? duration.toSeconds() + " s" : duration.toMinutes() + " min";
  }
}
