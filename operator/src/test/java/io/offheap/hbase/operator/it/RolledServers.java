package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The servers of a cluster with two masters and three region servers, as a rollout changes them.
 */
final class RolledServers {
  static final String RESOURCE =
      """
      apiVersion: hbase.offheap.io/v1alpha1
      kind: HBaseCluster
      metadata: {name: NAME, namespace: NAMESPACE}
      spec:
        zookeeper: {managed: {}}
        storage: {managed: {}}
        masters: {replicas: 2}
        rollout: {canary: {window: 1s}}
        regionServers:
          replicas: 3
          memory: {heap: 1Gi, offHeap: 512Mi}
      """;

  private final ServingCluster hb;

  /**
   * The servers of a cluster.
   *
   * @param hb a cluster of {@link #RESOURCE}
   */
  RolledServers(ServingCluster hb) {
    this.hb = hb;
  }

  /** Declares another heap for region servers and masters, so that all of them restart. */
  void setHeap(String heap) {
    edit(
        "heap: 1Gi",
        "heap: " + heap,
        "masters: {replicas: 2}",
        "masters: {replicas: 2, heap: 2Gi}");
  }

  /** Declares {@link #RESOURCE} with texts replaced: the first by the second, and so on. */
  void edit(String... replacements) {
    var yaml = RESOURCE;
    for (int i = 0; i < replacements.length; i += 2) {
      assertThat(yaml).contains(replacements[i]);
      yaml = yaml.replace(replacements[i], replacements[i + 1]);
    }
    hb.declare(yaml);
  }

  /** Uids of the pods of region servers and masters. */
  Map<String, String> uids() {
    var uids = hb.uids();
    uids.keySet().removeIf(it -> !it.contains("-regionserver-") && !it.contains("-master-"));
    return uids;
  }

  /** Whether every region server and master has a new pod, and no rollout is under way. */
  boolean isDone(Map<String, String> uids) {
    var now = uids();
    return now.size() == uids.size()
        && now.values().stream().noneMatch(uids::containsValue)
        && hb.status().rollout() == null;
  }

  void awaitDone(Map<String, String> uids) {
    await("all restarted").atMost(LONG).until(() -> isDone(uids));
    hb.awaitReady();
  }

  static boolean isServer(Pod pod) {
    return pod.getMetadata().getName().contains("-regionserver-");
  }

  /** Pods of region servers. */
  List<Pod> serverPods() {
    return hb.pods().stream().filter(RolledServers::isServer).toList();
  }

  static String plan(Pod pod) {
    return pod.getMetadata().getAnnotations().get("hbase.offheap.io/plan-hash");
  }

  /** Plans that region servers run with. */
  Set<String> planHashes() {
    return serverPods().stream().map(RolledServers::plan).collect(Collectors.toSet());
  }

  Set<String> eventReasons() {
    return hb.events().stream().map(Event::getReason).collect(Collectors.toSet());
  }
}
