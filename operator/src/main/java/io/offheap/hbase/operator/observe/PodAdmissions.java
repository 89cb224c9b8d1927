package io.offheap.hbase.operator.observe;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.deploy.PodDryRun;
import io.offheap.hbase.operator.deploy.RoleModel;
import io.offheap.hbase.operator.deploy.StatefulSets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Which pods the API server would not create: those that are to be restarted, before anything of
 * them is lost, and those that are missing. It is asked by a dry run, for one pod of a StatefulSet
 * and every 30 s at most, and for nothing while all pods are there as they are to be.
 */
public final class PodAdmissions {
  private static final Duration KEPT = Duration.ofSeconds(30);

  /** A pod that was deleted is made again within a moment. */
  private static final Duration MISSING = Duration.ofSeconds(10);

  private final LongSupplier nanos;
  private final Predicate<ResourceID> isThere;
  private final Map<ResourceID, Map<String, Checked>> clusters = new ConcurrentHashMap<>();

  /**
   * What is known of a StatefulSet's pods.
   *
   * @param pod the pod that it is known of
   * @param hash its template
   * @param missing since when it is missing
   * @param at when the API server was asked; empty where it was not yet
   * @param refusal its message
   */
  private record Checked(
      String pod,
      Optional<String> hash,
      Optional<Long> missing,
      Optional<Long> at,
      Optional<String> refusal) {}

  /** The pod that is asked for, which exists or is missing. */
  private record Question(StatefulSet set, int ordinal, Optional<Pod> replaced) {
    String pod() {
      return set.getMetadata().getName() + "-" + ordinal;
    }
  }

  /**
   * Nothing was asked yet.
   *
   * @param nanos a time that nobody sets, in nanoseconds
   * @param isThere whether a cluster exists, as far as is known
   */
  public PodAdmissions(LongSupplier nanos, Predicate<ResourceID> isThere) {
    this.nanos = nanos;
    this.isThere = isThere;
  }

  /**
   * Pods that the API server would not create, with its message.
   *
   * @param mayRestart the roles whose outdated pods may be restarted now
   */
  public Map<String, String> refused(
      Observation observed, Predicate<RoleModel> mayRestart, KubernetesClient client) {
    var id = ResourceID.fromResource(observed.model().cluster());
    var before = clusters.getOrDefault(id, Map.of());
    var now = new HashMap<String, Checked>();
    var refused = new HashMap<String, String>();
    for (RoleModel role : observed.model().roles()) {
      question(observed, role, mayRestart)
          .ifPresent(
              it -> {
                var checked = checked(it, Optional.ofNullable(before.get(role.name())), client);
                now.put(role.name(), checked);
                checked.refusal().ifPresent(why -> affected(observed, role, it, why, refused));
              });
    }
    if (now.isEmpty()) {
      clusters.remove(id);
    } else {
      clusters.put(id, Map.copyOf(now));
    }
    // It was deleted meanwhile: nobody would forget it.
    if (!isThere.test(id)) {
      forget(id);
    }
    return refused;
  }

  /** What holds for one pod of a set holds for all that are in the same state. */
  private static void affected(
      Observation observed,
      RoleModel role,
      Question asked,
      String why,
      Map<String, String> refused) {
    if (asked.replaced().isEmpty()) {
      missing(observed, role).forEach(pod -> refused.put(pod, why));
      return;
    }
    observed
        .pods(role)
        .filter(observed::isOutdated)
        .forEach(pod -> refused.put(pod.getMetadata().getName(), why));
  }

  private static Optional<Question> question(
      Observation observed, RoleModel role, Predicate<RoleModel> mayRestart) {
    var set = Optional.ofNullable(observed.statefulSets().get(role.name()));
    if (set.isEmpty() || !observed.isTemplateObserved(role)) {
      return Optional.empty();
    }
    return missing(observed, role).stream()
        .findFirst()
        .map(it -> new Question(set.get(), ordinal(it), Optional.empty()))
        .or(
            () ->
                observed
                    .pods(role)
                    .filter(it -> mayRestart.test(role))
                    .filter(it -> it.getMetadata().getDeletionTimestamp() == null)
                    .filter(observed::isOutdated)
                    .findFirst()
                    .map(it -> new Question(set.get(), Labels.ordinalOf(it), Optional.of(it))));
  }

  /** Names of the declared pods that do not exist, lowest ordinal first. */
  public static List<String> missing(Observation observed, RoleModel role) {
    var names =
        observed.pods(role).map(it -> it.getMetadata().getName()).collect(Collectors.toSet());
    return IntStream.range(0, observed.declaredReplicas().getOrDefault(role.name(), 0))
        .mapToObj(it -> role.name() + "-" + it)
        .filter(it -> !names.contains(it))
        .toList();
  }

  private static int ordinal(String pod) {
    return Integer.parseInt(pod.substring(pod.lastIndexOf('-') + 1));
  }

  private Checked checked(Question question, Optional<Checked> before, KubernetesClient client) {
    long now = nanos.getAsLong();
    var hash = StatefulSets.templateHash(question.set());
    var same =
        before.filter(
            it ->
                it.pod().equals(question.pod())
                    && it.hash().equals(hash)
                    && it.missing().isPresent() == question.replaced().isEmpty());
    var missing =
        question.replaced().isPresent()
            ? Optional.<Long>empty()
            : same.flatMap(Checked::missing).or(() -> Optional.of(now));
    boolean isEarly = missing.filter(it -> now - it < MISSING.toNanos()).isPresent();
    boolean isKnown = same.flatMap(Checked::at).filter(it -> now - it < KEPT.toNanos()).isPresent();
    if (isEarly || isKnown) {
      return new Checked(
          question.pod(), hash, missing, same.flatMap(Checked::at), same.flatMap(Checked::refusal));
    }
    var refusal =
        PodDryRun.refusal(
                client, question.set(), question.ordinal(), question.replaced().isPresent())
            .map(PodTroubles::shortened);
    return new Checked(question.pod(), hash, missing, Optional.of(nanos.getAsLong()), refusal);
  }

  /** Nothing is kept of a cluster that was deleted. */
  public void forget(ResourceID id) {
    clusters.remove(id);
  }

  /** Whether anything is kept, for tests. */
  boolean isEmpty() {
    return clusters.isEmpty();
  }
}
