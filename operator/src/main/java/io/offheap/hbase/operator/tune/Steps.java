package io.offheap.hbase.operator.tune;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.offheap.hbase.operator.plan.Tuned;
import io.offheap.hbase.operator.plan.TunedKey;
import io.offheap.hbase.operator.tune.RuleResult.Proposal;
import io.offheap.hbase.operator.tune.TuningState.Dismissed;
import io.offheap.hbase.operator.tune.TuningState.Kept;
import io.offheap.hbase.operator.tune.TuningState.RuleRecord;
import io.offheap.hbase.operator.tune.TuningState.Stop;
import io.offheap.hbase.operator.tune.TuningState.Trial;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The size and direction of a step, and the record of a rule after it. */
final class Steps {
  /** A proposal whose step differs by at most this share counts as the same proposal. */
  private static final double SIMILAR = 0.25;

  private Steps() {}

  /** Up 1 or down -1, by the first value; 0 where nothing changes. */
  static int direction(Proposal proposal, Evidence evidence) {
    return proposal.values().entrySet().stream()
        .map(it -> Long.signum(step(it.getKey(), it.getValue(), evidence)))
        .findFirst()
        .orElse(0);
  }

  private static int reversals(RuleRecord record, int direction) {
    return record.direction() != 0 && direction != record.direction()
        ? record.reversals() + 1
        : record.reversals();
  }

  /**
   * The proposal with its step halved for each change of the rule's direction, but at least 1.
   * Unchanged where half a step has no effect, as with the size of a buffer.
   */
  static Proposal reduceStep(Proposal proposal, RuleRecord record, Evidence evidence) {
    int reversals = Math.min(30, reversals(record, direction(proposal, evidence)));
    boolean steps = proposal.values().keySet().stream().allMatch(TunedKey::isDivisible);
    if (reversals == 0 || !steps) {
      return proposal;
    }
    var values = new EnumMap<TunedKey, Long>(TunedKey.class);
    proposal
        .values()
        .forEach(
            (key, value) -> {
              long step = step(key, value, evidence);
              long smaller = step / (1L << reversals);
              values.put(key, evidence.planned(key) + (smaller == 0 ? Long.signum(step) : smaller));
            });
    var text =
        proposal.text()
            + "; step halved "
            + reversals
            + " times, once for each change of direction: "
            + TunedKey.texts(values);
    return new Proposal(proposal.rule(), values, text, proposal.evidence());
  }

  static boolean isSimilar(Proposal waiting, Proposal proposal, Evidence evidence) {
    return waiting.rule().equals(proposal.rule())
        && waiting.values().keySet().equals(proposal.values().keySet())
        && waiting.values().entrySet().stream()
            .allMatch(
                it -> {
                  long step = step(it.getKey(), it.getValue(), evidence);
                  long other = step(it.getKey(), proposal.values().get(it.getKey()), evidence);
                  return Math.abs(step - other) <= SIMILAR * Math.abs(step);
                });
  }

  /** From the planned value to another. */
  private static long step(TunedKey key, long value, Evidence evidence) {
    return value - evidence.planned(key);
  }

  /**
   * The id that a user approves: other values, or the same values at another time, have another id.
   */
  static String id(Proposal proposal, Map<TunedKey, Long> tuned, int trials) {
    var text =
        proposal.rule() + " " + proposal.texts() + " " + TunedKey.texts(tuned) + " " + trials;
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, 10);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  static List<Tuned> withProposal(List<Tuned> tuned, Proposal proposal) {
    var all = new ArrayList<>(tuned);
    all.removeIf(it -> proposal.values().containsKey(it.key()));
    proposal.values().forEach((key, value) -> all.add(new Tuned(key, value, proposal.rule())));
    return all;
  }

  /** The tuned values, with those of one rule restored. */
  static List<Tuned> restore(List<Tuned> tuned, String rule, List<Tuned> before) {
    var all = new ArrayList<>(tuned);
    all.removeIf(it -> it.rule().equals(rule));
    before.stream()
        .filter(it -> all.stream().noneMatch(other -> other.key() == it.key()))
        .forEach(all::add);
    return all;
  }

  /**
   * The record of a rule whose change is applied. {@code hasRelapsed}: the effect of its last
   * change did not last.
   */
  static RuleRecord tried(
      RuleRecord record, Proposal proposal, Evidence evidence, boolean hasRelapsed) {
    int direction = direction(proposal, evidence);
    int withoutGain = record.withoutGain();
    if (hasRelapsed) {
      withoutGain++;
    } else if (record.kept().isPresent()) {
      withoutGain = 0;
    }
    return new RuleRecord(
        record.rule(),
        withoutGain,
        direction,
        reversals(record, direction),
        hasRelapsed ? record.kept() : Optional.empty(),
        record.stop(),
        Optional.empty());
  }

  /**
   * The record of a rule whose change is kept. A rollback restores the values before the first
   * change that had no effect.
   */
  static RuleRecord kept(RuleRecord record, Trial trial) {
    var own =
        trial.before().stream()
            .filter(it -> it.rule().equals(trial.rule()) || trial.values().containsKey(it.key()))
            .toList();
    var before = record.kept().map(Kept::before).orElse(own);
    return new RuleRecord(
        record.rule(),
        record.withoutGain(),
        record.direction(),
        record.reversals(),
        Optional.of(new Kept(trial.baseline(), before)),
        record.stop(),
        record.dismissed());
  }

  static RuleRecord withoutGain(RuleRecord record) {
    return new RuleRecord(
        record.rule(),
        record.withoutGain() + 1,
        record.direction(),
        record.reversals(),
        record.kept(),
        record.stop(),
        record.dismissed());
  }

  static RuleRecord stopped(RuleRecord record, Stop stop) {
    return new RuleRecord(
        record.rule(),
        record.withoutGain(),
        record.direction(),
        record.reversals(),
        record.kept(),
        Optional.of(stop),
        record.dismissed());
  }

  static RuleRecord withDismissed(RuleRecord record, Optional<Dismissed> dismissed) {
    return new RuleRecord(
        record.rule(),
        record.withoutGain(),
        record.direction(),
        record.reversals(),
        record.kept(),
        record.stop(),
        dismissed);
  }

  /** A proposal that a user dismisses, with the plan that it would change. */
  static Dismissed dismissed(Proposal proposal, Evidence evidence, Instant at) {
    return new Dismissed(at, proposal.values(), planned(proposal, evidence), true);
  }

  /** A change that clients did not feel, with the plan before it. */
  static Dismissed dismissed(Trial trial, Evidence evidence, Instant at) {
    var before = TuningState.values(trial.before());
    var planned = new EnumMap<TunedKey, Long>(TunedKey.class);
    trial.values().keySet().forEach(key -> planned.put(key, evidence.plannedWith(key, before)));
    return new Dismissed(at, trial.values(), planned, false);
  }

  /**
   * Whether a proposal is what was dismissed: about the same values, over the same plan. Where
   * clients felt nothing of a step, they feel nothing of a smaller one either.
   */
  static boolean isDismissed(Proposal proposal, Dismissed dismissed, Evidence evidence) {
    var then = new Proposal(proposal.rule(), dismissed.values(), "", List.of());
    return dismissed.planned().equals(planned(proposal, evidence))
        && (isSimilar(then, proposal, evidence)
            || (!dismissed.isByUser() && isPartOf(then, proposal, evidence)));
  }

  /** Whether each step of a proposal has the direction of another's, and is no larger. */
  private static boolean isPartOf(Proposal whole, Proposal proposal, Evidence evidence) {
    return whole.values().keySet().equals(proposal.values().keySet())
        && whole.values().entrySet().stream()
            .allMatch(
                it -> {
                  long step = step(it.getKey(), it.getValue(), evidence);
                  long part = step(it.getKey(), proposal.values().get(it.getKey()), evidence);
                  return Long.signum(part) == Long.signum(step) && Math.abs(part) <= Math.abs(step);
                });
  }

  private static Map<TunedKey, Long> planned(Proposal proposal, Evidence evidence) {
    var planned = new EnumMap<TunedKey, Long>(TunedKey.class);
    proposal.values().keySet().forEach(it -> planned.put(it, evidence.planned(it)));
    return planned;
  }
}
