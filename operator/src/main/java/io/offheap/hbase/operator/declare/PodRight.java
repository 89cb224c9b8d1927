package io.offheap.hbase.operator.declare;

/**
 * What a pod template may only declare where the operator's settings permit it to all authors of
 * resources: the operator makes the pods with its own rights, and these would pass on more than the
 * right to create an {@code HBaseCluster}.
 */
public enum PodRight {
  /** Secrets of the namespace, as environment or files. */
  Secrets,
  /** Claims of the namespace that are not made for the pod. */
  VolumeClaims,
  /** Folders of the node, network file systems, CSI drivers, images as volumes. */
  OtherVolumes,
  /** Another service account than {@code default}, and its token. */
  ServiceAccounts,
  /** More than Kubernetes' restricted Pod Security Standard permits to a container. */
  Privileged
}
