package io.offheap.hbase.operator.deploy;

import io.fabric8.kubernetes.api.model.Quantity;
import io.offheap.hbase.operator.api.CacheVolumeSpec;
import io.offheap.hbase.operator.api.VolumeSpec;
import java.util.Optional;

/**
 * The volume of each pod of a role.
 *
 * @param name name of the volume, and of its claim
 * @param mountPath its path in the container
 * @param size size of the claim, or size limit of the folder
 * @param claim how it is claimed; without a claim it is a folder of the node (emptyDir)
 */
record PodVolume(String name, String mountPath, Quantity size, Optional<Claim> claim) {
  /** Name of a volume whose data exists nowhere else. */
  static final String DATA = "data";

  /**
   * A claim that outlives the pod.
   *
   * @param storageClass storage class; empty for the default of the Kubernetes cluster
   * @param isKept whether it is kept when the resource is deleted
   */
  record Claim(Optional<String> storageClass, boolean isKept) {}

  /** A volume whose data exists nowhere else. */
  static PodVolume ofData(VolumeSpec spec) {
    return new PodVolume(
        DATA,
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
