package io.offheap.hbase.operator.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.PlanSetting;
import io.offheap.hbase.operator.api.TuningStatus.Entry;
import io.offheap.hbase.operator.api.TuningStatus.Group;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.tune.Figure;
import io.offheap.hbase.operator.tune.Reading;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * From what region servers say to a plan that is rolled out, and back: on a real API server, with a
 * model of HBase in its pods and figures that are told.
 */
@ExtendWith(ApiServer.class)
class TuningIT {
  private static final Duration LONG = Duration.ofSeconds(90);
  private static final String NAMESPACE = "tuning";
  private static final String COUNT = "hbase.server.allocator.max.buffer.count";
  private static final String RESOURCE =
      """
      apiVersion: hbase.offheap.io/v1alpha1
      kind: HBaseCluster
      metadata: {name: NAME, namespace: NAMESPACE}
      spec:
        zookeeper: {managed: {}}
        storage: {managedHdfs: {}}
        masters: {replicas: 1}
        rollout: {canary: {enabled: false}}
        tuning: {mode: MODE, window: 10s, coolDown: 1s, shrinkBucketCache: true}
        regionServers:
          replicas: 2
          memory: {heap: 1Gi, offHeap: 512Mi}
      """;

  private KubernetesClient client;
  private OperatorUnderTest operator;
  private StatefulSetSimulator simulator;
  private ModelHBases hbases;

  @BeforeEach
  void start(ApiServer.Running running) throws Exception {
    client = running.client();
    running.createNamespace(NAMESPACE);
    simulator = new StatefulSetSimulator(client, NAMESPACE);
    hbases = new ModelHBases(client);
    operator = OperatorUnderTest.start(running, hbases, NAMESPACE);
    client.resource(resource("Recommend")).create();
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
  void aPoolThatIsTooSmallIsRecommendedThenTriedThenDroppedWithTuning() {
    long declared = planned();
    var hashes = simulator.planHashes("hb");
    assertThat(group().values()).isEmpty();

    hbases.letObserve(id -> missing(declared));

    var recommended =
        await("recommendation")
            .atMost(LONG)
            .until(() -> group().recommendation(), Objects::nonNull);
    assertThat(recommended.rule()).isEqualTo("PoolTooSmall");
    assertThat(recommended.evidence()).anyMatch(it -> it.contains("found the pool empty"));
    long wanted = Long.parseLong(recommended.values().get(COUNT));
    assertThat(wanted).isGreaterThan(declared);
    assertThat(Clusters.condition(cluster(), "Tuned").orElseThrow())
        .startsWith("True Recommended")
        .contains("waits for approval of " + recommended.id());
    assertThat(simulator.planHashes("hb")).as("nothing is done unasked").isEqualTo(hashes);

    approve(recommended.id());

    await("every server runs it")
        .atMost(LONG)
        .until(() -> simulator.planHashes("hb").stream().noneMatch(hashes::contains));
    assertThat(planned()).isEqualTo(wanted);
    assertThat(setting().source()).isEqualTo("tuned");
    assertThat(setting().reason())
        .startsWith("tuned by PoolTooSmall; derived would be " + declared);
    assertThat(group().trial().rule()).isEqualTo("PoolTooSmall");
    assertThat(cluster().getSpec())
        .as("the spec stays as declared")
        .isEqualTo(resource("Recommend").getSpec());
    assertThat(operator.get("/metrics").body())
        .contains(
            "hbase_offheap_tuning_changes_total{rule=\"PoolTooSmall\",event=\"Applied\",} 1.0");

    setMode("Off");

    await("the plan as declared")
        .atMost(LONG)
        .until(() -> simulator.planHashes("hb").equals(hashes));
    assertThat(planned()).isEqualTo(declared);
    assertThat(group().values()).isEmpty();
    assertThat(group().history()).extracting(Entry::event).containsExactly("Applied", "Dropped");
    assertThat(Clusters.condition(cluster(), "Tuned")).isEmpty();
  }

  /** Two servers whose requests find the pool empty nine times in ten. */
  private List<Reading> missing(long buffers) {
    var now = Instant.now();
    var started = now.minus(Duration.ofHours(1)).toEpochMilli();
    return Stream.of("hb-regionserver-0", "hb-regionserver-1")
        .flatMap(
            pod ->
                IntStream.rangeClosed(0, 12)
                    .mapToObj(
                        it ->
                            new Reading(
                                pod,
                                pod + ",0," + started,
                                now.minusSeconds(12 - it),
                                figures(buffers, it))))
        .toList();
  }

  private static Map<Figure, Double> figures(long buffers, int seconds) {
    var figures = new EnumMap<Figure, Double>(Figure.class);
    figures.put(Figure.ALLOCATOR_POOL_BYTES, seconds * 40.0 * (1 << 20));
    figures.put(Figure.ALLOCATOR_HEAP_BYTES, seconds * 20.0 * (1 << 20));
    figures.put(Figure.ALLOCATOR_TOTAL_BUFFERS, (double) buffers);
    figures.put(Figure.ALLOCATOR_CREATED_BUFFERS, (double) buffers);
    figures.put(Figure.ALLOCATOR_POOL_EMPTY_COUNT, seconds * 1000.0);
    return figures;
  }

  private static HBaseCluster resource(String mode) {
    return Clusters.parse(RESOURCE.replace("MODE", mode), NAMESPACE, "hb");
  }

  private HBaseCluster cluster() {
    return Clusters.get(client, NAMESPACE, "hb");
  }

  private HBaseClusterStatus status() {
    return cluster().getStatus();
  }

  private Group group() {
    return status().tuning().groups().get(0);
  }

  private PlanSetting setting() {
    return status().memoryPlan().settings().stream()
        .filter(it -> it.key().equals(COUNT))
        .findFirst()
        .orElseThrow();
  }

  private long planned() {
    return Long.parseLong(setting().value());
  }

  private void approve(String id) {
    client
        .resources(HBaseCluster.class)
        .inNamespace(NAMESPACE)
        .withName("hb")
        .edit(
            it -> {
              it.getMetadata().setAnnotations(Map.of(Labels.APPLY_TUNING, id));
              return it;
            });
  }

  private void setMode(String mode) {
    client
        .resources(HBaseCluster.class)
        .inNamespace(NAMESPACE)
        .withName("hb")
        .edit(
            it -> {
              it.setSpec(resource(mode).getSpec());
              return it;
            });
  }
}
