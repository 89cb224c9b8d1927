package io.offheap.hbase.operator.it;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.offheap.hbase.operator.deploy.Labels;

/** Writes what a kubelet reports of a pod whose server does not start. */
final class KubeletReports {
  private KubeletReports() {}

  /** The server ends at its start, with a last line of its log. */
  static void endTwice(KubernetesClient client, Pod pod, String message) {
    report(
        client,
        pod,
        1,
        waiting("back-off", "CrashLoopBackOff"),
        new ContainerStateBuilder()
            .withNewTerminated()
            .withExitCode(1)
            .withReason("Error")
            .withMessage(message)
            .endTerminated()
            .build());
  }

  /** The registry does not have the image. */
  static void cannotPull(KubernetesClient client, Pod pod) {
    report(client, pod, 0, waiting("not found", "ErrImagePull"), null);
  }

  private static ContainerState waiting(String message, String reason) {
    return new ContainerStateBuilder().withNewWaiting(message, reason).build();
  }

  /** Writes the status of the pod's server, whose container is named after its role. */
  private static void report(
      KubernetesClient client, Pod pod, int restarts, ContainerState state, ContainerState last) {
    client
        .resource(pod)
        .editStatus(
            it ->
                new PodBuilder(it)
                    .editOrNewStatus()
                    .withContainerStatuses(
                        new ContainerStatusBuilder()
                            .withName(pod.getMetadata().getLabels().get(Labels.COMPONENT))
                            .withImage("it")
                            .withImageID("it")
                            .withReady(false)
                            .withRestartCount(restarts)
                            .withState(state)
                            .withLastState(last)
                            .build())
                    .endStatus()
                    .build());
  }
}
