/** Compares a region server's memory, part by part, with its plan. */
package io.offheap.hbase.e2e.measure;
