/** What a region server allocates on its heap for a Get, and where. */
package io.offheap.hbase.e2e.bench;
