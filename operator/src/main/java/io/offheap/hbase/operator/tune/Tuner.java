package io.offheap.hbase.operator.tune;

import io.offheap.hbase.operator.tune.RuleResult.NoChange;
import io.offheap.hbase.operator.tune.RuleResult.Proposal;
import io.offheap.hbase.operator.tune.RuleResult.Reason;
import io.offheap.hbase.operator.tune.TuningInput.Rollout;
import io.offheap.hbase.operator.tune.TuningState.Applied;
import io.offheap.hbase.operator.tune.TuningState.EventKind;
import io.offheap.hbase.operator.tune.TuningState.Phase;
import io.offheap.hbase.operator.tune.TuningState.Recommendation;
import io.offheap.hbase.operator.tune.TuningState.Trial;
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
 *   <li><b>A change is tried</b>: nothing else is changed until it is judged ({@link
 *       TrialEvaluation}).
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
  public static final String WAITS_FOR_ROLLOUT = "waits until the rollout is over";

  static final String GATHERS = "gathers evidence of ";

  private final TuningInput in;
  private final TuningStateBuilder state;
  private final TrialEvaluation trialEvaluation;
  private final Instant now;
  private List<RuleResult> results = List.of();

  private Tuner(TuningInput in) {
    this.in = in;
    this.now = in.now();
    this.state = new TuningStateBuilder(in.state(), now);
    this.trialEvaluation = new TrialEvaluation(in, state);
  }

  /** What to do next. */
  public static TuningStep step(TuningInput in) {
    var tuner = new Tuner(in);
    var message = tuner.decide();
    var next = tuner.state.finish();
    var suspected =
        tuner.results.stream()
            .filter(it -> it instanceof NoChange noChange && noChange.reason() == Reason.SUSPECTED)
            .map(it -> it.rule() + ": " + it.text());
    var stopped = next.stops().stream().map(it -> it.rule() + ": " + it.suspicion());
    return new TuningStep(next, message, tuner.results, Stream.concat(stopped, suspected).toList());
  }

  private String decide() {
    if (in.settings().mode() == TuningMode.OFF) {
      return off();
    }
    dropDeclared();
    if (state.trial.isPresent()) {
      return trialEvaluation.advance(state.trial.get());
    }
    if (!(in.rollout() instanceof Rollout.Complete)) {
      return WAITS_FOR_ROLLOUT;
    }
    var evidence = in.newestWindow();
    if (evidence.isEmpty() || evidence.get().servers().isEmpty()) {
      return GATHERS + text(in.settings().window());
    }
    var cool = state.lastChange().map(it -> it.plus(in.settings().coolDown()));
    if (cool.isPresent() && now.isBefore(cool.get())) {
      return "cools down until " + cool.get();
    }
    return propose(evidence.get());
  }

  private String off() {
    state.applied.stream()
        .map(Applied::rule)
        .distinct()
        .forEach(
            rule ->
                state.addEvent(
                    rule,
                    EventKind.DROPPED,
                    TuningState.values(
                        state.applied.stream().filter(it -> it.rule() == rule).toList()),
                    "tuning was switched off"));
    state.applied = List.of();
    state.trial = Optional.empty();
    state.recommendation = Optional.empty();
    state.clearRecords();
    return "is off";
  }

  private void dropDeclared() {
    var declared = in.evidence().map(Evidence::declared).orElse(Set.of());
    for (Applied it : state.applied) {
      if (declared.contains(it.key())) {
        state.addEvent(
            it.rule(),
            EventKind.DROPPED,
            Map.of(it.key(), it.value()),
            it.key() + " is declared now");
      }
    }
    state.applied = state.applied.stream().filter(it -> !declared.contains(it.key())).toList();
    state.trial =
        state.trial.filter(it -> it.values().keySet().stream().noneMatch(declared::contains));
  }

  private String propose(Evidence evidence) {
    results = Rules.evaluate(evidence);
    var proposals =
        results.stream()
            .filter(it -> !in.settings().disabled().contains(it.rule()))
            .filter(it -> state.record(it.rule()).stop().isEmpty())
            .flatMap(it -> it instanceof Proposal proposed ? Stream.of(proposed) : Stream.empty())
            .toList();
    var approved = state.recommendation.filter(this::isApproved).map(it -> it.proposal().rule());
    var proposal =
        proposals.stream()
            .filter(it -> isAutomatic(it.rule()) || approved.equals(Optional.of(it.rule())))
            .findFirst()
            .or(() -> proposals.stream().findFirst());
    if (proposal.isEmpty()) {
      state.recommendation = Optional.empty();
      return "finds nothing to change";
    }
    var rule = proposal.get().rule();
    var record = state.record(rule);
    var baseline = Baseline.of(rule, evidence);
    var lost =
        record.kept().filter(it -> Comparison.hasReturned(Rules.of(rule), it.baseline(), baseline));
    if (lost.isPresent() && record.withoutGain() + 1 >= TrialEvaluation.MOST_WITHOUT_GAIN) {
      return rollBackAndStop(rule, lost.get().before());
    }
    var recommendation = recommend(Steps.reduceStep(proposal.get(), record, evidence), evidence);
    state.recommendation = Optional.of(recommendation);
    var what = rule + ": " + recommendation.proposal().text();
    if (!isAutomatic(rule) && !isApproved(recommendation)) {
      return what + "; waits for approval of " + recommendation.id();
    }
    if (state.restartsToday() >= in.settings().changesPerDay()) {
      return String.format(
          Locale.ROOT,
          "%s; waits until %s: %d restarts in 24 hours",
          what,
          state.nextRestart(),
          state.restartsToday());
    }
    apply(recommendation.proposal(), evidence, baseline, lost.isPresent());
    return what + "; is applied";
  }

  private boolean isAutomatic(RuleName rule) {
    return in.settings().mode() == TuningMode.AUTO && rule.isProven();
  }

  private boolean isApproved(Recommendation recommendation) {
    return in.approved().equals(Optional.of(recommendation.id()));
  }

  /** The one that waits already, unless the evidence now asks for clearly another one. */
  private Recommendation recommend(Proposal proposal, Evidence evidence) {
    return state
        .recommendation
        .filter(it -> Steps.isSimilar(it.proposal(), proposal, evidence))
        .orElseGet(
            () ->
                new Recommendation(
                    Steps.id(proposal, in.state().values(), state.trials()), proposal, now));
  }

  private void apply(Proposal proposal, Evidence evidence, Baseline baseline, boolean hasRelapsed) {
    var rule = proposal.rule();
    state.trial =
        Optional.of(
            new Trial(rule, proposal.values(), state.applied, baseline, Phase.ROLLING, now));
    state.record(Steps.tried(state.record(rule), proposal, evidence, hasRelapsed));
    state.applied = Steps.with(state.applied, proposal);
    state.recommendation = Optional.empty();
    state.countTrial();
    state.restart();
    state.addEvent(
        rule, EventKind.APPLIED, proposal.values(), proposal.text(), proposal.evidence());
  }

  private String rollBackAndStop(RuleName rule, List<Applied> before) {
    var own = state.applied.stream().filter(it -> it.rule() == rule).toList();
    state.applied = Steps.restore(state.applied, rule, before);
    state.recommendation = Optional.empty();
    state.restart();
    state.addEvent(
        rule,
        EventKind.ROLLED_BACK,
        TuningState.values(own),
        "helped for a while only: it is as it was before");
    return trialEvaluation.stop(rule);
  }

  private static String text(Duration duration) {
    return duration.toMinutes() < 2 ? duration.toSeconds() + " s" : duration.toMinutes() + " min";
  }
}
