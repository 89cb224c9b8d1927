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
 * Two real HBases for all clusters of a controller: one is a single cluster's own and can be
 * frozen, the other one serves for all others. A controller reaches them over {@link HBaseControl},
 * as in production, or else its passes ask with HBase's blocking client. Each has one region
 * server; it counts as the one in the cluster's second pod.
 */
public final class TwoHBases implements AutoCloseable {
  private static final String HOST = "localhost";

  /** A pass asks more than once for a view; it looks once. */
  private static final Duration ONE_PASS = Duration.ofSeconds(1);

  private final ResourceID ill;
  private final RealHBase own;
  private final RealHBase serving;
  private final Map<ResourceID, BlockingClient> clients = new ConcurrentHashMap<>();
  private final Map<ResourceID, Instant> looks = new ConcurrentHashMap<>();
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
   * @param ill the cluster that has one of its own
   */
  public static TwoHBases start(Path folder, ResourceID ill) {
    return new TwoHBases(
        ill, RealHBase.start(folder.resolve("own")), RealHBase.start(folder.resolve("serving")));
  }

  /** How the one controller reaches them. */
  public HBaseAccess access(EventSourceContext<HBaseCluster> context) {
    control =
        new HBaseControl(
            context,
            new HBaseConnections(),
            // Each is asked as often, and for as much, as one in which a server has its turn.
            cluster -> Set.of(HOST),
            id -> Map.of(),
            cluster -> 8,
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

  /** When the last look at a cluster that was answered began; empty before the first one. */
  public Optional<Instant> looked(ResourceID id) {
    return control.view(id).map(HBaseView::asked);
  }

  /** Whether the passes ask with the blocking client from now on. */
  public void block(boolean blocking) {
    isBlocking = blocking;
  }

  /** The ill cluster's stops answering: SIGSTOP. */
  public void freeze() {
    own.freeze();
  }

  /** It goes on. */
  public void thaw() {
    own.thaw();
  }

  @Override
  public void close() {
    own.close();
    serving.close();
    clients.values().forEach(BlockingClient::close);
  }

  private void look(ResourceID id) {
    var last = looks.getOrDefault(id, Instant.EPOCH);
    if (last.isBefore(Instant.now().minus(ONE_PASS))) {
      clients.computeIfAbsent(id, made -> new BlockingClient(of(made))).look();
      looks.put(id, Instant.now());
    }
  }

  private final class Control implements ClusterControl {
    @Override
    public Optional<HBaseView> view(ResourceID id) {
      if (isBlocking) {
        look(id);
      }
      return control.view(id).map(view -> inPod(id.getName() + "-regionserver-1", view));
    }

    private static HBaseView inPod(String pod, HBaseView view) {
      return new HBaseView(
          view.asked(),
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
    public Optional<Instant> settledAt(ResourceID id) {
      return control.settledAt(id);
    }
  }
}
