package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.offheap.hbase.operator.api.HBaseClusterStatus.RegionServer;
import io.offheap.hbase.operator.api.HBaseClusterStatus.RegionServer.State;
import io.offheap.hbase.operator.api.TuningStatus.Entry;
import io.offheap.hbase.operator.api.TuningStatus.Group;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.status.TuningStatuses;
import io.offheap.hbase.operator.tune.Metric;
import io.offheap.hbase.operator.tune.Reading;
import io.offheap.hbase.operator.tune.TuningState;
import io.offheap.hbase.operator.tune.TuningStep;
import io.offheap.hbase.operator.tune.TuningStep.Activity;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Tuning from the region servers' metrics to a rollout, and its rollback: on a real API server,
 * with a model of HBase in its pods and given metrics.
 */
@ExtendWith(ApiServer.class)
@Execution(ExecutionMode.CONCURRENT)
class TuningIT {
  private static final String COUNT = "hbase.server.allocator.max.buffer.count";
  private static final String RESOURCE =
      """
      apiVersion: hbase.offheap.io/v1alpha1
      kind: HBaseCluster
      metadata: {name: NAME, namespace: NAMESPACE}
      spec:
        zookeeper: {managed: {}}
        storage: {managed: {}}
        masters: {replicas: 1}
        rollout: {canary: {enabled: false}}
        tuning: {mode: MODE, window: 10s, coolDown: 1s, shrinkBucketCache: true}
        regionServers:
          replicas: 2
          memory: {heap: 1Gi, offHeap: 512Mi}
      """;

  private static final String OTHER_GROUP =
      """
        regionServerGroups:
          - {name: other, replicas: 1}
      """;

  private KubernetesClient client;
  private String namespace;
  private ServingCluster hb;

  @BeforeEach
  void start(ApiServer.Running server, TestInfo test) throws Exception {
    client = server.client();
    namespace = server.createNamespace(test);
    hb = ServingCluster.start(server, namespace, resource("Recommend"));
  }

  @AfterEach
  void stop() {
    hb.close();
  }

  @Test
  void smallPoolIsRecommendedThenTriedThenDroppedWithTuning() {
    long declared = planned();
    var hashes = planHashes();
    assertThat(group().values()).isEmpty();

    hb.hbases().setReadings(id -> missing(declared));

    var recommended =
        await("recommendation")
            .atMost(LONG)
            .until(() -> group().recommendation(), Objects::nonNull);
    assertThat(recommended.rule()).isEqualTo("PoolTooSmall");
    assertThat(recommended.evidence()).anyMatch(it -> it.contains("found the pool empty"));
    long wanted = Long.parseLong(recommended.values().get(COUNT));
    assertThat(wanted).isGreaterThan(declared);
    assertThat(hb.condition("Tuned").orElseThrow())
        .startsWith("True Recommended")
        .contains("waits for approval of " + recommended.id());
    assertThat(planHashes()).as("nothing is done unasked").isEqualTo(hashes);

    hb.annotate(Labels.APPLY_TUNING, recommended.id());

    await("every server runs it")
        .atMost(LONG)
        .until(() -> planHashes().stream().noneMatch(hashes::contains));
    assertThat(planned()).isEqualTo(wanted);
    assertThat(setting().path("source").asText()).isEqualTo("tuned");
    assertThat(setting().path("reason").asText())
        .startsWith("tuned by PoolTooSmall; derived would be " + declared);
    assertThat(group().trial().rule()).isEqualTo("PoolTooSmall");
    assertThat(hb.resource().getSpec())
        .as("the spec stays as declared")
        .isEqualTo(Clusters.parse(resource("Recommend"), namespace, "hb").getSpec());
    assertThat(hb.operator().get("/metrics").body())
        .contains(
            "hbase_offheap_tuning_changes_total{rule=\"PoolTooSmall\",event=\"Applied\",} 1.0");

    hb.declare(resource("Disabled"));

    await("the plan as declared").atMost(LONG).until(() -> planHashes().equals(hashes));
    assertThat(planned()).isEqualTo(declared);
    assertThat(group().values()).isEmpty();
    assertThat(group().history()).extracting(Entry::event).containsExactly("Applied", "Dropped");
    assertThat(hb.condition("Tuned")).isEmpty();
  }

  @Test
  void dismissedRecommendationStaysDismissedAfterRestartOfOperator() throws Exception {
    long declared = planned();
    var hashes = planHashes();
    hb.hbases().setReadings(id -> missing(declared));
    var recommended =
        await("recommendation")
            .atMost(LONG)
            .until(() -> group().recommendation(), Objects::nonNull);

    hb.annotate(Labels.DISMISS_TUNING, recommended.id());

    await("dismissed").atMost(LONG).until(() -> group().recommendation() == null);
    await("what it finds now")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(hb.condition("Tuned"))
                    .hasValue(
                        "True Watching: PoolTooSmall: its change was dismissed; finds no other"));
    assertThat(group().rules().get(0).dismissed().values()).isEqualTo(recommended.values());

    hb.operator().close();
    hb.annotate(Labels.DISMISS_TUNING, "another");
    hb.startOperator();

    await("the rule proposes it again")
        .atMost(LONG)
        .until(
            () ->
                hb.operator()
                    .get("/metrics")
                    .body()
                    .lines()
                    .anyMatch(
                        it ->
                            it.startsWith(
                                    "hbase_offheap_tuning_decisions_total{rule=\"PoolTooSmall\",reason=\"Proposed\"")
                                && !it.endsWith(" 0.0")));
    hb.awaitQuiet();
    assertThat(group().recommendation()).isNull();
    assertThat(planHashes()).isEqualTo(hashes);
  }

  @Test
  void changeIsComparedWithServersOfOtherGroups() {
    long buffers = planned();
    hb.declare(resource("Auto") + OTHER_GROUP);
    await("servers of the other group")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(hb.status().regionServers())
                    .extracting(RegionServer::state)
                    .containsExactly(State.Serving, State.Serving, State.Serving));

    hb.hbases()
        .setReadings(
            id ->
                Stream.concat(
                        missing(buffers).stream(), readings("hb-regionserver-other-0", buffers, 10))
                    .toList());

    var trial = await("trial").atMost(LONG).until(() -> group().trial(), Objects::nonNull);
    assertThat(trial.baseline().symptomPerMillion()).isCloseTo(333_333L, within(1_000L));
    assertThat(trial.baseline().peersPerMillion()).isCloseTo(200_000L, within(1_000L));
  }

  @Test
  void onlyRegionServerIsNotRestartedWithoutApproval() {
    long buffers = planned();
    hb.declare(resource("Auto").replace("replicas: 2", "replicas: 1"));
    await("one server")
        .atMost(LONG)
        .untilAsserted(() -> assertThat(hb.status().regionServers()).hasSize(1));
    var hashes = planHashes();

    hb.hbases().setReadings(id -> readings("hb-regionserver-0", buffers, 20).toList());

    var recommended =
        await("recommendation")
            .atMost(LONG)
            .until(() -> group().recommendation(), Objects::nonNull);
    assertThat(hb.condition("Tuned").orElseThrow())
        .startsWith("True Recommended")
        .contains("waits for approval of " + recommended.id());
    assertThat(planHashes()).isEqualTo(hashes);
  }

  /** Two servers whose requests find the pool empty nine times in ten. */
  static List<Reading> missing(long buffers) {
    return Stream.of("hb-regionserver-0", "hb-regionserver-1")
        .flatMap(pod -> readings(pod, buffers, 20))
        .toList();
  }

  /** The same servers, whose requests all get buffers of a pool that is never empty. */
  static List<Reading> allFromPool(long buffers) {
    return Stream.of("hb-regionserver-0", "hb-regionserver-1")
        .flatMap(pod -> readings(pod, buffers, 0))
        .toList();
  }

  private static Stream<Reading> readings(String pod, long buffers, double heapMib) {
    var now = Instant.now();
    var started = now.minus(Duration.ofHours(1)).toEpochMilli();
    return IntStream.rangeClosed(0, 12)
        .mapToObj(
            it ->
                new Reading(
                    pod,
                    pod + ",0," + started,
                    now.minusSeconds(12 - it),
                    figures(buffers, heapMib, it)));
  }

  private static Map<Metric, Double> figures(long buffers, double heapMib, int seconds) {
    var figures = new EnumMap<Metric, Double>(Metric.class);
    figures.put(Metric.ALLOCATOR_POOL_BYTES, seconds * 40.0 * (1 << 20));
    figures.put(Metric.ALLOCATOR_HEAP_BYTES, seconds * heapMib * (1 << 20));
    figures.put(Metric.ALLOCATOR_TOTAL_BUFFERS, (double) buffers);
    figures.put(Metric.ALLOCATOR_CREATED_BUFFERS, (double) buffers);
    figures.put(Metric.ALLOCATOR_POOL_EMPTY_COUNT, heapMib == 0 ? 0 : seconds * 1000.0);
    return figures;
  }

  static String resource(String mode) {
    return RESOURCE.replace("MODE", mode);
  }

  private List<String> planHashes() {
    return hb.simulator().planHashes("hb");
  }

  /** As status leaves it out. */
  private static Group nothingDone() {
    return TuningStatuses.of(
        "",
        new TuningStep(TuningState.EMPTY, Activity.WAITING_FOR_ROLLOUT, "", List.of(), List.of()));
  }

  private Group group() {
    return Optional.ofNullable(hb.status().tuning())
        .map(it -> it.groups().get(0))
        .orElseGet(TuningIT::nothingDone);
  }

  private JsonNode setting() {
    return Clusters.planned(client, namespace, "hb", COUNT).orElseThrow();
  }

  private long planned() {
    return planned(client, namespace);
  }

  /** Buffers of the pool. */
  static long planned(KubernetesClient client, String namespace) {
    return Clusters.planned(client, namespace, "hb", COUNT).orElseThrow().path("value").asLong();
  }
}
