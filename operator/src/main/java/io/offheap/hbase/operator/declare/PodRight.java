package io.offheap.hbase.operator.declare;

/**
 * What a pod template may declare only if the operator's settings permit it. The operator creates
 * pods with its own rights, so each of these gives every author of an {@code HBaseCluster} more
 * than the right to create one.
 */
public enum PodRight {
  /** Secrets of the namespace, as environment or files. */
  Secrets,
  /** Claims of the namespace that exist apart from the pod. */
  VolumeClaims,
  /** Folders of the node, network file systems, CSI drivers, images as volumes. */
  OtherVolumes,
  /** Another service account than {@code default}, and its token. */
  ServiceAccounts,
  /** More than Kubernetes' restricted Pod Security Standard permits to a container. */
  Privileged
}
