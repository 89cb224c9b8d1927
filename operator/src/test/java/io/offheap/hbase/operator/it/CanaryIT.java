package io.offheap.hbase.operator.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The first server with a change does worse than its peers: on a real API server, with a model of
 * HBase in its pods and figures that are told.
 */
@ExtendWith(ApiServer.class)
class CanaryIT {
  private static final Duration LONG = Duration.ofSeconds(90);
  private static final String NAMESPACE = "canary";
  private static final String CANARY = "hb-regionserver-2";
  private static final String EVIDENCE = "heap share of allocated bytes 40.00 % against 0.00 %";
  private static final String RESOURCE =
      """
      apiVersion: hbase.offheap.io/v1alpha1
      kind: HBaseCluster
      metadata: {name: NAME, namespace: NAMESPACE}
      spec:
        zookeeper: {managed: {}}
        storage: {managedHdfs: {}}
        masters: {replicas: 2}
        rollout: {canary: {window: 2s}}
        regionServers:
          replicas: 3
          memory: {heap: 1Gi, offHeap: 512Mi}
      """;

  private ApiServer.Running server;
  private KubernetesClient client;
  private OperatorUnderTest operator;
  private StatefulSetSimulator simulator;
  private ModelHBases hbases;

  @BeforeEach
  void start(ApiServer.Running running) throws Exception {
    server = running;
    client = running.client();
    server.createNamespace(NAMESPACE);
    simulator = new StatefulSetSimulator(client, NAMESPACE);
    hbases = new ModelHBases(client);
    operator = OperatorUnderTest.start(server, hbases, NAMESPACE);
    client.resource(Clusters.parse(RESOURCE, NAMESPACE, "hb")).create();
    Clusters.awaitReady(client, NAMESPACE, "hb");
    await("last good").atMost(LONG).until(() -> status().lastGood() != null);
  }

  @AfterEach
  void stop() {
    operator.close();
    hbases.close();
    simulator.close();
  }

  @Test
  void aChangeThatMakesTheCanaryWorseIsTakenBackAndItsPeersAreNeverRestarted() {
    var uids = uids();
    var plans = simulator.planHashes("hb");
    tellHeapShares(pod -> plans.contains(plan(pod)) ? 0 : 0.4);

    setHeap("2Gi");

    var back = await("taken back").atMost(LONG).until(() -> status().takenBack(), Objects::nonNull);
    assertThat(back)
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.group()).isEmpty();
              assertThat(it.reason()).isEqualTo("CanaryWorse");
              assertThat(it.evidence()).containsExactly(EVIDENCE);
            });
    awaitSettled();
    // For as long as the same is declared, it stays taken back.
    server.auditLog().awaitQuiet(NAMESPACE);
    assertThat(simulator.planHashes("hb")).isEqualTo(plans);
    assertThat(status().takenBack()).isEqualTo(back);
    assertThat(Clusters.condition(cluster(), "RolledBack"))
        .hasValue(
            "True ChangeTakenBack: the default group runs as it last served: CanaryWorse, "
                + EVIDENCE);
    assertThat(notes("ChangeTakenBack")).containsExactly("CanaryWorse: " + EVIDENCE);
    // Once for the change, and once to take it back.
    assertThat(deletedPods()).containsExactly(CANARY, CANARY);
    var peers = new TreeMap<>(uids);
    assertThat(peers.remove(CANARY)).isNotEqualTo(uids().get(CANARY));
    assertThat(uids()).containsAllEntriesOf(peers);
    assertThat(hbases.of(NAMESPACE, "hb").lost()).isEmpty();
    assertThat(hbases.of(NAMESPACE, "hb").isBalancerOn()).isTrue();

    var before = uids();
    tellHeapShares(pod -> 0);
    setHeap("1536Mi");

    await("another change rolled out")
        .atMost(LONG)
        .until(() -> new HashSet<>(simulator.planHashes("hb")).size() == 1 && areOthers(before));
    awaitSettled();
    assertThat(simulator.planHashes("hb")).doesNotContainAnyElementsOf(plans);
    assertThat(deletedPods())
        .containsExactly(CANARY, CANARY, CANARY, "hb-regionserver-1", "hb-regionserver-0");
    assertThat(status().takenBack()).isNull();
    assertThat(Clusters.condition(cluster(), "RolledBack")).isEmpty();
    assertThat(hbases.of(NAMESPACE, "hb").lost()).isEmpty();
  }

  private void tellHeapShares(ToDoubleFunction<String> ofPod) {
    var figures = new ModelFigures(ofPod);
    var hbase = hbases.of(NAMESPACE, "hb");
    // Those that run now are known before any is replaced.
    assertThat(figures.of(hbase.view().orElseThrow())).hasSize(3);
    hbases.letTell(id -> hbase.view().map(figures::of).orElse(List.of()));
  }

  private HBaseCluster cluster() {
    return Clusters.get(client, NAMESPACE, "hb");
  }

  private HBaseClusterStatus status() {
    return cluster().getStatus();
  }

  private void awaitSettled() {
    await("nothing under way").atMost(LONG).until(() -> status().rollout() == null);
    Clusters.awaitReady(client, NAMESPACE, "hb");
  }

  private void setHeap(String heap) {
    var spec = Clusters.parse(RESOURCE.replace("1Gi", heap), NAMESPACE, "hb").getSpec();
    client
        .resources(HBaseCluster.class)
        .inNamespace(NAMESPACE)
        .withName("hb")
        .edit(
            it -> {
              it.setSpec(spec);
              return it;
            });
  }

  private String plan(String pod) {
    return client
        .pods()
        .inNamespace(NAMESPACE)
        .withName(pod)
        .get()
        .getMetadata()
        .getAnnotations()
        .get("hbase.offheap.io/plan-hash");
  }

  /** Uids of all pods. */
  private Map<String, String> uids() {
    var uids = new TreeMap<String, String>();
    client
        .pods()
        .inNamespace(NAMESPACE)
        .list()
        .getItems()
        .forEach(it -> uids.put(it.getMetadata().getName(), it.getMetadata().getUid()));
    return uids;
  }

  /** Whether every region server is in another pod than then. */
  private boolean areOthers(Map<String, String> before) {
    var now = uids();
    return Set.of("hb-regionserver-0", "hb-regionserver-1", CANARY).stream()
        .allMatch(it -> now.containsKey(it) && !now.get(it).equals(before.get(it)));
  }

  /** Pods that the operator has deleted, in their order. */
  private List<String> deletedPods() {
    return server.auditLog().writesIn(NAMESPACE).stream()
        .filter(it -> it.verb().equals("delete") && it.resource().equals("pods"))
        .map(AuditLog.Request::name)
        .toList();
  }

  private List<String> notes(String reason) {
    return client.v1().events().inNamespace(NAMESPACE).list().getItems().stream()
        .filter(it -> it.getReason().equals(reason))
        .map(it -> it.getMessage())
        .toList();
  }
}
