package io.offheap.hbase.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.deploy.ClusterModel;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.deploy.PodDryRun;
import io.offheap.hbase.operator.deploy.PodDryRun.Response;
import io.offheap.hbase.operator.deploy.RoleModel;
import io.offheap.hbase.operator.observe.Observation;
import io.offheap.hbase.operator.observe.ObservedHBase;
import io.offheap.hbase.operator.observe.ObservedImages;
import io.offheap.hbase.operator.observe.PodAdmissions;
import io.offheap.hbase.operator.observe.RestartScope;
import io.offheap.hbase.operator.rollout.Rollout;
import io.offheap.hbase.operator.status.FittedPlans;
import io.offheap.hbase.operator.status.RolloutStatuses;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When pods are checked by a dry run, and how long a result counts. */
class PodAdmissionsTest {
  private static final String SERVERS = "hb-regionserver";
  private static final Response ADMITTED = new PodDryRun.Admitted();
  private static final Response SILENT = new PodDryRun.NoResponse();
  private static final Response REFUSED = new PodDryRun.Refused("exceeded quota: q");
  private static final ResourceID ID = new ResourceID("hb", "ns");

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
  private final Set<ResourceID> there = ConcurrentHashMap.newKeySet();
  private final List<String> requested = new ArrayList<>();
  private final Cluster cluster = new Cluster();
  private final Map<String, Response> responses = new HashMap<>();
  private Response response = ADMITTED;
  private final PodAdmissions admissions = new PodAdmissions(nanos::get, there::contains, dryRun());

  PodAdmissionsTest() {
    there.add(ID);
  }

  private PodAdmissions.DryRun dryRun() {
    return (client, set, ordinal, isReplaced) -> {
      var pod = set.getMetadata().getName() + "-" + ordinal;
      requested.add(pod + (isReplaced ? "" : " missing"));
      return responses.getOrDefault(pod, response);
    };
  }

  /** The pods that are refused. */
  private Map<String, String> refused() {
    return refused(RestartScope.ALL);
  }

  private Map<String, String> refused(RestartScope scope) {
    return admissions.refused(cluster.observed(), cluster.rollout(), role -> scope, null);
  }

  private Map<String, String> refusedAfter(Duration time) {
    nanos.addAndGet(time.toNanos());
    return refused();
  }

  /** Names of the pods that were checked since the last call. */
  private List<String> requested() {
    var names = List.copyOf(requested);
    requested.clear();
    return names;
  }

  private static Map<String, String> all(String message, int... ordinals) {
    var pods = new TreeMap<String, String>();
    IntStream.of(ordinals).forEach(it -> pods.put(SERVERS + "-" + it, message));
    return pods;
  }

  @Test
  void checksNoPodWhileAllAreAsDeclared() {
    for (int i = 0; i < 10_000; i++) {
      assertThat(refused()).isEmpty();
      nanos.addAndGet(Duration.ofMinutes(1).toNanos());
    }

    assertThat(requested()).isEmpty();
    assertThat(admissions.isEmpty()).isTrue();
  }

  @Test
  void checksNextPodForAllPodsToRestart() {
    cluster.change(SERVERS);
    response = REFUSED;

    assertThat(refused()).isEqualTo(all("exceeded quota: q", 0, 1, 2));
    assertThat(requested()).containsExactly("hb-regionserver-2");
  }

  @Test
  void checksEvery30Seconds() {
    cluster.change(SERVERS);
    response = REFUSED;
    for (int second = 0; second < 300; second++) {
      assertThat(refusedAfter(Duration.ofSeconds(1))).hasSize(3);
    }

    assertThat(requested()).hasSize(10);
  }

  @Test
  void responseCountsUntilNextOne() {
    cluster.change(SERVERS);
    response = REFUSED;
    refused();
    response = ADMITTED;

    assertThat(refusedAfter(Duration.ofSeconds(29))).hasSize(3);
    assertThat(refusedAfter(Duration.ofSeconds(1))).isEmpty();
    response = REFUSED;
    assertThat(refusedAfter(Duration.ofSeconds(29))).isEmpty();
    assertThat(refusedAfter(Duration.ofSeconds(1))).hasSize(3);
  }

  /** A server is drained only after a response about its own pod. */
  @Test
  void checksNextPodAtOnce() {
    cluster.change(SERVERS);
    refused();
    cluster.remake(SERVERS, 2);

    assertThat(refused()).isEmpty();
    assertThat(requested()).containsExactly("hb-regionserver-2", "hb-regionserver-1");
  }

  @Test
  void checksAnotherTemplateAtOnce() {
    cluster.change(SERVERS);
    response = REFUSED;
    refused();
    cluster.change(SERVERS);
    response = ADMITTED;

    assertThat(refused()).isEmpty();
    assertThat(requested()).hasSize(2);
  }

  @Test
  void checksNoPodThatMayNotRestartNow() {
    cluster.change(SERVERS);

    assertThat(
            admissions.refused(
                cluster.observed(), cluster.rollout(), role -> RestartScope.NONE, null))
        .isEmpty();
    assertThat(requested()).isEmpty();
    assertThat(admissions.isEmpty()).isTrue();
  }

  /** Outside of a window, the pods that serve nothing restart alone. */
  @Test
  void checksNextPodThatIsNotReadyOutsideOfAWindow() {
    cluster.change(SERVERS);
    cluster.serve(SERVERS, 2);
    response = REFUSED;

    assertThat(refused(RestartScope.NOT_READY)).containsEntry(SERVERS + "-1", "exceeded quota: q");
    assertThat(requested()).containsExactly("hb-regionserver-1");
    cluster.serve(SERVERS, 1);
    cluster.serve(SERVERS, 0);
    assertThat(refused(RestartScope.NOT_READY)).isEmpty();
    assertThat(requested()).isEmpty();
  }

  /** Each role's pods that serve nothing restart at once. */
  @Test
  void checksPodsOfAllRolesOutsideOfAWindow() {
    cluster.roles().forEach(it -> cluster.change(it.name()));
    response = REFUSED;

    assertThat(refused(RestartScope.NOT_READY)).hasSize(cluster.pods.size());
    assertThat(requested()).hasSize(cluster.roles().size());
  }

  @Test
  void checksNoPodBeforeControllerHasTemplate() {
    cluster.change(SERVERS);
    cluster.sets.computeIfPresent(SERVERS, (name, set) -> generation(set, 2L));
    assertThat(refused()).isEmpty();

    cluster.sets.remove(SERVERS);
    assertThat(refused()).isEmpty();
    assertThat(requested()).isEmpty();
  }

  /** The pod without its containers would be refused, and the rollout wait without end. */
  @Test
  void checksNoPodOfSetThatIsNotKeptAsAWhole() {
    cluster.change(SERVERS);
    cluster.sets.computeIfPresent(
        SERVERS,
        (name, set) ->
            new StatefulSetBuilder(set)
                .editSpec()
                .editTemplate()
                .withNewSpec()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build());

    assertThat(refused()).isEmpty();
    assertThat(requested()).isEmpty();
  }

  private static StatefulSet generation(StatefulSet set, long generation) {
    return new StatefulSetBuilder(set)
        .editMetadata()
        .withGeneration(generation)
        .endMetadata()
        .build();
  }

  @Test
  void doesNotCheckTerminatingPods() {
    cluster.change(SERVERS);
    cluster.terminate(SERVERS, 2);
    refused();
    cluster.terminate(SERVERS, 1);
    cluster.terminate(SERVERS, 0);
    refused();

    assertThat(requested()).containsExactly("hb-regionserver-1");
  }

  @Test
  void checksPodThatIsMissingFor10Seconds() {
    cluster.pods.remove("hb-regionserver-1");
    cluster.pods.remove("hb-regionserver-2");
    response = REFUSED;

    assertThat(refused()).isEmpty();
    assertThat(refusedAfter(Duration.ofMillis(9_999))).isEmpty();
    assertThat(requested()).isEmpty();
    assertThat(refusedAfter(Duration.ofMillis(1))).isEqualTo(all("exceeded quota: q", 1, 2));
    assertThat(requested()).containsExactly("hb-regionserver-1 missing");
  }

  @Test
  void recreatedPodIsMissingSinceLastDeletion() {
    cluster.pods.remove("hb-regionserver-1");
    refused();
    nanos.addAndGet(Duration.ofSeconds(9).toNanos());
    cluster.make(SERVERS, 1);
    refused();
    cluster.pods.remove("hb-regionserver-1");
    refused();

    refusedAfter(Duration.ofSeconds(9));
    assertThat(requested()).isEmpty();
    refusedAfter(Duration.ofSeconds(1));
    assertThat(requested()).hasSize(1);
  }

  /** With maxUnavailable 2, a serving pod must not be drained after another one was refused. */
  @Test
  void checksOutdatedPodBesideMissingPod() {
    cluster.change(SERVERS);
    cluster.pods.remove("hb-regionserver-2");
    response = REFUSED;

    assertThat(refused()).isEqualTo(all("exceeded quota: q", 0, 1));
    assertThat(refusedAfter(Duration.ofSeconds(10))).isEqualTo(all("exceeded quota: q", 0, 1, 2));
    assertThat(requested()).containsExactly("hb-regionserver-1", "hb-regionserver-2 missing");
  }

  /** A missing response does not admit a pod that was refused before. */
  @Test
  void refusalCountsWhileThereIsNoResponse() {
    cluster.change(SERVERS);
    IntStream.range(0, 3).forEach(it -> cluster.serve(SERVERS, it));
    response = REFUSED;
    refused();
    response = SILENT;
    for (int minute = 0; minute < 60; minute++) {
      assertThat(refusedAfter(Duration.ofMinutes(1))).hasSize(3);
    }
    requested();

    response = ADMITTED;
    assertThat(refusedAfter(Duration.ofMinutes(5))).isEmpty();
  }

  /** A webhook that failed once and is slow from then on: the StatefulSet's controller may wait. */
  @Test
  void oldRefusalKeepsNoPodThatServesNothing() {
    cluster.change(SERVERS);
    cluster.serve(SERVERS, 0);
    cluster.serve(SERVERS, 2);
    response = REFUSED;
    refused();
    response = SILENT;

    assertThat(refusedAfter(Duration.ofMinutes(9))).hasSize(3);
    assertThat(refusedAfter(Duration.ofMinutes(2))).isEqualTo(all("exceeded quota: q", 0, 2));
  }

  @Test
  void refusalCountsAfterDeletionOfCheckedPod() {
    cluster.change(SERVERS);
    response = REFUSED;
    refused();
    cluster.terminate(SERVERS, 2);
    response = SILENT;

    assertThat(refused()).hasSize(3);
  }

  @Test
  void missingResponseRefusesNoPod() {
    cluster.change(SERVERS);
    response = SILENT;

    assertThat(refused()).isEmpty();
  }

  /** Each may take 5 s, and a cluster has many StatefulSets. */
  @Test
  void waitsOnceWithoutResponseAndDoublesThePause() {
    cluster.roles().forEach(it -> cluster.change(it.name()));
    response = SILENT;
    refused();
    assertThat(requested()).hasSize(1);

    var gaps = new ArrayList<Integer>();
    int last = 0;
    for (int second = 1; second < 1800; second++) {
      refusedAfter(Duration.ofSeconds(1));
      if (!requested().isEmpty()) {
        gaps.add(second - last);
        last = second;
      }
    }
    assertThat(gaps).startsWith(30, 60, 120, 240, 300, 300);

    response = ADMITTED;
    refusedAfter(Duration.ofMinutes(5));
    assertThat(requested()).as("all, when it responds").hasSize(cluster.roles().size());
    response = SILENT;
    refusedAfter(Duration.ofSeconds(30));
    refusedAfter(Duration.ofSeconds(30));
    assertThat(requested()).as("the first pause is short again").hasSize(2);
  }

  /** A webhook may select the pods of one StatefulSet. */
  @Test
  void podWithoutResponseDelaysNoOther() {
    cluster.change("hb-master");
    cluster.change(SERVERS);
    responses.put("hb-master-0", SILENT);
    response = REFUSED;

    assertThat(refused()).isEmpty();
    assertThat(requested()).containsExactly("hb-master-0");
    assertThat(refusedAfter(Duration.ofSeconds(30))).hasSize(3);
    assertThat(requested()).containsExactly("hb-regionserver-2", "hb-master-0");
    refusedAfter(Duration.ofSeconds(59));
    assertThat(requested()).isEmpty();
    refusedAfter(Duration.ofSeconds(1));
    assertThat(requested()).containsExactly("hb-regionserver-2", "hb-master-0");
  }

  /** As with a webhook for all pods that does not respond: 200 clusters, ten threads. */
  @Test
  void reconcilesOtherClustersWhileThreeWait() throws Exception {
    var clusterResponse = new AtomicReference<Response>(SILENT);
    var silence = new CountDownLatch(1);
    var waiting = new CountDownLatch(3);
    var silent =
        new PodAdmissions(
            nanos::get,
            id -> true,
            (client, set, ordinal, isReplaced) -> {
              waiting.countDown();
              try {
                silence.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              return clusterResponse.get();
            });
    var held =
        IntStream.range(0, 3)
            .mapToObj(it -> new Cluster("hb-" + it))
            .map(
                it -> {
                  it.change(it.servers());
                  return CompletableFuture.runAsync(
                      () ->
                          silent.refused(
                              it.observed(), it.rollout(), role -> RestartScope.ALL, null),
                      task -> new Thread(task, "pass").start());
                })
            .toList();
    assertThat(waiting.await(1, TimeUnit.MINUTES)).isTrue();
    cluster.change(SERVERS);

    assertThat(
            silent.refused(cluster.observed(), cluster.rollout(), role -> RestartScope.ALL, null))
        .isEmpty();
    assertThat(held).noneMatch(CompletableFuture::isDone);

    silence.countDown();
    CompletableFuture.allOf(held.toArray(CompletableFuture[]::new)).get(1, TimeUnit.MINUTES);
    clusterResponse.set(REFUSED);
    assertThat(
            silent.refused(cluster.observed(), cluster.rollout(), role -> RestartScope.ALL, null))
        .as("in the next reconciliation, without a pause")
        .hasSize(3);
  }

  @Test
  void interruptedThreadChecksNothingAndStaysInterrupted() {
    cluster.change(SERVERS);
    Thread.currentThread().interrupt();

    assertThat(refused()).isEmpty();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(requested()).isEmpty();
  }

  /** Its drain took time: an old response is not enough to delete it. */
  @Test
  void checksPodOnceMoreBeforeDeletion() {
    cluster.change(SERVERS);
    refused();
    cluster.restarts(SERVERS + "-1", "Restart", "Drain");
    assertThat(refusedAfter(Duration.ofSeconds(5))).isEmpty();
    assertThat(requested()).containsExactly("hb-regionserver-2");

    cluster.restarts(SERVERS + "-1", "Restart", "Stop");
    response = REFUSED;
    assertThat(refused()).hasSize(3);
    assertThat(refusedAfter(Duration.ofSeconds(4))).hasSize(3);
    assertThat(requested()).containsExactly("hb-regionserver-1");
    refusedAfter(Duration.ofSeconds(1));
    assertThat(requested()).containsExactly("hb-regionserver-1");
  }

  /** Its restart continues even if it is as declared again, or a window has closed. */
  @ParameterizedTest
  @ValueSource(strings = {"Drain", "Stop"})
  void checksPodThatIsReplacedNow(String step) {
    cluster.restarts(SERVERS + "-1", "Restart", step);
    response = REFUSED;

    assertThat(
            admissions.refused(
                cluster.observed(), cluster.rollout(), role -> RestartScope.NONE, null))
        .isEqualTo(all("exceeded quota: q", 1));
    assertThat(requested()).containsExactly("hb-regionserver-1");
  }

  @ParameterizedTest
  @CsvSource({"ScaleDown, Stop", "Restart, Start", "Restart, Return"})
  void doesNotCheckPodThatIsNotReplaced(String cause, String step) {
    cluster.restarts(SERVERS + "-1", cause, step);

    assertThat(refused()).isEmpty();
    assertThat(requested()).isEmpty();
  }

  /** A new message causes a write of status, and ports and times differ each time. */
  @Test
  void keepsMessageThatDiffersInNumbersForTenMinutes() {
    cluster.change(SERVERS);
    var messages = new TreeSet<String>();
    for (int i = 0; i < 20; i++) {
      response =
          new PodDryRun.Refused(
              "failed calling webhook x: read tcp 10.0.0.1:" + (40_000 + i) + ": i/o timeout");
      messages.addAll(refusedAfter(Duration.ofSeconds(30)).values());
    }
    assertThat(messages).hasSize(1);

    assertThat(refusedAfter(Duration.ofSeconds(30)).values()).doesNotContainAnyElementsOf(messages);
    response = new PodDryRun.Refused("failed calling webhook x: connection refused");
    assertThat(refusedAfter(Duration.ofSeconds(30)).values())
        .containsOnly("failed calling webhook x: connection refused");
  }

  /** The beginning names who refuses. */
  @Test
  void shortensMessageToOneLine() {
    cluster.change(SERVERS);
    response = new PodDryRun.Refused("webhook x denied\n\u001b[31m" + "y".repeat(1 << 20));

    assertThat(refused().get("hb-regionserver-0"))
        .startsWith("webhook x denied [31myyy")
        .endsWith("y...")
        .hasSize(603);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void forgetsDeletedCluster(boolean duringReconciliation) {
    cluster.change(SERVERS);
    response = REFUSED;
    if (duringReconciliation) {
      there.clear();
    }
    refused();
    if (!duringReconciliation) {
      assertThat(admissions.isEmpty()).isFalse();
      admissions.forget(ID);
    }

    assertThat(admissions.isEmpty()).isTrue();
  }

  /** A new operator process has no results. */
  @Test
  void checksAtOnceAfterOperatorRestart() {
    cluster.change(SERVERS);
    response = REFUSED;
    refused();

    assertThat(
            new PodAdmissions(nanos::get, there::contains, dryRun())
                .refused(cluster.observed(), cluster.rollout(), role -> RestartScope.ALL, null))
        .hasSize(3);
    assertThat(requested()).hasSize(2);
  }

  /** The StatefulSets and pods of a cluster, each role's of a template that the test changes. */
  private static final class Cluster {
    private final ClusterModel model;
    private final Map<String, StatefulSet> sets = new HashMap<>();
    private final Map<String, Pod> pods = new TreeMap<>();
    private final Map<String, String> hashes = new HashMap<>();
    private final Set<String> changed = new HashSet<>();
    private int changes;

    Cluster() {
      this("hb");
    }

    Cluster(String name) {
      model = model(name);
      for (RoleModel role : model.roles()) {
        hashes.put(role.name(), "first");
        sets.put(role.name(), set(role.name(), "first"));
        IntStream.range(0, role.replicas()).forEach(it -> make(role.name(), it));
      }
    }

    List<RoleModel> roles() {
      return model.roles();
    }

    String servers() {
      return model.regionServers().get(0).name();
    }

    Optional<Rollout> rollout() {
      return RolloutStatuses.read(model.cluster().getStatus());
    }

    Observation observed() {
      return new Observation(
          model,
          List.copyOf(pods.values()),
          Map.copyOf(sets),
          Map.of(),
          Map.copyOf(hashes),
          model.roles().stream().collect(toMap(RoleModel::name, RoleModel::replicas)),
          new ObservedHBase(
              Optional.empty(),
              Optional.empty(),
              Set.of(),
              Set.of(),
              List.of(),
              List.of(),
              List.of(),
              Instant.EPOCH));
    }

    private static <V> Collector<RoleModel, ?, Map<String, V>> toMap(
        Function<RoleModel, String> key, Function<RoleModel, V> value) {
      return Collectors.toMap(key, value);
    }

    /** Another template, which the controller has seen. */
    void change(String set) {
      var hash = "changed-" + ++changes;
      hashes.put(set, hash);
      sets.put(set, set(set, hash));
      changed.add(set);
    }

    /** Puts a restart into status. */
    void restarts(String pod, String cause, String step) {
      model
          .cluster()
          .setStatus(
              Serialization.unmarshal(
                  """
                  ---
                  rollout:
                    started: "2026-01-01T00:00:00Z"
                    servers:
                      - {pod: %s, uid: u, serverName: s, cause: %s, step: %s,
                         since: "2026-01-01T00:00:00Z",
                         times: {drainMillis: 0, stopMillis: 0, startMillis: 0, returnMillis: 0}}
                  """
                      .formatted(pod, cause, step),
                  HBaseClusterStatus.class));
    }

    void make(String set, int ordinal) {
      var pod = set + "-" + ordinal;
      var role = model.roles().stream().filter(it -> it.name().equals(set)).findFirst().get();
      pods.put(
          pod,
          new PodBuilder()
              .withNewMetadata()
              .withName(pod)
              .withLabels(role.labels())
              .addToAnnotations(Labels.TEMPLATE_HASH, hashes.get(set))
              .addToAnnotations(
                  Labels.DECLARED_HASH, changed.contains(set) ? role.declared() : "declared before")
              .endMetadata()
              .build());
    }

    void serve(String set, int ordinal) {
      pods.computeIfPresent(
          set + "-" + ordinal,
          (name, pod) ->
              new PodBuilder(pod)
                  .withNewStatus()
                  .addNewCondition()
                  .withType("Ready")
                  .withStatus("True")
                  .endCondition()
                  .endStatus()
                  .build());
    }

    void remake(String set, int ordinal) {
      pods.remove(set + "-" + ordinal);
      make(set, ordinal);
    }

    void terminate(String set, int ordinal) {
      pods.computeIfPresent(
          set + "-" + ordinal,
          (name, pod) ->
              new PodBuilder(pod)
                  .editMetadata()
                  .withDeletionTimestamp("2026-01-01T00:00:00Z")
                  .endMetadata()
                  .build());
    }

    private static StatefulSet set(String name, String hash) {
      return new StatefulSetBuilder()
          .withNewMetadata()
          .withName(name)
          .withGeneration(1L)
          .endMetadata()
          .withNewSpec()
          .withNewTemplate()
          .withNewMetadata()
          .addToAnnotations(Labels.TEMPLATE_HASH, hash)
          .endMetadata()
          .withNewSpec()
          .addNewContainer()
          .withName("regionserver")
          .endContainer()
          .endSpec()
          .endTemplate()
          .endSpec()
          .withNewStatus()
          .withObservedGeneration(1L)
          .endStatus()
          .build();
    }

    private static ClusterModel model(String name) {
      var cluster =
          Serialization.unmarshal(
              """
              apiVersion: hbase.offheap.io/v1alpha1
              kind: HBaseCluster
              metadata: {name: NAME, namespace: ns}
              spec:
                zookeeper: {managed: {}}
                storage: {managed: {}}
                regionServers: {replicas: 3, memory: {heap: 1Gi, offHeap: 512Mi}}
              """
                  .replace("NAME", name),
              HBaseCluster.class);
      var plans = FittedPlans.of(new Plans(), cluster, Optional.empty(), Set.of());
      var applied =
          Applied.of(
              new Plans(),
              cluster,
              ((ClusterPlan.Planned) plans.result()).groups(),
              Optional.empty(),
              "hbase:1",
              ObservedImages.NONE);
      return Models.of(applied, new HeldReplicas());
    }
  }
}
