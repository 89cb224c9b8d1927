/**
 * Evidence to a proposal, and the care with which proposals are tried. Pure: no Kubernetes, no
 * HBase, no clock, no network.
 */
package io.offheap.hbase.operator.tune;
