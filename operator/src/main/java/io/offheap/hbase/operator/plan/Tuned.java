package io.offheap.hbase.operator.plan;

/**
 * A value that tuning chose in place of the derived one, from metrics of the servers. A declared
 * value takes precedence.
 *
 * @param key the setting, whose value the plan derives otherwise
 * @param value in the unit of its key
 * @param rule the rule that chose it
 */
public record Tuned(TunedKey key, long value, String rule) {}
