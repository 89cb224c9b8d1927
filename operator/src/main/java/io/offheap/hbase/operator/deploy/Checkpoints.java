package io.offheap.hbase.operator.deploy;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Volume;
import java.util.Map;

/**
 * The container beside a name node that merges its edits into its image every hour (Hadoop's
 * secondary name node). Without it edits grow until the volume is full, and a start replays all of
 * them. What it does not do harms nothing: the name node serves without it.
 */
final class Checkpoints {
  private static final String NAME = "checkpoint";
  private static final String SCRIPT = "/opt/hbase/bin/checkpoint";

  /**
   * An image from before has no such script, and a container that ends keeps its pod from being
   * ready.
   */
  private static final String START =
      "if [[ -x %1$s ]]; then exec %1$s; fi; trap 'exit 143' TERM; sleep infinity & wait"
          .formatted(SCRIPT);

  private Checkpoints() {}

  /** The container. */
  static Container container(ClusterModel model, RoleModel nameNode) {
    // It loads what the name node has loaded. Requested whole: a pod that takes more than it
    // requests is the first that a node without memory ends, and there is one name node.
    var memory = Map.of("memory", new Quantity(Long.toString(nameNode.memoryBytes())));
    return new ContainerBuilder()
        .withName(NAME)
        .withImage(nameNode.image())
        .withImagePullPolicy(PodTemplates.pullPolicy(model))
        .withCommand("/bin/bash", "-c", START)
        .withTerminationMessagePolicy("FallbackToLogsOnError")
        .withNewResources()
        .withRequests(memory)
        .addToRequests("cpu", new Quantity("10m"))
        .withLimits(memory)
        .endResources()
        .withSecurityContext(PodTemplates.noPrivilege())
        .withVolumeMounts(
            PodTemplates.mountOfConfiguration(), PodTemplates.mount(NAME, PodTemplates.TMP_PATH))
        .build();
  }

  /**
   * Where it keeps what it merges; it is made anew for each checkpoint. All that the name node can
   * have on its own volume, and once more what comes of it: an eviction would end the name node
   * too.
   */
  static Volume volume(RoleModel nameNode) {
    long image =
        nameNode.volume().map(it -> Quantity.getAmountInBytes(it.size()).longValue()).orElseThrow();
    return PodTemplates.scratch(NAME, 2 * image + PodTemplates.tmpBytes(nameNode));
  }
}
