package io.offheap.hbase.operator.it;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Does for one namespace what Kubernetes' StatefulSet controller and kubelets do, where only an API
 * server runs: makes the pods of each set from its template, and lets them become ready where the
 * test allows it.
 */
final class StatefulSetSimulator implements AutoCloseable {
  private final KubernetesClient client;
  private final String namespace;
  private final ScheduledExecutorService loop = Executors.newSingleThreadScheduledExecutor();
  private volatile Predicate<Pod> becomesReady = pod -> true;

  StatefulSetSimulator(KubernetesClient client, String namespace) {
    this.client = client;
    this.namespace = namespace;
    var unused = loop.scheduleWithFixedDelay(this::pass, 0, 100, TimeUnit.MILLISECONDS);
  }

  /** Decides which pods become ready from now on. */
  void letBecomeReady(Predicate<Pod> pods) {
    becomesReady = pods;
  }

  private void pass() {
    try {
      var pods = new HashMap<String, Pod>();
      client
          .pods()
          .inNamespace(namespace)
          .list()
          .getItems()
          .forEach(pod -> pods.put(pod.getMetadata().getName(), pod));
      client
          .apps()
          .statefulSets()
          .inNamespace(namespace)
          .list()
          .getItems()
          .forEach(set -> run(set, pods));
    } catch (RuntimeException e) {
      // An object changed under the loop; the next turn sees it.
      System.err.println("simulator: " + e.getMessage());
    }
  }

  private void run(StatefulSet set, Map<String, Pod> pods) {
    for (int ordinal = 0; ordinal < set.getSpec().getReplicas(); ordinal++) {
      var name = set.getMetadata().getName() + "-" + ordinal;
      var pod = pods.get(name);
      if (pod == null) {
        client.resource(pod(set, name)).create();
      } else if (pod.getStatus().getConditions().isEmpty() && becomesReady.test(pod)) {
        client
            .resource(pod)
            .editStatus(
                it ->
                    new PodBuilder(it)
                        .editStatus()
                        .withPhase("Running")
                        .addNewCondition()
                        .withType("Ready")
                        .withStatus("True")
                        .endCondition()
                        .endStatus()
                        .build());
      }
    }
    pods.values().stream()
        .filter(pod -> isMoreThanAreDeclared(pod, set))
        .forEach(pod -> client.resource(pod).delete());
    if (set.getStatus() == null
        || !set.getMetadata().getGeneration().equals(set.getStatus().getObservedGeneration())) {
      client
          .resource(set)
          .editStatus(
              it -> {
                it.getStatus().setReplicas(it.getSpec().getReplicas());
                it.getStatus().setObservedGeneration(it.getMetadata().getGeneration());
                return it;
              });
    }
  }

  private static boolean isMoreThanAreDeclared(Pod pod, StatefulSet set) {
    var name = pod.getMetadata().getName();
    var prefix = set.getMetadata().getName() + "-";
    return name.matches(prefix + "\\d+")
        && Integer.parseInt(name.substring(prefix.length())) >= set.getSpec().getReplicas();
  }

  private Pod pod(StatefulSet set, String name) {
    var template = set.getSpec().getTemplate();
    // As the controller mounts the claims of the templates.
    var claims =
        set.getSpec().getVolumeClaimTemplates().stream()
            .map(
                claim ->
                    new VolumeBuilder()
                        .withName(claim.getMetadata().getName())
                        .withNewPersistentVolumeClaim()
                        .withClaimName(claim.getMetadata().getName() + "-" + name)
                        .endPersistentVolumeClaim()
                        .build())
            .toList();
    return new PodBuilder()
        .withMetadata(
            new ObjectMetaBuilder(template.getMetadata())
                .withName(name)
                .withNamespace(namespace)
                .build())
        .withSpec(template.getSpec())
        .editSpec()
        .addAllToVolumes(claims)
        .endSpec()
        .build();
  }

  /** The region servers' plan hashes, in the order of their ordinals. */
  List<String> planHashes(String cluster) {
    var hashes = new ArrayList<String>();
    for (int ordinal = 0; ; ordinal++) {
      var pod =
          client.pods().inNamespace(namespace).withName(cluster + "-regionserver-" + ordinal).get();
      if (pod == null) {
        return hashes;
      }
      hashes.add(pod.getMetadata().getAnnotations().get("hbase.offheap.io/plan-hash"));
    }
  }

  @Override
  public void close() {
    loop.shutdownNow();
  }
}
