package io.offheap.hbase.operator.it;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.AbstractEventSource;
import io.offheap.hbase.operator.api.HBaseCluster;
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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/** A {@link ModelHBase} for every cluster of a controller. */
final class ModelHBases implements ClusterControl, OnlineRevisions, AutoCloseable {
  private final KubernetesClient client;
  private final Map<ResourceID, ModelHBase> clusters = new ConcurrentHashMap<>();
  private final Map<String, SharedIndexInformer<Pod>> podsByNamespace = new ConcurrentHashMap<>();
  private final Map<ResourceID, ModelFigures> figures = new ConcurrentHashMap<>();
  private volatile Function<ResourceID, List<ServerSample>> samples = this::equalFigures;
  private volatile Function<ResourceID, List<Reading>> readings = id -> List.of();

  private volatile BiFunction<ResourceID, List<Wanted>, Map<String, String>> revisions =
      (id, wanted) -> of(id).inForce(wanted);

  private volatile Function<ResourceID, List<String>> problems = id -> List.of();

  private volatile Consumer<ResourceID> readSoon = id -> {};

  private volatile Changes changes = new Changes();

  ModelHBases(KubernetesClient client) {
    this.client = client;
  }

  /** For one more controller; earlier ones get no more triggers. */
  HBaseAccess access() {
    changes = new Changes();
    return new HBaseAccess(
        List.of(changes),
        this,
        id -> samples.apply(id),
        id -> readings.apply(id),
        id -> readSoon.accept(id),
        this,
        id -> problems.apply(id));
  }

  /** Triggers a reconciliation when a cluster's view changes. */
  private static final class Changes extends AbstractEventSource<Void, HBaseCluster> {
    Changes() {
      super(Void.class, "model-hbases");
    }

    void wake(ResourceID id) {
      if (isRunning()) {
        getEventHandler().handleEvent(new Event(id));
      }
    }

    @Override
    public Set<Void> getSecondaryResources(HBaseCluster cluster) {
      return Set.of();
    }
  }

  /** Without samples of peers, the rollout waits for the canary. */
  private List<ServerSample> equalFigures(ResourceID id) {
    return view(id)
        .map(figures.computeIfAbsent(id, made -> new ModelFigures(pod -> 0))::of)
        .orElse(List.of());
  }

  /** Sets the samples of a cluster's servers; by default all are equal. */
  void setSamples(Function<ResourceID, List<ServerSample>> others) {
    samples = others;
  }

  /** Sets the readings of a cluster's observers; by default there are none. */
  void setReadings(Function<ResourceID, List<Reading>> figures) {
    readings = figures;
  }

  /** Sets the refused responses of a cluster's servers; by default there are none. */
  void setProblems(Function<ResourceID, List<String>> others) {
    problems = others;
  }

  /** Sets the revisions that servers report; by default those of the model. */
  void setRevisions(BiFunction<ResourceID, List<Wanted>, Map<String, String>> others) {
    revisions = others;
  }

  /** Called when the operator requests new metrics of a cluster soon. */
  void onReadSoon(Consumer<ResourceID> reads) {
    readSoon = reads;
  }

  ModelHBase of(String namespace, String name) {
    return of(new ResourceID(name, namespace));
  }

  private ModelHBase of(ResourceID id) {
    return clusters.computeIfAbsent(
        id,
        made ->
            new ModelHBase(
                client,
                made.getNamespace().orElseThrow(),
                made.getName(),
                podsIn(made.getNamespace().orElseThrow()).getStore(),
                () -> changes.wake(made)));
  }

  private SharedIndexInformer<Pod> podsIn(String namespace) {
    return podsByNamespace.computeIfAbsent(namespace, it -> client.pods().inNamespace(it).inform());
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
  public Set<HBaseCommand> denied(ResourceID id) {
    return Set.of();
  }

  @Override
  public Optional<Instant> settledAt(ResourceID id) {
    return of(id).settledAt();
  }

  @Override
  public Map<String, String> inForce(ResourceID id, List<Wanted> wanted) {
    return revisions.apply(id, wanted);
  }

  @Override
  public void close() {
    clusters.values().forEach(ModelHBase::close);
    podsByNamespace.values().forEach(SharedIndexInformer::close);
  }
}
