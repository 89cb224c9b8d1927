package io.offheap.hbase.operator.reconcile;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.RolloutStatus;
import io.offheap.hbase.operator.declare.PodRights;
import io.offheap.hbase.operator.deploy.RememberedMap;
import io.offheap.hbase.operator.report.Events;
import io.offheap.hbase.operator.status.RolloutStatuses;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Stores the state that outlives a resource, and reads it if the resource has no status. Status is
 * the source: the config map follows it, and is written before a reconciliation acts.
 */
public final class RememberedMaps {
  private static final String OF_ROLLOUT = "what a rollout had taken from HBase";

  private final PermittedImages permitted;
  private final PodRights rights;
  private final Events events;
  private final Clock clock;

  /**
   * Made once for a controller.
   *
   * @param operatorsImage image of clusters that declare none
   * @param allowedImages repositories that the chart permits; empty where it has no such list
   * @param rights what the operator's settings permit to pod templates
   * @param events for {@code kubectl describe}
   * @param clock the time
   */
  public static RememberedMaps of(
      String operatorsImage,
      Set<String> allowedImages,
      PodRights rights,
      Events events,
      Clock clock) {
    return new RememberedMaps(
        new PermittedImages(operatorsImage, allowedImages), rights, events, clock);
  }

  private RememberedMaps(PermittedImages permitted, PodRights rights, Events events, Clock clock) {
    this.permitted = permitted;
    this.rights = rights;
    this.events = events;
    this.clock = clock;
  }

  /**
   * The input of a reconciliation.
   *
   * @param seen the resource, as new as what the rest is from
   * @param cluster the same; without a status, with the remembered state; without a rollout that
   *     cannot continue
   * @param left the state to restore in HBase of a rollout that {@code cluster} does not have
   * @param news events about it, which are sent when a reconciliation acts on it
   * @param isNew whether its status is blank
   * @param nodes the servers that the remembered state has, whose volumes may be kept
   */
  record Start(
      HBaseCluster seen,
      HBaseCluster cluster,
      Optional<RolloutCopy> left,
      List<Runnable> news,
      boolean isNew,
      Optional<KeptNodes.Counts> nodes) {
    Start {
      news = List.copyOf(news);
    }

    private static Start of(HBaseCluster seen, Runnable... news) {
      boolean isNew = isBlank(seen.getStatus());
      return new Start(
          seen, withoutRollout(seen), leftInStatus(seen), List.of(news), isNew, Optional.empty());
    }

    /** Not before: a refused resource is reconciled repeatedly and keeps nothing. */
    void report() {
      news.forEach(Runnable::run);
    }
  }

  /**
   * Reads the remembered state before planning. Not from an informer: a config map that is not in
   * its cache yet would be overwritten.
   */
  Start start(HBaseCluster cluster, KubernetesClient client) {
    if (!isBlank(cluster.getStatus())) {
      return Start.of(cluster);
    }
    // The informer may be older than the last written status.
    var seen =
        Optional.ofNullable(client.resource(cluster).get())
            .filter(it -> it.getMetadata().getUid().equals(cluster.getMetadata().getUid()))
            .orElse(cluster);
    if (!isBlank(seen.getStatus())) {
      return Start.of(seen);
    }
    Optional<ConfigMap> read;
    try {
      read = RememberedMap.read(seen, client);
    } catch (IllegalStateException e) {
      // Others write to it as well, and could else hold up a new resource for ever.
      return Start.of(seen, ignored(seen, String.valueOf(e.getMessage())));
    }
    return read.filter(it -> RememberedMap.isOf(seen, it))
        .map(it -> recall(seen, it))
        .orElseGet(() -> Start.of(seen));
  }

  private Start recall(HBaseCluster seen, ConfigMap map) {
    if (RememberedMap.isOfAnother(seen, map)) {
      return Start.of(seen, ignored(seen, "it is owned by a resource that was deleted"));
    }
    try {
      return recall(seen, RememberedMap.text(map).orElse(""));
    } catch (RuntimeException e) {
      // Any error in the text: the reconciliation continues without it.
      return Start.of(seen, ignored(seen, String.valueOf(e.getMessage())));
    }
  }

  private Start recall(HBaseCluster seen, String text) {
    var news = new ArrayList<Runnable>();
    var remembered = Remembered.read(text, it -> news.add(ignored(seen, it)));
    boolean isWhole = news.isEmpty();
    var check = new RememberedCheck(seen, permitted, rights, clock);
    var inMap = check.left(remembered);
    var left = leftInStatus(seen).map(it -> inMap.map(it::and).orElse(it)).or(() -> inMap);
    boolean isSameSpec = SpecFingerprint.of(seen.getSpec()).equals(remembered.declared());
    var checked = check.check(isSameSpec ? remembered : remembered.withoutPlans());
    check.problems().forEach(it -> news.add(ignored(seen, it)));
    if (isWhole && !isSameSpec) {
      news.add(normal(seen, "RememberedReplaced", " is of another spec, and is replaced"));
    }
    var parts = parts(checked, left);
    if (!parts.isEmpty()) {
      news.add(normal(seen, "RememberedUsed", ": " + parts));
    }
    boolean isKnown = isSameSpec || checked.images() != null;
    return new Start(
        seen,
        isKnown ? with(seen, checked) : withoutRollout(seen),
        left,
        news,
        true,
        Optional.ofNullable(checked.nodes()));
  }

  private static String parts(Remembered it, Optional<RolloutCopy> left) {
    return Stream.of(
            it.images() == null ? null : "images",
            it.live() == null ? null : "what the tables need",
            it.tuning() == null ? null : "tuned values",
            it.lastGood() == null ? null : "the last good spec",
            it.rolledBack() == null ? null : "changes that were rolled back",
            it.proven() == null ? null : "proven changes",
            left.isEmpty() ? null : OF_ROLLOUT)
        .filter(part -> part != null)
        .collect(Collectors.joining(", "));
  }

  private Runnable normal(HBaseCluster cluster, String reason, String what) {
    return () -> events.normal(cluster, reason, name(cluster) + what);
  }

  private Runnable ignored(HBaseCluster cluster, String why) {
    return () -> events.warning(cluster, "RememberedIgnored", name(cluster) + ": " + why);
  }

  private static String name(HBaseCluster cluster) {
    return "config map " + RememberedMap.name(cluster);
  }

  /** Whether this resource was never applied, or its status was wiped. */
  public static boolean isBlank(HBaseClusterStatus status) {
    return status == null
        || (status.images() == null
            && status.appliedSpec() == null
            && status.lastGood() == null
            && status.rolledBack() == null
            && status.proven() == null
            && status.tuning() == null);
  }

  /**
   * The rollout that a status continues. Without an applied spec its plans are not known, so it is
   * only restored: a step {@code Stop} could stop a server that has regions again.
   */
  static Optional<RolloutStatus> rollout(HBaseClusterStatus status) {
    return Optional.ofNullable(status)
        .filter(it -> it.appliedSpec() != null)
        .map(HBaseClusterStatus::rollout);
  }

  private static boolean hasOrphanedRollout(HBaseClusterStatus status) {
    return status != null && status.rollout() != null && rollout(status).isEmpty();
  }

  private static Optional<RolloutCopy> leftInStatus(HBaseCluster cluster) {
    return hasOrphanedRollout(cluster.getStatus())
        ? RolloutCopy.of(cluster, RolloutStatuses.read(cluster.getStatus()))
            .flatMap(it -> it.sound(cluster))
        : Optional.empty();
  }

  private static HBaseCluster withoutRollout(HBaseCluster cluster) {
    return hasOrphanedRollout(cluster.getStatus())
        ? with(cluster, cluster.getStatus().toBuilder().rollout(null).build())
        : cluster;
  }

  private static HBaseCluster with(HBaseCluster cluster, Remembered it) {
    return with(
        cluster,
        HBaseClusterStatus.empty()
            .remembering(
                it.live(), it.images(), it.lastGood(), it.rolledBack(), it.proven(), it.tuning()));
  }

  private static HBaseCluster with(HBaseCluster cluster, HBaseClusterStatus status) {
    var known = new HBaseCluster();
    known.setMetadata(cluster.getMetadata());
    known.setSpec(cluster.getSpec());
    known.setStatus(status);
    return known;
  }

  /**
   * Stores the state before a reconciliation acts; writes only if the config map differs.
   *
   * @throws IllegalStateException if a foreign config map has this name
   */
  void keep(HBaseCluster cluster, Remembered remembered, Context<HBaseCluster> context) {
    ConfigMapWrites.write(
        RememberedMap.of(cluster, bounded(remembered)), "nothing outlives the resource", context);
  }

  /**
   * Removes a copy of a rollout, once HBase has everything back of it, while no other part may be
   * used: the spec is refused. From an immutable config map nothing can be removed, so a restarted
   * operator restores the same once more.
   *
   * @param isReported whether an immutable config map is reported
   * @throws io.fabric8.kubernetes.client.KubernetesClientException if the config map has changed
   *     meanwhile, or the write failed
   */
  void restored(
      HBaseCluster cluster, RolloutCopy copy, boolean isReported, KubernetesClient client) {
    var map = RememberedMap.read(cluster, client).filter(it -> RememberedMap.isOf(cluster, it));
    var text =
        map.flatMap(RememberedMap::text)
            .flatMap(
                it ->
                    Remembered.withoutRollout(
                        it,
                        stored -> stored.sound(cluster).map(copy::and).equals(Optional.of(copy))));
    if (text.isEmpty()) {
      return;
    }
    if (Boolean.TRUE.equals(map.get().getImmutable())) {
      if (isReported) {
        ignored(cluster, "it is immutable and keeps " + OF_ROLLOUT + ", which is restored").run();
      }
    } else {
      RememberedMap.replace(map.get(), text.get(), client);
      normal(cluster, "RememberedUsed", ": " + OF_ROLLOUT).run();
    }
  }

  private static String bounded(Remembered remembered) {
    var text = remembered.text();
    return text.length() <= Remembered.LONGEST ? text : remembered.withoutLastGood().text();
  }
}
