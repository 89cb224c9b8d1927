package io.offheap.hbase.e2e;

import java.util.stream.Stream;

/** The machines of the Kubernetes cluster, which are containers here. */
record Nodes(Shell shell) {
  private static final String REGISTRY = "docker.io/";

  /** Evicts one pod of a node alone; {@link #uncordon} is to follow. */
  void drain(String node, String pod) {
    shell.output(
        "kubectl",
        "drain",
        node,
        "--ignore-daemonsets",
        "--delete-emptydir-data",
        "--pod-selector=statefulset.kubernetes.io/pod-name=" + pod,
        "--timeout=300s");
  }

  /** Its kubelet reports nothing; its pods run. {@link #awake} is to follow. */
  void silence(String node) {
    shell.output("docker", "exec", node, "systemctl", "stop", "kubelet");
  }

  /** Its kubelet reports again. */
  void awake(String node) {
    shell.output("docker", "exec", node, "systemctl", "start", "kubelet");
  }

  /** Lets pods come to a node again. */
  void uncordon(String node) {
    shell.output("kubectl", "uncordon", node);
  }

  /** Another name for an image that is there: to bring it there again would only busy the disk. */
  void tag(String image, String other) {
    shell
        .output("kubectl", "get", "nodes", "-o", "jsonpath={.items[*].metadata.name}")
        .lines()
        .flatMap(line -> Stream.of(line.split(" ")))
        .forEach(
            node ->
                shell.output(
                    "docker",
                    "exec",
                    node,
                    "ctr",
                    "--namespace",
                    "k8s.io",
                    "images",
                    "tag",
                    "--force",
                    REGISTRY + image,
                    REGISTRY + other));
  }
}
