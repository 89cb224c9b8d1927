package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.PodRights;
import io.offheap.hbase.operator.hbase.TwoHBases;
import io.offheap.hbase.operator.reconcile.HBaseClusterReconciler;
import io.offheap.hbase.operator.reconcile.RememberedMaps;
import io.offheap.hbase.operator.report.Events;
import io.offheap.hbase.operator.report.RolloutMetrics;
import io.offheap.hbase.operator.report.RolloutReports;
import io.offheap.hbase.operator.report.TuningReports;
import io.prometheus.client.CollectorRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Twenty clusters of one controller, one of which is frozen in the middle of a rollout. Measures
 * how long a change of each other cluster takes to be reconciled, before and during the freeze, and
 * the same with HBase's blocking client. The controller has one thread, so that a reconciliation
 * that blocks it delays all others.
 */
@ExtendWith(ApiServer.class)
@Isolated("it measures how long passes take")
@Tag("verify")
class FrozenClusterIT {
  private static final String NAMESPACE = "frozen";
  private static final String ILL = "ill";
  private static final int OTHERS = 19;
  private static final int ROUNDS = 8;

  /**
   * Time is the subject: a round that began as soon as the one before has ended would measure the
   * queue of what that one has left behind, and no event shows that the controller has nothing more
   * to do while a cluster of it is frozen.
   */
  private static final Duration BETWEEN_ROUNDS = Duration.ofMillis(500);

  /** HBase's client waits longer for a server that does not respond. */
  private static final double SHORTEST_DEADLINE_MILLIS = 3_000;

  private static final String RESOURCE =
      """
      apiVersion: hbase.offheap.io/v1alpha1
      kind: HBaseCluster
      metadata: {name: NAME, namespace: NAMESPACE}
      spec:
        zookeeper: {external: {quorum: "NAME-zk:2181"}}
        storage: {external: {rootDir: "hdfs://ns/NAME"}}
        regionServers:
          replicas: REPLICAS
          memory: {heap: 1Gi, offHeap: 512Mi}
      """;

  @TempDir static Path folder;

  private final Passes passes = new Passes();
  private final Map<Change, Long> seen = new ConcurrentHashMap<>();
  private KubernetesClient client;
  private TwoHBases hbases;
  private Operator operator;
  private Watch watch;
  private int changes;

  /** A generation of a cluster's resource. */
  private record Change(String cluster, long generation) {}

  @BeforeEach
  void start(ApiServer.Running server) {
    client = server.client();
    server.createNamespace(NAMESPACE);
    watch = client.resources(HBaseCluster.class).inNamespace(NAMESPACE).watch(new Observed());
    hbases = TwoHBases.start(folder, new ResourceID(ILL, NAMESPACE));
    operator = operator(server.operatorClient());
    operator.start();
    clusters().forEach(this::create);
    try (var simulator = new StatefulSetSimulator(client, NAMESPACE)) {
      await("all ready").atMost(LONG).until(() -> clusters().allMatch(this::isReady));
      // One of its servers is missing, so its rollout begins and stays at its first step.
      edit(ILL, "{\"metadata\":{\"annotations\":{\"hbase.offheap.io/restartedAt\":\"now\"}}}");
      change(ILL);
      await("held up").atMost(LONG).until(() -> progress().contains("too few servers"));
    }
  }

  /** The preconditions do not hold for a cluster of one server, so it has more. */
  private void create(String cluster) {
    var yaml = RESOURCE.replace("REPLICAS", cluster.equals(ILL) ? "2" : "1");
    client.resource(Clusters.parse(yaml, NAMESPACE, cluster)).create();
  }

  private boolean isReady(String cluster) {
    return Clusters.condition(Clusters.get(client, NAMESPACE, cluster), "Ready")
        .filter(it -> it.startsWith("True"))
        .isPresent();
  }

  private Operator operator(KubernetesClient operatorClient) {
    var made =
        new Operator(
            overrider ->
                overrider
                    .withKubernetesClient(operatorClient)
                    .withMetrics(passes)
                    .withConcurrentReconciliationThreads(1)
                    .withDefaultNonSSAResource(Set.of())
                    .withPreviousAnnotationForDependentResources(false));
    var clock = Clock.systemUTC();
    var registry = new CollectorRegistry();
    var events = new Events(operatorClient, "operator", clock);
    made.register(
        new HBaseClusterReconciler(
            "hbase:1",
            PodRights.NONE,
            Optional.empty(),
            clock,
            hbases::access,
            new RolloutReports(events, new RolloutMetrics(registry), clock),
            TuningReports.of(events, registry),
            RememberedMaps.of("hbase:1", Set.of(), PodRights.NONE, events, clock)),
        overrider -> overrider.settingNamespaces(Set.of(NAMESPACE)));
    return made;
  }

  @AfterEach
  void stop() {
    watch.close();
    operator.stop();
    hbases.close();
  }

  @Test
  void frozenClusterDelaysNoOtherCluster() {
    await("all are observed")
        .atMost(LONG)
        .until(() -> clusters().allMatch(it -> hbases.lastViewTime(id(it)).isPresent()));
    rounds(2);
    assertThat(progress()).doesNotContain("HBase does not respond");
    var before = rounds(ROUNDS);
    hbases.block(true);
    rounds(2);
    var blockingBefore = rounds(1);
    hbases.block(false);

    hbases.freeze();
    try {
      var since = Instant.now();
      var meanwhile = rounds(ROUNDS);
      hbases.block(true);
      var blockingMeanwhile = rounds(1);
      hbases.block(false);
      System.out.printf(
          "Reconciles of %d clusters on one thread before and while another is frozen, in ms:%n"
              + "  asynchronous %s%n               %s%n  blocking     %s%n               %s%n",
          OTHERS, before, meanwhile, blockingBefore, blockingMeanwhile);
      await("the view is too old for its rollout")
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() -> assertThat(progress()).contains("HBase does not respond"));
      assertThat(hbases.lastViewTime(id(ILL)))
          .hasValueSatisfying(it -> assertThat(it).isBefore(since));
      assertThat(meanwhile.median()).isLessThan(2 * before.median() + 200);
      assertThat(meanwhile.ofFrozen()).hasSizeGreaterThanOrEqualTo(ROUNDS);
      assertThat(meanwhile.longestOfFrozen()).isLessThan(SHORTEST_DEADLINE_MILLIS);
      // The control: reconciliations that block.
      assertThat(blockingMeanwhile.longestOfFrozen()).isGreaterThan(SHORTEST_DEADLINE_MILLIS);
      assertThat(blockingMeanwhile.median()).isGreaterThan(meanwhile.median() + 3_000);
    } finally {
      hbases.block(false);
      hbases.thaw();
    }
  }

  /**
   * Milliseconds.
   *
   * @param changes the other clusters' times from the change to the status with its generation
   * @param ofFrozen durations of the frozen cluster's reconciliations
   */
  private record Figures(List<Double> changes, List<Double> ofFrozen) {
    double median() {
      return changes.stream().sorted().toList().get(changes.size() / 2);
    }

    double longestOfFrozen() {
      return Collections.max(ofFrozen);
    }

    @Override
    public String toString() {
      return String.format(
          "median %.0f, longest %.0f; the ill one's own passes: %d, longest %.0f",
          median(), Collections.max(changes), ofFrozen.size(), longestOfFrozen());
    }
  }

  /** Changes all clusters at once, the frozen one first, several times. */
  private Figures rounds(int times) {
    passes.ended.clear();
    var millis = new ArrayList<Double>();
    for (int round = 0; round < times; round++) {
      await("a pause after the round before").pollDelay(BETWEEN_ROUNDS).until(() -> true);
      changes++;
      change(ILL);
      var began = new HashMap<Change, Long>();
      for (String other : others().toList()) {
        long nanos = System.nanoTime();
        began.put(change(other), nanos);
      }
      await("all reconciled")
          .atMost(LONG)
          .pollInterval(Duration.ofMillis(10))
          .until(() -> seen.keySet().containsAll(began.keySet()));
      began.forEach((it, nanos) -> millis.add((seen.get(it) - nanos) / 1e6));
    }
    return new Figures(millis, passes.of(ILL));
  }

  /** A change that restarts no server. */
  private Change change(String cluster) {
    return edit(
        cluster, "{\"spec\":{\"rollout\":{\"startTimeout\":\"" + (100 + changes) + "m\"}}}");
  }

  private Change edit(String cluster, String patch) {
    var edited =
        client
            .resources(HBaseCluster.class)
            .inNamespace(NAMESPACE)
            .withName(cluster)
            .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    return new Change(cluster, edited.getMetadata().getGeneration());
  }

  private String progress() {
    return Clusters.condition(Clusters.get(client, NAMESPACE, ILL), "Progressing").orElse("");
  }

  private static Stream<String> others() {
    return IntStream.range(0, OTHERS).mapToObj(it -> "other-" + it);
  }

  private static Stream<String> clusters() {
    return Stream.concat(Stream.of(ILL), others());
  }

  private static ResourceID id(String cluster) {
    return new ResourceID(cluster, NAMESPACE);
  }

  /** When each generation is first in status. */
  private final class Observed implements Watcher<HBaseCluster> {
    @Override
    public void eventReceived(Action action, HBaseCluster cluster) {
      var status = cluster.getStatus();
      if (status != null && status.observedGeneration() != null) {
        seen.putIfAbsent(
            new Change(cluster.getMetadata().getName(), status.observedGeneration()),
            System.nanoTime());
      }
    }

    @Override
    public void onClose(WatcherException broken) {
      throw new IllegalStateException(broken);
    }
  }

  /** How long each reconciliation occupied the thread. */
  private static final class Passes implements Metrics {
    private final List<Pass> ended = new CopyOnWriteArrayList<>();

    private record Pass(String cluster, double millis) {}

    @Override
    public <T> T timeControllerExecution(ControllerExecution<T> execution) throws Exception {
      long nanos = System.nanoTime();
      try {
        return execution.execute();
      } finally {
        ended.add(new Pass(execution.resourceID().getName(), (System.nanoTime() - nanos) / 1e6));
      }
    }

    List<Double> of(String cluster) {
      return ended.stream().filter(it -> it.cluster().equals(cluster)).map(Pass::millis).toList();
    }
  }
}
