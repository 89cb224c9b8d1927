package io.offheap.hbase.operator.deploy;

import io.fabric8.kubernetes.api.model.ConfigMapProjectionBuilder;
import io.fabric8.kubernetes.api.model.EmptyDirVolumeSource;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import io.fabric8.kubernetes.api.model.VolumeProjection;
import io.fabric8.kubernetes.api.model.VolumeProjectionBuilder;
import io.offheap.hbase.operator.api.ResourcesSpec.Amounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The volumes of a role's pods, and where the container mounts them. */
final class PodVolumes {
  private static final String CONFIG = "config";
  private static final String TMP = "tmp";

  /** The working folder of a checkpoint, and the name of its container. */
  static final String CHECKPOINT = "checkpoint";

  static final String TMP_PATH = "/tmp";

  /**
   * Bytes for the observer's JFR files (42 MiB, see its README), also of killed processes, and for
   * the JVM's error files.
   */
  private static final long JVM_FILES = 1L << 30;

  private PodVolumes() {}

  static List<Volume> volumes(RoleModel role) {
    var sources = new ArrayList<VolumeProjection>();
    // Of two files of one name the later one wins: a user's file overrides no planned file.
    role.extraConfigMaps().forEach(name -> sources.add(projection(name)));
    sources.add(projection(role.configMapName()));
    role.online().ifPresent(online -> sources.add(projection(online.configMap())));
    var volumes = new ArrayList<Volume>();
    volumes.add(
        new VolumeBuilder()
            .withName(CONFIG)
            .withNewProjected()
            .withSources(sources)
            .endProjected()
            .build());
    volumes.add(scratch(TMP, tmpBytes(role)));
    if (role.role() == Role.NAMENODE) {
      volumes.add(checkpoint(role));
    }
    role.volume()
        .filter(volume -> volume.claim().isEmpty())
        .ifPresent(
            volume ->
                volumes.add(
                    new VolumeBuilder()
                        .withName(volume.name())
                        .withEmptyDir(new EmptyDirVolumeSource(null, volume.size()))
                        .build()));
    return volumes;
  }

  /**
   * Size limit of {@code /tmp} in bytes: the JVM's files and one heap dump, or the declared
   * ephemeral storage of the container if that is more.
   *
   * <p>The kubelet evicts a pod that exceeds it. Without a limit the node's disk would become full,
   * and the kubelet would evict other pods.
   */
  private static long tmpBytes(RoleModel role) {
    return Math.max(
        JVM_FILES + role.heapBytes(),
        Optional.ofNullable(role.limits().get(Amounts.EPHEMERAL_STORAGE))
            .map(it -> Quantity.getAmountInBytes(it).longValue())
            .orElse(0L));
  }

  /**
   * The working folder of a checkpoint. It has room for all files of the name node's volume and
   * their merged copy: an eviction would end the name node too.
   */
  private static Volume checkpoint(RoleModel nameNode) {
    long image =
        nameNode.volume().map(it -> Quantity.getAmountInBytes(it.size()).longValue()).orElseThrow();
    return scratch(CHECKPOINT, 2 * image + tmpBytes(nameNode));
  }

  private static Volume scratch(String name, long bytes) {
    return new VolumeBuilder()
        .withName(name)
        .withEmptyDir(new EmptyDirVolumeSource(null, new Quantity(Long.toString(bytes))))
        .build();
  }

  private static VolumeProjection projection(String configMap) {
    return new VolumeProjectionBuilder()
        .withConfigMap(new ConfigMapProjectionBuilder().withName(configMap).build())
        .build();
  }

  static List<VolumeMount> mounts(RoleModel role) {
    var mounts = new ArrayList<VolumeMount>();
    mounts.add(configurationMount());
    mounts.add(mount(TMP, TMP_PATH));
    role.volume().ifPresent(volume -> mounts.add(mount(volume.name(), volume.mountPath())));
    return mounts;
  }

  static VolumeMount configurationMount() {
    return new VolumeMountBuilder(mount(CONFIG, "/etc/hbase/conf")).withReadOnly(true).build();
  }

  static VolumeMount mount(String volume, String path) {
    return new VolumeMountBuilder().withName(volume).withMountPath(path).build();
  }
}
