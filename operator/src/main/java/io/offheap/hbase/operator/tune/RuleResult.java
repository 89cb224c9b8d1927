package io.offheap.hbase.operator.tune;

import io.offheap.hbase.operator.plan.TunedKey;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The result of a rule: a proposal, or the reason for none. */
public sealed interface RuleResult {
  String rule();

  /** For people, with the numbers. */
  String text();

  /**
   * A proposed change.
   *
   * @param rule the name of the rule
   * @param values new values of settings
   * @param text why these, with the formula and its numbers
   * @param evidence the metrics for it, a line each
   */
  record Proposal(String rule, Map<TunedKey, Long> values, String text, List<String> evidence)
      implements RuleResult {
    public Proposal {
      // The first value decides the direction of a step, so the order does not change.
      var ordered = new TreeMap<TunedKey, Long>(Comparator.comparing(TunedKey::keyName));
      ordered.putAll(values);
      values = Collections.unmodifiableMap(ordered);
      evidence = List.copyOf(evidence);
    }

    /** The values as a plan has them, by the settings' keys. */
    public Map<String, String> texts() {
      return TunedKey.texts(values);
    }
  }

  /**
   * No change.
   *
   * @param rule the name of the rule
   * @param reason the kind of reason
   * @param text the reason with its numbers
   */
  record NoChange(String rule, Reason reason, String text) implements RuleResult {}

  /** Why a rule proposes nothing. */
  enum Reason {
    /** Metrics are missing, or there were too few requests or collections. */
    NO_EVIDENCE("NoEvidence"),
    /** Nothing is wrong. */
    WITHIN_LIMITS("WithinLimits"),
    /** The resource or its profile declares the value that would have to change. */
    DECLARED("Declared"),
    /** The plan with that change is refused, or the memory for it is missing. */
    NO_ROOM("NoRoom"),
    /** It would take memory from the bucket cache, which the resource does not allow. */
    NOT_ALLOWED("NotAllowed"),
    /** The value is at its bound already. */
    BOUNDED("Bounded"),
    /** The metrics are those of a leak, which a change would hide. */
    SUSPECTED("Suspected");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    /** The name in status. */
    public String text() {
      return text;
    }
  }
}
