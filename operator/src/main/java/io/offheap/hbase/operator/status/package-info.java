/** The parts of status; each is read and written in one class. */
package io.offheap.hbase.operator.status;
