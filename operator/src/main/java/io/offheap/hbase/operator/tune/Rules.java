package io.offheap.hbase.operator.tune;

import java.util.List;

/** All rules, in the order of {@link RuleName}. */
public final class Rules {
  private static final List<Rule> ALL =
      List.of(
          new PoolTooSmall(),
          new BufferSmallerThanBlock(),
          new MetaBlocksSpill(),
          new MarkingTooEarlyOrLate(),
          new MixedTooLong(),
          new PrematurePromotion(),
          new MixedBackToBack());

  private Rules() {}

  public static List<Rule> all() {
    return ALL;
  }

  /** What each rule says of the evidence. */
  public static List<RuleResult> evaluate(Evidence evidence) {
    return ALL.stream().map(rule -> rule.evaluate(evidence)).toList();
  }

  static Rule of(RuleName name) {
    return ALL.stream().filter(rule -> rule.name() == name).findFirst().orElseThrow();
  }
}
