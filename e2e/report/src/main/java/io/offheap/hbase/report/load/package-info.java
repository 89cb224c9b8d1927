/** The load's own part: YCSB with a binding for HBase, whose own binding is not published. */
package io.offheap.hbase.report.load;
