package io.offheap.hbase.operator.tune;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Rules in the order in which they are evaluated: the first proposal counts. */
public final class Rules {
  /** Every rule of this version. A new rule is added here, and nowhere else. */
  private static final Rules ALL =
      new Rules(
          List.of(
              new PoolTooSmall(),
              new BufferSmallerThanBlock(),
              new MetaBlocksSpill(),
              new MarkingTooEarlyOrLate(),
              new MixedTooLong(),
              new PrematurePromotion(),
              new MixedBackToBack()));

  private final List<Rule> rules;
  private final Map<String, Rule> byName = new LinkedHashMap<>();

  /**
   * Rules in this order.
   *
   * @throws IllegalArgumentException if two rules have the same name
   */
  public Rules(List<Rule> rules) {
    this.rules = List.copyOf(rules);
    for (Rule rule : rules) {
      if (byName.put(rule.name(), rule) != null) {
        throw new IllegalArgumentException("two rules have the name " + rule.name());
      }
    }
  }

  /** Every rule of this version. */
  public static Rules all() {
    return ALL;
  }

  /** The rules' names, in the same order. */
  public List<String> names() {
    return List.copyOf(byName.keySet());
  }

  /** The rule with this name; empty for a name of another version. */
  public Optional<Rule> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** The result of each rule. */
  List<RuleResult> evaluate(Evidence evidence) {
    return rules.stream().map(rule -> rule.evaluate(evidence)).toList();
  }
}
