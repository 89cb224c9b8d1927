/**
 * A read-only page about the clusters, for people, on a port of loopback alone: views of what the
 * operator has in memory, as JSON, and the files that show them.
 */
package io.offheap.hbase.operator.page;
