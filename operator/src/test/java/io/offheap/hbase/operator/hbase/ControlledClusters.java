package io.offheap.hbase.operator.hbase;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.IndexerResourceCache;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterSpec;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.RegionServer;
import io.offheap.hbase.operator.api.HBaseClusterStatusBuilder;
import io.offheap.hbase.operator.rollout.HBaseView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Resources as an informer would have them, and the control that gets their events. */
final class ControlledClusters implements AutoCloseable {
  private final Map<ResourceID, HBaseCluster> resources = new ConcurrentHashMap<>();
  private final Map<ResourceID, List<String>> servers = new ConcurrentHashMap<>();
  private final Map<ResourceID, Set<String>> restarting = new ConcurrentHashMap<>();
  private final List<ResourceID> reconciliations = new CopyOnWriteArrayList<>();
  private final HBaseConnections connections;
  private final HBaseControl control;

  /**
   * Creates an instance without clusters.
   *
   * @param moves limit of concurrent region moves of a cluster
   * @param moveDeadline deadline of a move
   */
  ControlledClusters(int moves, Duration moveDeadline) {
    this(moves, moveDeadline, new HBaseConnections());
  }

  ControlledClusters(int moves, Duration moveDeadline, HBaseConnections connections) {
    this.connections = connections;
    control =
        new HBaseControl(
            context(),
            connections,
            cluster -> restarting.getOrDefault(ResourceID.fromResource(cluster), Set.of()),
            this::counts,
            cluster -> new MoveLimits(moves, 3),
            () -> {},
            cluster -> servers.get(ResourceID.fromResource(cluster)),
            moveDeadline);
    control.setEventHandler(
        (Event event) -> reconciliations.add(event.getRelatedCustomResourceID()));
    control.start();
  }

  /** What the servers would report themselves. */
  private Map<String, Integer> counts(ResourceID id) {
    return view(id)
        .map(
            it ->
                it.regions().entrySet().stream()
                    .collect(Collectors.toMap(Map.Entry::getKey, all -> all.getValue().size())))
        .orElse(Map.of());
  }

  /** The context for another source that polls these clusters. */
  EventSourceContext<HBaseCluster> context() {
    return new EventSourceContext<>(new Informed(), null, null, HBaseCluster.class);
  }

  HBaseControl control() {
    return control;
  }

  HBaseConnections connections() {
    return connections;
  }

  /** Adds a resource whose HBase serves here, as {@code host:port}. */
  ResourceID add(String name, List<String> hosts) {
    var id = new ResourceID(name, "test");
    servers.put(id, hosts);
    var cluster = new HBaseCluster();
    cluster.setMetadata(new ObjectMetaBuilder().withName(name).withNamespace("test").build());
    cluster.setStatus(serving());
    resources.put(id, cluster);
    control.onResourceCreated(cluster);
    return id;
  }

  HBaseCluster resource(ResourceID id) {
    return resources.get(id);
  }

  void remove(ResourceID id) {
    control.onResourceDeleted(resources.remove(id));
  }

  /** As a reconciliation that has written another status. */
  void update(ResourceID id, HBaseClusterStatus status) {
    var cluster = new HBaseCluster();
    cluster.setMetadata(resource(id).getMetadata());
    cluster.setStatus(status);
    control.onResourceUpdated(cluster, resources.put(id, cluster));
  }

  /** From now on these pods are being restarted. */
  void restart(ResourceID id, Set<String> pods) {
    restarting.put(id, pods);
    control.pollSoon(id);
  }

  Optional<HBaseView> view(ResourceID id) {
    return control.view(id);
  }

  /**
   * Waits for a view of an HBase that starts. Without a response, the next view would be requested
   * up to a minute later.
   */
  void awaitStart(ResourceID id, Predicate<HBaseView> condition) {
    ControlledHBase.soon(Duration.ofMinutes(4))
        .pollInterval(Duration.ofSeconds(1))
        .until(
            () -> {
              control.pollSoon(id);
              return condition.test(view(id).orElseThrow());
            });
  }

  /** Reconciliations that were triggered for a resource. */
  long reconciliations(ResourceID id) {
    return reconciliations.stream().filter(id::equals).count();
  }

  private static HBaseClusterStatus serving() {
    var server = new RegionServer("rs-0", null, null, null, RegionServer.State.Serving);
    return new HBaseClusterStatusBuilder()
        .appliedSpec(Serialization.unmarshal("{}", HBaseClusterSpec.class))
        .regionServers(List.of(server))
        .build();
  }

  @Override
  public void close() {
    control.stop();
  }

  private final class Informed implements IndexerResourceCache<HBaseCluster> {
    @Override
    public Optional<HBaseCluster> get(ResourceID id) {
      return Optional.ofNullable(resources.get(id));
    }

    @Override
    public Stream<ResourceID> keys() {
      return resources.keySet().stream();
    }

    @Override
    public Stream<HBaseCluster> list(Predicate<HBaseCluster> predicate) {
      return resources.values().stream().filter(predicate);
    }

    @Override
    public Stream<HBaseCluster> list(String namespace, Predicate<HBaseCluster> predicate) {
      return list(predicate.and(it -> namespace.equals(it.getMetadata().getNamespace())));
    }

    @Override
    public List<HBaseCluster> byIndex(String name, String key) {
      throw new UnsupportedOperationException("No index");
    }

    @Override
    public void addIndexers(Map<String, Function<HBaseCluster, List<String>>> indexers) {
      throw new UnsupportedOperationException("No index");
    }
  }
}
