/**
 * A read-only web page about the clusters, on a port of loopback only: views of the operator's data
 * in memory, as JSON, and the files of the page.
 */
package io.offheap.hbase.operator.page;
