package io.offheap.hbase.operator.plan;

/**
 * One value of a plan.
 *
 * @param target where it takes effect
 * @param key HBase's, HotSpot's or Kubernetes' own name
 * @param value as it is rendered
 * @param reason the formula with its numbers
 * @param source where the formula comes from; {@link #USER} for what was declared, {@link #TUNING}
 *     for what was tuned
 */
public record Setting(Target target, String key, String value, String reason, String source) {
  /** The source of what a person declared. */
  public static final String USER = "declared";

  /** The source of what was tuned. */
  public static final String TUNING = "tuned";
}
