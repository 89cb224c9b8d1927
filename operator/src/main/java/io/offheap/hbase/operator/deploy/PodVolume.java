package io.offheap.hbase.operator.deploy;

import io.fabric8.kubernetes.api.model.Quantity;
import io.offheap.hbase.operator.api.CacheVolumeSpec;
import io.offheap.hbase.operator.api.VolumeSpec;
import java.util.Optional;

/**
 * The volume of each pod of a role.
 *
 * @param name name of the volume, and of its claim
 * @param mountPath where the pod has it
 * @param size size of the claim, or most that the pod may put there
 * @param claim how it is claimed; a folder of the node's where there is no claim
 */
record PodVolume(String name, String mountPath, Quantity size, Optional<Claim> claim) {
  /**
   * A claim that outlives the pod.
   *
   * @param storageClass storage class, the cluster's default where empty
   * @param isKept whether it stays when the cluster is deleted
   */
  record Claim(Optional<String> storageClass, boolean isKept) {}

  /** Data that only this volume has. */
  static PodVolume ofData(VolumeSpec spec) {
    return new PodVolume(
        "data",
        "/data",
        spec.size(),
        Optional.of(new Claim(Optional.ofNullable(spec.storageClassName()), !spec.deleteClaim())));
  }

  /** A bucket cache in a file. */
  static PodVolume ofCache(String folder, Quantity size, CacheVolumeSpec claim) {
    return new PodVolume(
        "cache",
        folder,
        size,
        Optional.ofNullable(claim)
            .map(it -> new Claim(Optional.ofNullable(it.storageClassName()), false)));
  }
}
