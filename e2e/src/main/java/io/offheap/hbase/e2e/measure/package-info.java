/** What a region server's memory is, part by part, beside what its plan says. */
package io.offheap.hbase.e2e.measure;
