package io.offheap.hbase.operator.deploy;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;

/**
 * The container beside a name node that merges its edits into its image every hour (Hadoop's
 * secondary name node). Without it edits grow until the volume is full, and a start replays all of
 * them. If it fails, the name node still serves.
 */
final class Checkpoints {
  private static final String SCRIPT = "/opt/hbase/bin/checkpoint";

  /**
   * Older images lack the script; the container must not end there, or its pod would not be ready.
   */
  private static final String START =
      "if [[ -x %1$s ]]; then exec %1$s; fi; trap 'exit 143' TERM; sleep infinity & wait"
          .formatted(SCRIPT);

  private Checkpoints() {}

  /** The container; its volume is {@link PodVolumes#CHECKPOINT}. */
  static Container container(ClusterModel model, RoleModel nameNode) {
    // It loads the same image as the name node. The request equals the limit: a node without memory
    // first ends pods that use more than they request, and there is one name node.
    var memory = Map.of("memory", new Quantity(Long.toString(nameNode.memoryBytes())));
    return new ContainerBuilder()
        .withName(PodVolumes.CHECKPOINT)
        .withImage(nameNode.image())
        .withImagePullPolicy(ContainerDefaults.pullPolicy(model))
        .withCommand("/bin/bash", "-c", START)
        .withTerminationMessagePolicy("FallbackToLogsOnError")
        .withNewResources()
        .withRequests(memory)
        .addToRequests("cpu", new Quantity("10m"))
        .withLimits(memory)
        .endResources()
        .withSecurityContext(ContainerDefaults.noPrivilege())
        .withVolumeMounts(
            PodVolumes.configurationMount(),
            PodVolumes.mount(PodVolumes.CHECKPOINT, PodVolumes.TMP_PATH))
        .build();
  }
}
