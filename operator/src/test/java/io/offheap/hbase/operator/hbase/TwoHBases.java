package io.offheap.hbase.operator.hbase;

import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.rollout.HBaseCommand;
import io.offheap.hbase.operator.rollout.HBaseView;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Two real HBases for all clusters of a controller: one belongs to a single cluster and can be
 * frozen, the other one serves all other clusters. A controller reaches them over {@link
 * HBaseControl}, as in production, or its reconciliations call HBase's blocking client. Each has
 * one region server, which counts as the one in the cluster's second pod.
 */
public final class TwoHBases implements AutoCloseable {
  private static final String HOST = "localhost";

  /** A reconciliation requests the view more than once; it is read once. */
  private static final Duration ONE_PASS = Duration.ofSeconds(1);

  private final ResourceID ill;
  private final RealHBase own;
  private final RealHBase serving;
  private final Map<ResourceID, BlockingClient> clients = new ConcurrentHashMap<>();
  private final Map<ResourceID, Instant> views = new ConcurrentHashMap<>();
  private volatile HBaseControl control;
  private volatile boolean isBlocking;

  private TwoHBases(ResourceID ill, RealHBase own, RealHBase serving) {
    this.ill = ill;
    this.own = own;
    this.serving = serving;
  }

  /**
   * Starts both; they serve some seconds later.
   *
   * @param ill the cluster with its own HBase
   */
  public static TwoHBases start(Path folder, ResourceID ill) {
    return new TwoHBases(
        ill, RealHBase.start(folder.resolve("own")), RealHBase.start(folder.resolve("serving")));
  }

  /** The access of the one controller. */
  public HBaseAccess access(EventSourceContext<HBaseCluster> context) {
    control =
        new HBaseControl(
            context,
            new HBaseConnections(),
            // Each is polled as often, and for as much, as a cluster with a server that is being
            // restarted.
            cluster -> Set.of(HOST),
            id -> Map.of(),
            cluster -> new MoveLimits(8, 3),
            () -> {},
            cluster -> List.of(of(ResourceID.fromResource(cluster)).regionServer()),
            CommandSender.MOVE_DEADLINE);
    return new HBaseAccess(
        List.of(control),
        new Control(),
        id -> List.of(),
        id -> List.of(),
        id -> {},
        (id, wanted) -> Map.of(),
        id -> List.of());
  }

  private RealHBase of(ResourceID id) {
    return id.equals(ill) ? own : serving;
  }

  /** When the last successful view of a cluster was requested; empty before the first one. */
  public Optional<Instant> lastViewTime(ResourceID id) {
    return control.view(id).map(HBaseView::requestedAt);
  }

  /** Selects whether reconciliations use the blocking client from now on. */
  public void block(boolean blocking) {
    isBlocking = blocking;
  }

  /** Stops the ill cluster's process: SIGSTOP. */
  public void freeze() {
    own.freeze();
  }

  /** Continues the process. */
  public void thaw() {
    own.thaw();
  }

  @Override
  public void close() {
    own.close();
    serving.close();
    clients.values().forEach(BlockingClient::close);
  }

  private void readView(ResourceID id) {
    var last = views.getOrDefault(id, Instant.EPOCH);
    if (last.isBefore(Instant.now().minus(ONE_PASS))) {
      clients.computeIfAbsent(id, made -> new BlockingClient(of(made))).readView();
      views.put(id, Instant.now());
    }
  }

  private final class Control implements ClusterControl {
    @Override
    public Optional<HBaseView> view(ResourceID id) {
      if (isBlocking) {
        readView(id);
      }
      return control.view(id).map(view -> inPod(id.getName() + "-regionserver-1", view));
    }

    private static HBaseView inPod(String pod, HBaseView view) {
      return new HBaseView(
          view.requestedAt(),
          view.serversAt(),
          view.activeMaster(),
          view.backupMasters(),
          view.servers().stream()
              .map(it -> new HBaseView.Server(it.name().replace(HOST, pod), it.regions()))
              .toList(),
          view.crashed(),
          view.inTransition(),
          view.draining(),
          view.isBalancerOn(),
          view.isNormalizerOn(),
          Map.of());
    }

    @Override
    public void send(ResourceID id, List<HBaseCommand> commands) {
      control.send(id, commands);
    }

    @Override
    public Map<HBaseCommand, String> refusals(ResourceID id) {
      return control.refusals(id);
    }

    @Override
    public Set<HBaseCommand> denied(ResourceID id) {
      return control.denied(id);
    }

    @Override
    public Optional<Instant> settledAt(ResourceID id) {
      return control.settledAt(id);
    }
  }
}
