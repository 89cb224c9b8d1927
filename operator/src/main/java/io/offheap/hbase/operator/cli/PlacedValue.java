package io.offheap.hbase.operator.cli;

/**
 * A value of a configuration and its place.
 *
 * @param value the value as written
 * @param place the file, and for JVM options the variable
 */
record PlacedValue(String value, String place) {}
