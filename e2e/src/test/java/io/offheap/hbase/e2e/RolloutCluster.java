package io.offheap.hbase.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * An HBaseCluster with a client pod, which reports the state of HBase, and a pod that makes load:
 * that of {@code rollout/cluster.yaml} in a namespace of its own, or one that exists.
 */
final class RolloutCluster {
  private static final String ROLLOUT = "rollout";
  private static final String RESOURCES = "e2e/src/test/resources/rollout/";
  private static final Duration READY_WITHIN = Duration.ofMinutes(8);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Kubectl kubectl;
  private final String name;
  private final LoadPod load;

  /** The cluster of {@code rollout/cluster.yaml}. */
  RolloutCluster(Kubectl kubectl) {
    this(kubectl, ROLLOUT);
  }

  /** A cluster that {@link #apply} is not called for. */
  RolloutCluster(Kubectl kubectl, String name) {
    this.kubectl = kubectl;
    this.name = name;
    this.load = new LoadPod(kubectl, name + "-load");
  }

  String name() {
    return name;
  }

  /**
   * A pod of the cluster.
   *
   * @param readySince since when; empty where it is not ready, or is going
   * @param restarts how often its container ended and was started again
   */
  record Pod(
      String name,
      String uid,
      String node,
      Instant created,
      Optional<Instant> readySince,
      String image,
      int restarts) {
    static Pod of(JsonNode pod) {
      var metadata = pod.path("metadata");
      var readySince = Optional.<Instant>empty();
      for (JsonNode condition : pod.path("status").path("conditions")) {
        if (condition.path("type").asText().equals("Ready")
            && condition.path("status").asText().equals("True")
            && !metadata.has("deletionTimestamp")) {
          readySince = Optional.of(Instant.parse(condition.path("lastTransitionTime").asText()));
        }
      }
      return new Pod(
          metadata.path("name").asText(),
          metadata.path("uid").asText(),
          pod.path("spec").path("nodeName").asText(),
          Instant.parse(metadata.path("creationTimestamp").asText()),
          readySince,
          pod.path("spec").path("containers").path(0).path("image").asText(),
          restarts(pod));
    }

    /** Of all its containers: the kubelet sorts their states by name. */
    private static int restarts(JsonNode pod) {
      int restarts = 0;
      for (JsonNode container : pod.path("status").path("containerStatuses")) {
        restarts += container.path("restartCount").asInt();
      }
      return restarts;
    }

    boolean isReady() {
      return readySince.isPresent();
    }

    /** From its creation until it was ready. */
    Optional<Duration> startTime() {
      return readySince.map(it -> Duration.between(created, it));
    }
  }

  LoadPod load() {
    return load;
  }

  ClientPod client() {
    return new ClientPod(kubectl, name + "-client");
  }

  /** A new namespace, in place of one that an earlier run left. */
  void makeNamespace() {
    var namespace = kubectl.namespace();
    kubectl.output("delete", "namespace", namespace, "--ignore-not-found", "--timeout=300s");
    kubectl.output("create", "namespace", namespace);
  }

  /** Makes the cluster as {@code cluster.yaml} has it. */
  void apply() {
    apply("{}");
  }

  /** Makes the cluster of {@code cluster.yaml}, with a merge patch. */
  void apply(String patch) {
    apply(RESOURCES + "cluster.yaml", "merge", patch);
  }

  /** Makes a pod of the load generator with these arguments, as {@code load.yaml} has it. */
  void applyLoad(String pod, String... arguments) {
    var args = JSON.createArrayNode();
    List.of(arguments).forEach(args::add);
    apply(
        RESOURCES + "load.yaml",
        "json",
        """
        [{"op": "replace", "path": "/metadata/name", "value": "%s"},
         {"op": "replace", "path": "/spec/containers/0/args", "value": %s},
         {"op": "replace", "path": "/spec/volumes/0/configMap/name", "value": "%s-client"}]
        """
            .formatted(pod, args, name));
  }

  private void applyClient() {
    apply(
        "examples/client.yaml",
        "json",
        """
        [{"op": "replace", "path": "/metadata/name", "value": "%1$s-client"},
         {"op": "replace", "path": "/spec/volumes/0/configMap/name", "value": "%1$s-client"}]
        """
            .formatted(name));
  }

  private void apply(String file, String patchType, String patch) {
    var script =
        "kubectl patch --local -f \"$1\" --type=\"$2\" -p \"$3\" -o json"
            + " | kubectl -n \"$4\" apply -f -";
    kubectl
        .shell()
        .output(
            "bash",
            "-euo",
            "pipefail",
            "-c",
            script,
            "apply",
            file,
            patchType,
            patch,
            kubectl.namespace());
  }

  /** Frees its share of the machine for the next test. */
  void remove() {
    kubectl.output("delete", "namespace", kubectl.namespace(), "--wait=false");
  }

  /** Waits for the cluster to serve, and for its client pod. */
  void awaitReady() {
    await("a cluster that serves")
        .atMost(READY_WITHIN)
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(
            () -> assertThat(kubectl.condition(name, "Ready")).startsWith("True AllServing"));
    applyClient();
    client().awaitReady();
  }

  /**
   * Starts the load, and waits until its rows are everywhere.
   *
   * @param operations how many at least
   * @param rate how many a second at most
   * @param regions of its table
   */
  void startLoad(long operations, int rate, int regions) {
    applyLoad(
        load.name(),
        "load",
        "--operations=" + operations,
        "--rate=" + rate,
        "--until=/tmp/stop",
        "--regions=" + regions,
        "--keep");
    await("the load")
        .atMost(Duration.ofMinutes(3))
        .pollInterval(Duration.ofSeconds(1))
        .ignoreExceptions()
        .until(() -> load.operations() > 5_000);
  }

  /** The rollout that is under way; a missing node for none. */
  JsonNode rollout() {
    return resource().path("status").path("rollout");
  }

  /**
   * The first region server that is being restarted: its pod, a space, and the step; empty for
   * none.
   */
  String restarting() {
    var server = rollout().path("servers").path(0);
    return (server.path("pod").asText() + " " + server.path("step").asText()).strip();
  }

  void patch(String patch) {
    kubectl.output("patch", "hbc", name, "--warnings-as-errors", "--type=merge", "-p", patch);
  }

  /** The whole resource. */
  JsonNode resource() {
    return parse(kubectl.output("get", "hbc", name, "-o", "json"));
  }

  /** HBase's own state; requested again if a server stops meanwhile. */
  JsonNode state() {
    return await("HBase's state")
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofSeconds(1))
        .ignoreException(IllegalStateException.class)
        .until(() -> client().report("state"), it -> true);
  }

  /** Pods of a role, by name. */
  SortedMap<String, Pod> pods(String role) {
    var selector = "app.kubernetes.io/instance=" + name + ",app.kubernetes.io/component=" + role;
    var pods = new TreeMap<String, Pod>();
    for (JsonNode item :
        parse(kubectl.output("get", "pods", "-l", selector, "-o", "json")).path("items")) {
      var pod = Pod.of(item);
      pods.put(pod.name(), pod);
    }
    return pods;
  }

  /** Region servers by their pods, as HBase's server names begin with. */
  static List<String> podsOf(JsonNode serverNames) {
    var pods = new ArrayList<String>();
    serverNames.forEach(name -> pods.add(podOf(name.asText())));
    return pods;
  }

  static String podOf(String serverName) {
    return serverName.substring(0, serverName.indexOf('.'));
  }

  /**
   * Waits for the end of a rollout that began after a time, and returns its restarts, the first one
   * first. Each state of the resource in between is passed on.
   *
   * @throws AssertionError if a change is rolled back
   */
  List<RestartedServer> awaitRollout(
      String what, Instant since, Duration within, Consumer<JsonNode> look) {
    await(what)
        .atMost(within)
        .pollInterval(Duration.ofSeconds(1))
        // A kubectl that failed under load.
        .ignoreException(IllegalStateException.class)
        .until(
            () -> {
              var resource = resource();
              look.accept(resource);
              var status = resource.path("status");
              assertThat(status.path("rolledBack")).as("changes rolled back").isEmpty();
              return isOver(resource, since);
            });
    var pods = pods("regionserver");
    var servers = new ArrayList<RestartedServer>();
    for (JsonNode server : resource().path("status").path("lastRollout").path("servers")) {
      var pod = Optional.ofNullable(pods.get(server.path("pod").asText()));
      servers.add(0, RestartedServer.of(server, pod));
    }
    return servers;
  }

  /** Whether a rollout that began after a time is over, as a state of the resource has it. */
  boolean isOver(JsonNode resource, Instant since) {
    var status = resource.path("status");
    var ended = status.path("lastRollout").path("ended").asText();
    return !ended.isEmpty()
        && Instant.parse(ended).isAfter(since)
        && status.path("rollout").isMissingNode()
        && status.path("observedGeneration").asLong()
            == resource.path("metadata").path("generation").asLong()
        && kubectl.condition(name, "Progressing").startsWith("False")
        && kubectl.condition(name, "Ready").startsWith("True");
  }

  /** Balancer and normalizer are as they were, and nothing is left behind. */
  void assertLeftAsFound(JsonNode before) {
    await("a cluster at rest")
        .atMost(Duration.ofMinutes(3))
        .pollInterval(Duration.ofSeconds(2))
        .untilAsserted(
            () -> {
              var now = state();
              assertThat(now.path("balancer")).as("balancer").isEqualTo(before.path("balancer"));
              assertThat(now.path("normalizer"))
                  .as("normalizer")
                  .isEqualTo(before.path("normalizer"));
              assertThat(now.path("drainingServers")).as("draining servers").isEmpty();
              assertThat(now.path("regionsInTransition")).as("in transition").isEmpty();
            });
  }

  /** No server ended but with its pod; of one that did, its last words are shown. */
  void assertNoServerCrashed() {
    var crashed = pods("regionserver").values().stream().filter(it -> it.restarts() > 0).toList();
    crashed.forEach(it -> kubectl.show("logs", it.name(), "--previous", "--tail=200"));
    assertThat(crashed)
        .as(
            "region servers that ended by themselves: %s",
            crashed.stream().map(this::lastWords).toList())
        .isEmpty();
  }

  /** How its last process ended, and its own message. */
  private String lastWords(Pod pod) {
    var terminated = "{.status.containerStatuses[0].lastState.terminated}";
    return kubectl.jsonPath("pod/" + pod.name(), terminated)
        + kubectl
            .output("logs", pod.name(), "--previous")
            .lines()
            .filter(line -> line.contains("ABORTING region server"))
            .map(line -> "\n" + line)
            .findFirst()
            .orElse("");
  }

  static JsonNode parse(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(json, e);
    }
  }
}
