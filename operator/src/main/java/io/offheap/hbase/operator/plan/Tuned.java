package io.offheap.hbase.operator.plan;

/**
 * A value that tuning chose in place of the derived one, from metrics of the servers. A declared
 * value takes precedence.
 *
 * @param key HBase's or HotSpot's own name; only values that the plan derives can be tuned
 * @param value the rendered text
 * @param rule the rule that chose it
 */
public record Tuned(String key, String value, String rule) {}
