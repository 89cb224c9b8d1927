package io.offheap.hbase.operator.it;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.hbase.ClusterControl;
import io.offheap.hbase.operator.hbase.HBaseAccess;
import io.offheap.hbase.operator.hbase.OnlineRevisions;
import io.offheap.hbase.operator.rollout.HBaseCommand;
import io.offheap.hbase.operator.rollout.HBaseView;
import io.offheap.hbase.operator.rollout.ServerSample;
import io.offheap.hbase.operator.tune.Reading;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** A {@link ModelHBase} for every cluster that a controller asks about. */
final class ModelHBases implements ClusterControl, OnlineRevisions, AutoCloseable {
  private final KubernetesClient client;
  private final Map<ResourceID, ModelHBase> clusters = new ConcurrentHashMap<>();
  private volatile Function<ResourceID, List<ServerSample>> samples = id -> List.of();
  private volatile Function<ResourceID, List<Reading>> readings = id -> List.of();

  ModelHBases(KubernetesClient client) {
    this.client = client;
  }

  HBaseAccess access() {
    return new HBaseAccess(
        List.of(), this, id -> samples.apply(id), id -> readings.apply(id), this);
  }

  /** What the servers of a cluster say of themselves from now on; nothing before this. */
  void letTell(Function<ResourceID, List<ServerSample>> figures) {
    samples = figures;
  }

  /** What the observers of a cluster say from now on; nothing before this. */
  void letObserve(Function<ResourceID, List<Reading>> figures) {
    readings = figures;
  }

  ModelHBase of(String namespace, String name) {
    return of(new ResourceID(name, namespace));
  }

  private ModelHBase of(ResourceID id) {
    return clusters.computeIfAbsent(
        id, made -> new ModelHBase(client, made.getNamespace().orElseThrow(), made.getName()));
  }

  @Override
  public Optional<HBaseView> view(ResourceID id) {
    return of(id).view();
  }

  @Override
  public void send(ResourceID id, List<HBaseCommand> commands) {
    of(id).send(commands);
  }

  @Override
  public Map<HBaseCommand, String> refusals(ResourceID id) {
    return Map.of();
  }

  @Override
  public Optional<Instant> settledAt(ResourceID id) {
    return of(id).settledAt();
  }

  @Override
  public Map<String, String> inForce(ResourceID id, List<Wanted> wanted) {
    return of(id).inForce(wanted);
  }

  @Override
  public void close() {
    clusters.values().forEach(ModelHBase::close);
  }
}
