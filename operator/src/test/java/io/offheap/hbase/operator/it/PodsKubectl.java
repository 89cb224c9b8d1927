package io.offheap.hbase.operator.it;

import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/**
 * What a kubelet does for kubectl, logs and exec, by a script that stands before the real kubectl
 * and leaves everything else to it. A script for the pod's bash is run here, with another port in
 * place of the region server's.
 */
final class PodsKubectl {
  private static final int REGION_SERVER_HTTP = 16030;

  private PodsKubectl() {}

  /**
   * Writes the script.
   *
   * @param folder comes before the real kubectl's on the PATH
   * @param port stands in for the region server's
   * @param calls the file that gets the arguments of each exec of the administration tools
   */
  static void write(Path folder, int port, Path calls) throws IOException {
    var file =
        Files.writeString(
            folder.resolve("kubectl"),
            """
            #!/usr/bin/env bash
            case " $* " in
              *" logs "*-lost*) echo 'Error from server (NotFound): pod is lost' >&2; exit 1 ;;
              *" logs "*)
                echo "log of ${*: -1} with password=hunter2"
                [[ $* != *-large* ]] || { head -c 6000000 /dev/zero | tr '\\0' x; echo ' token=hunter2'; }
                ;;
              *" exec "*" bash -c "*) script=${*: -1}; exec bash -c "${script//%d/%d}" ;;
              *" exec "*" jcmd "*) echo 'Full thread dump' ;;
              *" exec "*) echo "$*" >> %s; exit 1 ;;
              *) exec %s/kubectl "$@" ;;
            esac
            """
                .formatted(REGION_SERVER_HTTP, port, calls, ClusterScript.run("tools")));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Creates a pod of a cluster; nothing runs it. */
  static void create(
      KubernetesClient client, String namespace, String cluster, String role, String pod) {
    client
        .resource(
            new PodBuilder()
                .withNewMetadata()
                .withName(pod)
                .withNamespace(namespace)
                .withLabels(
                    Map.of(
                        "app.kubernetes.io/managed-by",
                        "hbase-offheap-operator",
                        "app.kubernetes.io/instance",
                        cluster,
                        "app.kubernetes.io/component",
                        role))
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName(role)
                .withImage("none")
                .addNewEnv()
                .withName("DB_PASSWORD")
                .withValue("hunter2")
                .endEnv()
                .endContainer()
                .endSpec()
                .build())
        .create();
  }
}
