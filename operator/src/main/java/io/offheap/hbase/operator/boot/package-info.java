/**
 * Starts the operator: the entry point, the settings, the election, and what connects the packages.
 */
package io.offheap.hbase.operator.boot;
