package io.offheap.hbase.operator.tune;

import io.offheap.hbase.operator.plan.Bytes;
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

/** What every rule does before and after its own arithmetic. */
final class RuleResults {
  private RuleResults() {}

  /** The rule's answer where a person declared one of these. */
  static Optional<RuleResult> declared(String rule, Evidence evidence, TunedKey... keys) {
    return Arrays.stream(keys)
        .filter(evidence::isDeclared)
        .findFirst()
        .map(key -> noChange(rule, Reason.DECLARED, "%s is declared", key.key()));
  }

  static NoChange noChange(String rule, Reason reason, String text, Object... numbers) {
    return new NoChange(rule, reason, String.format(Locale.ROOT, text, numbers));
  }

  static String line(String text, Object... numbers) {
    return String.format(Locale.ROOT, text, numbers);
  }

  /** The change, unless the plan with it is refused or takes from a cache that it may not. */
  static RuleResult propose(
      String rule, Evidence evidence, Map<String, String> values, String text, List<String> why) {
    var effect = evidence.effect(values);
    if (!effect.isPlan()) {
      return noChange(rule, Reason.NO_ROOM, "%s; but %s", text, effect.refusal().orElse(""));
    }
    long taken = evidence.cacheBytes() - effect.cacheBytes();
    if (taken > 0 && !evidence.mayShrinkCache()) {
      return noChange(
          rule,
          Reason.NOT_ALLOWED,
          "%s; but it would take %s from the bucket cache, which the resource does not allow",
          text,
          Bytes.mib(taken));
    }
    var lines = new ArrayList<>(why);
    if (taken > 0) {
      lines.add("takes " + Bytes.mib(taken) + " from the bucket cache");
    }
    return new Proposal(rule, values, text, lines);
  }

  /** The largest number from one that is right to one that may not be; right ones come first. */
  static long largest(long right, long most, Predicate<Long> isRight) {
    long low = right;
    long high = most;
    while (low < high) {
      long middle = high - (high - low) / 2;
      if (isRight.test(middle)) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
}
