/**
 * The custom resource {@code HBaseCluster} ({@code hbase.offheap.io/v1alpha1}) as data. {@code
 * crds/} is generated from these types; a change here without {@code crds/} fails the build.
 */
package io.offheap.hbase.operator.api;
