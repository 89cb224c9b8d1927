package io.offheap.hbase.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The operator's pods, of which the one that holds the lease leads and the others stand by. */
record OperatorReplicas(Shell shell) {
  private static final String NAMESPACE = "hbase-offheap";
  private static final String RELEASE = "hbase-offheap";
  private static final String DEPLOYMENT = RELEASE + "-hbase-offheap-operator";
  private static final String CHART = "charts/hbase-offheap-operator";

  /** The chart's own way to more or fewer of them; waits until they are all there. */
  void scaleTo(int replicas) {
    upgrade(replicas);
  }

  /** So many with these further options of {@code helm}; waits until they are all there. */
  void upgrade(int replicas, String... options) {
    var command =
        new ArrayList<>(
            List.of(
                "helm",
                "upgrade",
                RELEASE,
                CHART,
                "--namespace",
                NAMESPACE,
                "--reuse-values",
                "--set",
                "replicas=" + replicas,
                "--wait",
                "--timeout",
                "180s"));
    command.addAll(List.of(options));
    shell.output(command.toArray(String[]::new));
    await(replicas + " operators, one of which leads")
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofSeconds(1))
        .ignoreException(IllegalStateException.class)
        .untilAsserted(
            () -> {
              assertThat(pods()).hasSize(replicas).containsKey(leader());
              assertThat(pods().values()).containsOnly(true);
            });
  }

  /** Whether each is ready, by its name; of those that are not going. */
  SortedMap<String, Boolean> pods() {
    var pods = new TreeMap<String, Boolean>();
    for (JsonNode item : get("pods", "-l", "app.kubernetes.io/component=operator").path("items")) {
      if (!item.path("metadata").has("deletionTimestamp")) {
        pods.put(
            item.path("metadata").path("name").asText(),
            item.path("status").path("containerStatuses").path(0).path("ready").asBoolean());
      }
    }
    return pods;
  }

  /** The pod that holds the lease; empty while none does. */
  String leader() {
    return lease().path("holderIdentity").asText().replaceFirst("_.*", "");
  }

  /** How often the lease went from one to another. */
  int transitions() {
    return lease().path("leaseTransitions").asInt();
  }

  /** The ready pods that report that they lead. */
  List<String> leaders() {
    var leaders = new ArrayList<String>();
    var pods = pods();
    pods.values().removeIf(isReady -> !isReady);
    for (String pod : pods.keySet()) {
      var metrics = "/api/v1/namespaces/" + NAMESPACE + "/pods/" + pod + ":8080/proxy/metrics";
      if (shell
          .output("kubectl", "get", "--raw", metrics)
          .lines()
          .anyMatch(line -> line.matches("hbase_offheap_leader 1(\\.0)?"))) {
        leaders.add(pod);
      }
    }
    return leaders;
  }

  /**
   * Ends a pod as a node does that loses its power: the process is halted, so that it gives nothing
   * back, and nothing waits for its pod.
   */
  void kill(String pod) {
    var object = get("pod", pod);
    var container =
        object
            .path("status")
            .path("containerStatuses")
            .path(0)
            .path("containerID")
            .asText()
            .replaceFirst("containerd://", "");
    var node = object.path("spec").path("nodeName").asText();
    shell.output(
        "docker", "exec", node, "ctr", "-n", "k8s.io", "tasks", "kill", "-s", "SIGKILL", container);
    shell.output(
        "kubectl",
        "-n",
        NAMESPACE,
        "delete",
        "pod",
        pod,
        "--force",
        "--grace-period=0",
        "--wait=false");
  }

  /** Ends all of them as {@link #kill} does; none comes in their place before the next upgrade. */
  void end() {
    pods().keySet().forEach(this::kill);
    shell.output("kubectl", "-n", NAMESPACE, "scale", "deployment", DEPLOYMENT, "--replicas=0");
  }

  /** How often their containers ended by themselves. */
  int restarts() {
    int restarts = 0;
    for (JsonNode pod : get("pods", "-l", "app.kubernetes.io/component=operator").path("items")) {
      restarts += pod.path("status").path("containerStatuses").path(0).path("restartCount").asInt();
    }
    return restarts;
  }

  /** The image of their pods. */
  String image() {
    return get("deployment", DEPLOYMENT)
        .path("spec")
        .path("template")
        .path("spec")
        .path("containers")
        .path(0)
        .path("image")
        .asText();
  }

  void showLogs() {
    pods()
        .keySet()
        .forEach(pod -> shell.show("kubectl", "-n", NAMESPACE, "logs", pod, "--tail=200"));
  }

  private JsonNode lease() {
    return get("leases").path("items").path(0).path("spec");
  }

  private JsonNode get(String... what) {
    var command = new ArrayList<>(List.of("kubectl", "-n", NAMESPACE, "get"));
    command.addAll(List.of(what));
    command.addAll(List.of("-o", "json"));
    return RolloutCluster.parse(shell.output(command.toArray(String[]::new)));
  }
}
