package io.offheap.hbase.operator.hbase;

import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.rollout.HBaseCommand;
import io.offheap.hbase.operator.rollout.HBaseView;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.hadoop.hbase.client.AsyncConnection;

/**
 * Polls the view of every cluster that serves, and sends commands, over HBase's own client. No call
 * blocks: views and commands are futures with deadlines, and the end of a command triggers the next
 * view. A reconciliation is triggered when a view differs in anything but its time.
 */
public final class HBaseControl extends PollingSource<HBaseView, HBaseCluster>
    implements ClusterControl {
  /**
   * From one request to the next, at rest too: a rollout that begins needs a view that was
   * requested in the last fifteen seconds.
   */
  private static final Duration PERIOD = Duration.ofSeconds(10);

  private static final Duration ROLL_PERIOD = Duration.ofSeconds(1);

  /** Host name in reports if the failure is not one server's. */
  private static final String HBASE = "HBase";

  private final HBaseConnections connections;
  private final Function<HBaseCluster, Set<String>> rolled;
  private final Function<HBaseCluster, List<String>> servers;
  private final Function<ResourceID, Map<String, Integer>> counts;
  private final Function<HBaseCluster, MoveLimits> moves;
  private final Runnable beforeEach;
  private final Duration moveDeadline;
  private final Map<ResourceID, Controlled> clusters = new ConcurrentHashMap<>();

  /** State of a cluster while its resource exists; how long its last view took to read. */
  private record Controlled(
      ViewReader reader, CommandSender sender, AtomicReference<Duration> took) {}

  /**
   * Creates the source of a controller.
   *
   * @param connections closed when a cluster is deleted, and with this source
   * @param rolled pods that are being restarted: their region servers' regions are requested each
   *     second; empty if no rollout is under way
   * @param counts region count of each region server by server name, as it reports itself
   * @param moves limits of concurrent region moves
   * @param beforeEach runs before each command; if it throws, nothing is sent
   */
  public HBaseControl(
      EventSourceContext<HBaseCluster> context,
      HBaseConnections connections,
      Function<HBaseCluster, Set<String>> rolled,
      Function<ResourceID, Map<String, Integer>> counts,
      Function<HBaseCluster, MoveLimits> moves,
      Runnable beforeEach) {
    this(
        context,
        connections,
        rolled,
        counts,
        moves,
        beforeEach,
        RegionServerHosts::bootstrapServers,
        CommandSender.MOVE_DEADLINE);
  }

  /**
   * For tests: with other bootstrap servers, as {@code host:port}, and another deadline of a move.
   */
  HBaseControl(
      EventSourceContext<HBaseCluster> context,
      HBaseConnections connections,
      Function<HBaseCluster, Set<String>> rolled,
      Function<ResourceID, Map<String, Integer>> counts,
      Function<HBaseCluster, MoveLimits> moves,
      Runnable beforeEach,
      Function<HBaseCluster, List<String>> servers,
      Duration moveDeadline) {
    super("hbase-views", HBaseView.class, view -> "view", context, PERIOD);
    this.connections = connections;
    this.rolled = rolled;
    this.counts = counts;
    this.moves = moves;
    this.beforeEach = beforeEach;
    this.servers = servers;
    this.moveDeadline = moveDeadline;
  }

  @Override
  public Optional<HBaseView> view(ResourceID id) {
    return Optional.ofNullable(clusters.get(id)).flatMap(it -> it.reader().last());
  }

  @Override
  public void send(ResourceID id, List<HBaseCommand> commands) {
    // On the thread that runs forget too: no connection is made again for a deleted cluster.
    execute(
        id,
        cluster ->
            controlled(id).sender().send(connection(id, cluster), moves.apply(cluster), commands));
  }

  @Override
  public Map<HBaseCommand, String> refusals(ResourceID id) {
    return Optional.ofNullable(clusters.get(id)).map(it -> it.sender().refusals()).orElse(Map.of());
  }

  @Override
  public Set<HBaseCommand> denied(ResourceID id) {
    return Optional.ofNullable(clusters.get(id)).map(it -> it.sender().denied()).orElse(Set.of());
  }

  /** Commands that are running. */
  int running(ResourceID id) {
    return Optional.ofNullable(clusters.get(id)).map(it -> it.sender().running()).orElse(0);
  }

  @Override
  public Optional<Instant> settledAt(ResourceID id) {
    return Optional.ofNullable(clusters.get(id))
        .map(it -> it.sender().settledAt())
        .orElse(Optional.of(Instant.EPOCH));
  }

  @Override
  public void onResourceUpdated(HBaseCluster cluster, HBaseCluster before) {
    super.onResourceUpdated(cluster, before);
    if (!rolled.apply(cluster).equals(rolled.apply(before))
        || (RegionServerHosts.areAtRest(before) && !RegionServerHosts.areAtRest(cluster))) {
      pollSoon(ResourceID.fromResource(cluster));
    }
  }

  @Override
  Duration period(HBaseCluster cluster) {
    return rolled.apply(cluster).isEmpty()
        ? pauseAtRest(
            Optional.ofNullable(clusters.get(ResourceID.fromResource(cluster)))
                .map(it -> it.took().get())
                .orElse(Duration.ZERO))
        : ROLL_PERIOD;
  }

  /**
   * From a view that has come to the request of the next. A view counts by the time of its request:
   * were the pause the whole period, one that takes 3 s to read would be 16 s old before the next
   * is there, and HBase would be taken for silent for a second.
   */
  static Duration pauseAtRest(Duration took) {
    var pause = PERIOD.minus(took);
    return pause.compareTo(ROLL_PERIOD) < 0 ? ROLL_PERIOD : pause;
  }

  @Override
  CompletableFuture<Set<HBaseView>> poll(HBaseCluster cluster) {
    var id = ResourceID.fromResource(cluster);
    var controlled = controlled(id);
    var reader = controlled.reader();
    if (!RegionServerHosts.areServing(cluster)) {
      return CompletableFuture.completedFuture(cached(reader));
    }
    long begun = System.nanoTime();
    var restarting = rolled.apply(cluster);
    return reader
        .read(
            connection(id, cluster),
            restarting,
            restSince(cluster, restarting, controlled.sender().settledAt()))
        .handle(
            (view, failed) -> {
              controlled.took().set(Duration.ofNanos(System.nanoTime() - begun));
              if (failed != null) {
                reported(id).accept(failed);
                if (!isRolloutUnderWay(cluster)) {
                  silent(id);
                }
              }
              return cached(reader);
            });
  }

  /**
   * At rest, when the last command ended. Empty while a command is running, a rollout is under way
   * or a region server does not serve: then each view is new in all its parts.
   */
  static Optional<Instant> restSince(
      HBaseCluster cluster, Set<String> restarting, Optional<Instant> settledAt) {
    return settledAt.filter(it -> restarting.isEmpty() && RegionServerHosts.areAtRest(cluster));
  }

  /** The reader logs its failures itself; refused responses are reported in status. */
  private Consumer<Throwable> reported(ResourceID id) {
    return failure -> {
      var cause = failure instanceof CompletionException ? failure.getCause() : failure;
      if (cause instanceof TimeoutException || RefusedResponseException.in(cause).isPresent()) {
        onFailure(id, HBASE).accept(failure);
      }
    };
  }

  /**
   * Whether servers, masters included, are being restarted or a canary is compared: then views are
   * requested each second, and missing responses are expected.
   */
  static boolean isRolloutUnderWay(HBaseCluster cluster) {
    return cluster.getStatus() != null && cluster.getStatus().rollout() != null;
  }

  /** Without the view's time, which differs in each; {@link #view} has it. */
  private static Set<HBaseView> cached(ViewReader reader) {
    return reader.last().map(view -> Set.of(view.at(Instant.EPOCH))).orElse(Set.of());
  }

  private CompletableFuture<AsyncConnection> connection(ResourceID id, HBaseCluster cluster) {
    return connections.get(id, servers.apply(cluster));
  }

  private Controlled controlled(ResourceID id) {
    return clusters.computeIfAbsent(
        id,
        made -> {
          var reader =
              new ViewReader(made, () -> counts.apply(made), reported(made), Clock.systemUTC());
          return new Controlled(
              reader,
              new CommandSender(
                  encoded ->
                      reader
                          .regionName(encoded)
                          .orElseGet(() -> encoded.getBytes(StandardCharsets.UTF_8)),
                  reader::isLive,
                  beforeEach,
                  moveDeadline,
                  this::execute,
                  () -> pollSoon(made)),
              new AtomicReference<>(Duration.ZERO));
        });
  }

  @Override
  void forget(ResourceID id) {
    clusters.remove(id);
    connections.close(id);
  }

  @Override
  public void stop() {
    super.stop();
    connections.close();
  }
}
