package io.offheap.hbase.operator.plan;

/**
 * A value that tuning chose in place of the derived one, on evidence from the servers that run. One
 * that a person declared wins over it.
 *
 * @param key HBase's or HotSpot's own name; only values that the plan derives can be tuned
 * @param value as it is rendered
 * @param rule the rule that chose it
 */
public record Tuned(String key, String value, String rule) {}
