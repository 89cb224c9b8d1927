package io.offheap.hbase.operator.reconcile;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.deploy.ClusterModel;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.deploy.RoleModel;
import io.offheap.hbase.operator.observe.Observation;
import io.offheap.hbase.operator.observe.ObservedHBase;
import io.offheap.hbase.operator.observe.ObservedImages;
import io.offheap.hbase.operator.rollout.Rollout;
import io.offheap.hbase.operator.status.FittedPlans;
import io.offheap.hbase.operator.status.RolloutStatuses;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The StatefulSets and pods of a cluster, each role's of a template that the test changes. */
final class DryRunCluster {
  private final ClusterModel model;
  final Map<String, StatefulSet> sets = new HashMap<>();
  final Map<String, Pod> pods = new TreeMap<>();
  private final Map<String, String> hashes = new HashMap<>();
  private final Set<String> changed = new HashSet<>();
  private int changes;

  DryRunCluster() {
    this("hb");
  }

  DryRunCluster(String name) {
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
