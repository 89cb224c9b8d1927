package io.offheap.hbase.operator.it;

import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Forwards a port to the operator's pod, which only a kubelet does: a script that stands before the
 * real kubectl and leaves everything else to it.
 */
final class ForwardingKubectl {
  private ForwardingKubectl() {}

  /**
   * Writes the script.
   *
   * @param folder comes before the real kubectl's on the PATH
   * @param port where the page is
   * @param forwarded the file that gets the process and the arguments of the forward
   */
  static void write(Path folder, int port, Path forwarded) throws IOException {
    var file =
        Files.writeString(
            folder.resolve("kubectl"),
            """
            #!/usr/bin/env bash
            if [[ $* == *port-forward* ]]; then
              echo "$$ $*" > %s
              echo 'Forwarding from 127.0.0.1:%s -> 8083'
              exec sleep 600
            fi
            exec %s/kubectl "$@"
            """
                .formatted(forwarded, port, ClusterScript.run("tools")));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Creates pods with the labels of the operator's. */
  static void createOperatorPods(KubernetesClient client, String namespace, String... names) {
    for (var pod : names) {
      client
          .resource(
              new PodBuilder()
                  .withNewMetadata()
                  .withName(pod)
                  .withNamespace(namespace)
                  .addToLabels("app.kubernetes.io/name", "hbase-offheap-operator")
                  .addToLabels("app.kubernetes.io/component", "operator")
                  .endMetadata()
                  .withNewSpec()
                  .addNewContainer()
                  .withName("operator")
                  .withImage("none")
                  .endContainer()
                  .endSpec()
                  .build())
          .create();
    }
  }
}
