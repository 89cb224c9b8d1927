package io.offheap.hbase.operator.it;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * Simulates Kubernetes' StatefulSet controller and kubelets in one namespace of an API server:
 * creates the pods of each set from its template, and makes them ready if the test permits it. It
 * acts when a set or a pod changes.
 */
final class StatefulSetSimulator implements AutoCloseable {
  private static final Duration AFTER_CONFLICT = Duration.ofMillis(50);

  private final KubernetesClient client;
  private final String namespace;
  private final ScheduledExecutorService passes = Executors.newSingleThreadScheduledExecutor();
  private final AtomicBoolean isPassDue = new AtomicBoolean();
  private final SharedIndexInformer<Pod> pods;
  private final SharedIndexInformer<StatefulSet> sets;
  private volatile Predicate<Pod> becomesReady = pod -> true;

  StatefulSetSimulator(KubernetesClient client, String namespace) {
    this.client = client;
    this.namespace = namespace;
    pods = client.pods().inNamespace(namespace).runnableInformer(0);
    sets = client.apps().statefulSets().inNamespace(namespace).runnableInformer(0);
    pods.addEventHandler(new AnyChange<>(this::passSoon)).run();
    sets.addEventHandler(new AnyChange<>(this::passSoon)).run();
  }

  /** Decides which pods become ready from now on. */
  void letBecomeReady(Predicate<Pod> which) {
    becomesReady = which;
    passSoon();
  }

  private void passSoon() {
    passIn(Duration.ZERO);
  }

  /** One pass covers all changes before it. */
  private void passIn(Duration delay) {
    if (!passes.isShutdown() && isPassDue.compareAndSet(false, true)) {
      try {
        var unused = passes.schedule(this::pass, delay.toMillis(), TimeUnit.MILLISECONDS);
      } catch (RejectedExecutionException closed) {
        // The simulation has ended.
      }
    }
  }

  private void pass() {
    isPassDue.set(false);
    sets.getStore().list().forEach(this::tryRun);
  }

  /** As with the real controller, a refusal of one StatefulSet delays no other. */
  private void tryRun(StatefulSet set) {
    try {
      run(set);
    } catch (RuntimeException e) {
      // An object has changed since it was read, or a quota refuses a pod.
      System.err.println("simulator: " + e.getMessage());
      passIn(AFTER_CONFLICT);
    }
  }

  private void run(StatefulSet set) {
    observe(set);
    for (int ordinal = 0; ordinal < set.getSpec().getReplicas(); ordinal++) {
      var name = set.getMetadata().getName() + "-" + ordinal;
      var pod = pods.getStore().getByKey(Cache.namespaceKeyFunc(namespace, name));
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
    pods.getStore().list().stream()
        .filter(pod -> isMoreThanAreDeclared(pod, set))
        .forEach(pod -> client.resource(pod).delete());
  }

  /** The controller writes the observed generation even if it cannot create a pod. */
  private void observe(StatefulSet set) {
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
                .addNewOwnerReference()
                .withApiVersion("apps/v1")
                .withKind("StatefulSet")
                .withName(set.getMetadata().getName())
                .withUid(set.getMetadata().getUid())
                .withController(true)
                .endOwnerReference()
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
    passes.shutdownNow();
    pods.close();
    sets.close();
  }
}
