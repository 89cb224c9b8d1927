/** The benchmark report: which measurements there are, which are due, and what they show. */
package io.offheap.hbase.report;
