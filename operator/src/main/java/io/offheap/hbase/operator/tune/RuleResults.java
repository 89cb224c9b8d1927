package io.offheap.hbase.operator.tune;

import io.offheap.hbase.operator.plan.Bytes;
import io.offheap.hbase.operator.plan.TunedKey;
import io.offheap.hbase.operator.tune.RuleResult.NoChange;
import io.offheap.hbase.operator.tune.RuleResult.Proposal;
import io.offheap.hbase.operator.tune.RuleResult.Reason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Makes the results of rules, with the checks that all rules share. */
final class RuleResults {
  private RuleResults() {}

  /** The result where a user declared one of these settings. */
  static Optional<RuleResult> declared(String rule, Evidence evidence, TunedKey... keys) {
    return Arrays.stream(keys)
        .filter(evidence::isDeclared)
        .findFirst()
        .map(key -> noChange(rule, Reason.DECLARED, "%s is declared", key.keyName()));
  }

  static NoChange noChange(String rule, Reason reason, String text, Object... numbers) {
    return new NoChange(rule, reason, String.format(Locale.ROOT, text, numbers));
  }

  static String line(String text, Object... numbers) {
    return String.format(Locale.ROOT, text, numbers);
  }

  /**
   * The proposal, unless the plan with it is refused, or takes memory from the bucket cache without
   * permission.
   */
  static RuleResult propose(
      String rule, Evidence evidence, Map<TunedKey, Long> values, String text, List<String> why) {
    var effect = evidence.effect(values);
    if (!effect.isPlan()) {
      return noChange(rule, Reason.NO_ROOM, "%s; but %s", text, effect.refusal().orElse(""));
    }
    long taken = evidence.cacheBytes() - effect.cacheBytes();
    if (taken > 0 && !evidence.mayShrinkCache()) {
      return noChange(
          rule,
          Reason.NOT_ALLOWED,
          "%s; but it would take %s from the %s, which the resource does not allow",
          text,
          Bytes.mib(taken),
          evidence.cacheName());
    }
    var lines = new ArrayList<>(why);
    if (taken > 0) {
      lines.add("takes " + Bytes.mib(taken) + " from the " + evidence.cacheName());
    }
    return new Proposal(rule, values, text, lines);
  }

  /** The largest accepted number from {@code least}, which is accepted, to {@code most}. */
  static long largest(long least, long most, Predicate<Long> isAccepted) {
    long low = least;
    long high = most;
    while (low < high) {
      long middle = high - (high - low) / 2;
      if (isAccepted.test(middle)) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
}
