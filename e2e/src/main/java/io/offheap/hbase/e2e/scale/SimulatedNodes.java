package io.offheap.hbase.e2e.scale;

import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/**
 * Does what the scheduler and the kubelets do, without containers: a pod is bound to a node, is
 * ready at once, and ends when it is deleted. The controllers are Kubernetes' own.
 */
final class SimulatedNodes implements AutoCloseable {
  private static final int NODES = 20;
  private static final int THREADS = 4;

  private final KubernetesClient client;
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final SharedIndexInformer<Pod> pods;

  private SimulatedNodes(KubernetesClient client) {
    this.client = client;
    for (int node = 0; node < NODES; node++) {
      client
          .resource(
              new NodeBuilder().withNewMetadata().withName("node-" + node).endMetadata().build())
          .serverSideApply();
    }
    pods = client.pods().inAnyNamespace().inform(new Changes());
  }

  static SimulatedNodes start(KubernetesClient client) {
    return new SimulatedNodes(client);
  }

  /** Pods that are ready. */
  long ready() {
    return pods.getStore().list().stream().filter(SimulatedNodes::isReady).count();
  }

  private static boolean isReady(Pod pod) {
    return pod.getStatus() != null
        && pod.getStatus().getConditions().stream().anyMatch(it -> it.getType().equals("Ready"));
  }

  private void run(Pod pod) {
    try {
      if (pod.getMetadata().getDeletionTimestamp() != null) {
        client.resource(pod).withGracePeriod(0).delete();
      } else if (pod.getSpec().getNodeName() == null) {
        client
            .bindings()
            .inNamespace(pod.getMetadata().getNamespace())
            .resource(binding(pod))
            .create();
      } else if (!isReady(pod)) {
        client
            .pods()
            .resource(pod)
            .subresource("status")
            .patch(PatchContext.of(PatchType.STRATEGIC_MERGE), status(pod));
      }
    } catch (KubernetesClientException e) {
      // A pod that has changed meanwhile comes again.
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT
          && e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw e;
      }
    }
  }

  private static Binding binding(Pod pod) {
    return new BindingBuilder()
        .withNewMetadata()
        .withName(pod.getMetadata().getName())
        .withNamespace(pod.getMetadata().getNamespace())
        .endMetadata()
        .withNewTarget()
        .withKind("Node")
        .withName("node-" + Math.floorMod(pod.getMetadata().getName().hashCode(), NODES))
        .endTarget()
        .build();
  }

  private static String status(Pod pod) {
    var now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    var containers =
        pod.getSpec().getContainers().stream()
            .map(
                it ->
                    """
                    {"name": "%s", "image": "%s", "imageID": "", "ready": true, "started": true,
                     "restartCount": 0, "state": {"running": {"startedAt": "%s"}}}\
                    """
                        .formatted(it.getName(), it.getImage(), now))
            .collect(Collectors.joining(","));
    return """
    {"status": {"phase": "Running", "startTime": "%s", "podIP": "127.0.0.2",
      "podIPs": [{"ip": "127.0.0.2"}], "hostIP": "127.0.0.2", "containerStatuses": [%s],
      "conditions": [
        {"type": "Initialized", "status": "True", "lastTransitionTime": "%s"},
        {"type": "Ready", "status": "True", "lastTransitionTime": "%s"},
        {"type": "ContainersReady", "status": "True", "lastTransitionTime": "%s"}]}}\
    """
        .formatted(now, containers, now, now, now);
  }

  private final class Changes implements ResourceEventHandler<Pod> {
    @Override
    public void onAdd(Pod pod) {
      threads.execute(() -> run(pod));
    }

    @Override
    public void onUpdate(Pod before, Pod pod) {
      onAdd(pod);
    }

    @Override
    public void onDelete(Pod pod, boolean isFinalStateUnknown) {
      // It is deleted.
    }
  }

  @Override
  public void close() {
    pods.close();
    threads.shutdownNow();
  }
}
