package io.offheap.hbase.operator.tune;

import io.offheap.hbase.operator.plan.Tuned;
import io.offheap.hbase.operator.plan.TunedKey;
import io.offheap.hbase.operator.tune.RuleResult.NoChange;
import io.offheap.hbase.operator.tune.RuleResult.Proposal;
import io.offheap.hbase.operator.tune.RuleResult.Reason;
import io.offheap.hbase.operator.tune.TuningInput.Rollout;
import io.offheap.hbase.operator.tune.TuningState.EventKind;
import io.offheap.hbase.operator.tune.TuningState.Phase;
import io.offheap.hbase.operator.tune.TuningState.Recommendation;
import io.offheap.hbase.operator.tune.TuningState.Trial;
import io.offheap.hbase.operator.tune.TuningStep.Activity;
import io.offheap.hbase.operator.tune.TuningStep.Suspicion;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The decision of one step, in the order that {@link Tuner} describes. */
final class TuningDecision {
  private final Rules rules;
  private final TuningInput in;
  private final TuningStateBuilder state;
  private final TrialEvaluation evaluation;
  private final Instant now;
  private List<RuleResult> results = List.of();
  private Activity activity = Activity.WATCHING;

  TuningDecision(Rules rules, TuningInput in) {
    this.rules = rules;
    this.in = in;
    this.now = in.now();
    this.state = new TuningStateBuilder(in.state(), now);
    this.evaluation = new TrialEvaluation(rules, in, state);
  }

  TuningStep step() {
    var message = decide();
    var next = state.build();
    var suspected =
        results.stream()
            .filter(it -> it instanceof NoChange none && none.reason() == Reason.SUSPECTED)
            .map(it -> new Suspicion(it.rule(), it.text()));
    var stopped = next.stops().stream().map(it -> new Suspicion(it.rule(), it.suspicion()));
    return new TuningStep(
        next, activity, message, results, Stream.concat(stopped, suspected).toList());
  }

  private String decide() {
    if (in.settings().mode() == TuningMode.DISABLED) {
      activity = Activity.DISABLED;
      return disable();
    }
    dropUnknownRules();
    dropDeclared();
    dismiss();
    if (state.trial.isPresent()) {
      activity = Activity.TRYING;
      return evaluation.advance(state.trial.get());
    }
    if (in.rollout() instanceof Rollout.RolledBack) {
      activity = Activity.WAITING_FOR_SPEC;
      return "waits for another spec, since the declared change was rolled back";
    }
    if (!(in.rollout() instanceof Rollout.Complete)) {
      activity = Activity.WAITING_FOR_ROLLOUT;
      return "waits until every server runs the plan";
    }
    var evidence = in.newestWindow();
    if (evidence.isEmpty() || evidence.get().servers().isEmpty()) {
      activity = Activity.GATHERING;
      return "gathers evidence of " + text(in.settings().window());
    }
    var cool = state.lastChange().map(it -> it.plus(in.settings().coolDown()));
    if (cool.isPresent() && now.isBefore(cool.get())) {
      activity = Activity.COOLING_DOWN;
      return "cools down until " + cool.get();
    }
    return propose(evidence.get());
  }

  private String disable() {
    state.tuned.stream()
        .map(Tuned::rule)
        .distinct()
        .forEach(
            rule ->
                state.addEvent(
                    rule,
                    EventKind.DROPPED,
                    TuningState.values(
                        state.tuned.stream().filter(it -> it.rule().equals(rule)).toList()),
                    "tuning was disabled"));
    state.tuned = List.of();
    state.trial = Optional.empty();
    state.recommendation = Optional.empty();
    state.clearRecords();
    return "is disabled";
  }

  /** A status of another version of the operator may name a rule that this version lacks. */
  private void dropUnknownRules() {
    dropValues(it -> rules.find(it.rule()).isEmpty(), "this version has no such rule");
    state.trial = state.trial.filter(it -> rules.find(it.rule()).isPresent());
    state.retainRecords(it -> rules.find(it).isPresent());
  }

  private void dropDeclared() {
    if (in.evidence().isEmpty()) {
      return;
    }
    Predicate<TunedKey> isDeclared = in.evidence().get()::isDeclared;
    dropValues(it -> isDeclared.test(it.key()), "the resource or its profile declares the value");
    state.trial = state.trial.filter(it -> it.values().keySet().stream().noneMatch(isDeclared));
  }

  /** At once, whatever else holds tuning back: a user does not want to see it any more. */
  private void dismiss() {
    var dismissed = state.recommendation.filter(it -> in.dismissed().equals(Optional.of(it.id())));
    if (dismissed.isPresent() && in.evidence().isPresent()) {
      var proposal = dismissed.get().proposal();
      state.record(
          Steps.withDismissed(
              state.record(proposal.rule()),
              Optional.of(Steps.dismissed(proposal, in.evidence().get(), now))));
      state.recommendation = Optional.empty();
    }
  }

  /** Whether it is what was dismissed. A dismissal of other inputs ends. */
  private boolean isDismissed(Proposal proposal, Evidence evidence) {
    var record = state.record(proposal.rule());
    if (record.dismissed().isEmpty()) {
      return false;
    }
    if (Steps.isDismissed(
        Steps.reduceStep(proposal, record, evidence), record.dismissed().get(), evidence)) {
      return true;
    }
    state.record(Steps.withDismissed(record, Optional.empty()));
    return false;
  }

  private String why(String rule) {
    boolean isByUser = state.record(rule).dismissed().filter(it -> it.isByUser()).isPresent();
    return isByUser ? "was dismissed" : "was rolled back, as clients felt nothing of it";
  }

  private void dropValues(Predicate<Tuned> isDropped, String reason) {
    state.tuned.stream()
        .filter(isDropped)
        .forEach(
            it ->
                state.addEvent(it.rule(), EventKind.DROPPED, Map.of(it.key(), it.value()), reason));
    state.tuned = state.tuned.stream().filter(isDropped.negate()).toList();
  }

  private String propose(Evidence evidence) {
    results = rules.evaluate(evidence);
    var proposed =
        results.stream()
            .filter(it -> !in.settings().disabled().contains(it.rule()))
            .filter(it -> state.record(it.rule()).stop().isEmpty())
            .flatMap(it -> it instanceof Proposal change ? Stream.of(change) : Stream.empty())
            .toList();
    var dismissed = proposed.stream().filter(it -> isDismissed(it, evidence)).toList();
    var proposals = proposed.stream().filter(it -> !dismissed.contains(it)).toList();
    var approved = state.recommendation.filter(this::isApproved).map(it -> it.proposal().rule());
    var proposal =
        proposals.stream()
            .filter(it -> isAutomatic(it, evidence) || approved.equals(Optional.of(it.rule())))
            .findFirst()
            .or(() -> proposals.stream().findFirst());
    if (proposal.isEmpty()) {
      state.recommendation = Optional.empty();
      return dismissed.stream()
          .findFirst()
          .map(it -> it.rule() + ": its change " + why(it.rule()) + "; finds no other")
          .orElse("finds nothing to change");
    }
    var rule = rules.find(proposal.get().rule()).orElseThrow();
    var record = state.record(rule.name());
    var baseline = Baseline.of(rule, evidence);
    var relapsed =
        record.kept().filter(it -> Comparison.hasReturned(rule, it.baseline(), baseline));
    if (relapsed.isPresent() && record.withoutGain() + 1 >= TrialEvaluation.MOST_WITHOUT_GAIN) {
      activity = Activity.STOPPING;
      return rollBackAndStop(rule, relapsed.get().before());
    }
    var recommendation = recommend(Steps.reduceStep(proposal.get(), record, evidence), evidence);
    state.recommendation = Optional.of(recommendation);
    var change = rule.name() + ": " + recommendation.proposal().text();
    if (!isAutomatic(recommendation.proposal(), evidence) && !isApproved(recommendation)) {
      activity = Activity.WAITING_FOR_APPROVAL;
      return change + "; waits for approval of " + recommendation.id();
    }
    if (state.restartsToday() >= in.settings().changesPerDay()) {
      activity = Activity.LIMITED;
      return String.format(
          Locale.ROOT,
          "%s; waits until %s: %d restarts in 24 hours",
          change,
          state.nextRestart(),
          state.restartsToday());
    }
    activity = Activity.APPLYING;
    apply(recommendation.proposal(), evidence, baseline, relapsed.isPresent());
    return change + "; is applied";
  }

  private boolean isAutomatic(Proposal proposal, Evidence evidence) {
    return in.settings().mode() == TuningMode.AUTO
        && rules.find(proposal.rule()).filter(it -> it.isProven(proposal, evidence)).isPresent();
  }

  private boolean isApproved(Recommendation recommendation) {
    return in.approved().equals(Optional.of(recommendation.id()));
  }

  /** The recommendation that waits already, unless the proposal clearly differs from it. */
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
        Optional.of(new Trial(rule, proposal.values(), state.tuned, baseline, Phase.ROLLING, now));
    state.record(Steps.tried(state.record(rule), proposal, evidence, hasRelapsed));
    state.tuned = Steps.withProposal(state.tuned, proposal);
    state.recommendation = Optional.empty();
    state.countTrial();
    state.restart();
    state.addEvent(
        rule, EventKind.APPLIED, proposal.values(), proposal.text(), proposal.evidence());
  }

  private String rollBackAndStop(Rule rule, List<Tuned> before) {
    var own = state.tuned.stream().filter(it -> it.rule().equals(rule.name())).toList();
    state.tuned = Steps.restore(state.tuned, rule.name(), before);
    state.recommendation = Optional.empty();
    state.restart();
    state.addEvent(
        rule.name(),
        EventKind.ROLLED_BACK,
        TuningState.values(own),
        "the change helped for a while only: the symptom is as it was before");
    return evaluation.stop(rule);
  }

  private static String text(Duration duration) {
    return duration.toMinutes() < 2 ? duration.toSeconds() + " s" : duration.toMinutes() + " min";
  }
}
