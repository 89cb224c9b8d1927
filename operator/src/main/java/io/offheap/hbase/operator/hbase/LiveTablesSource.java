package io.offheap.hbase.operator.hbase;

import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.RegionServer;
import io.offheap.hbase.operator.render.Ports;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Asks every cluster that serves about its tables, over HBase's own client. A cluster that does not
 * serve yet, or does not answer, has no {@link LiveTables}.
 */
public final class LiveTablesSource extends PollingSource<LiveTables, HBaseCluster> {
  private static final Duration PERIOD = Duration.ofSeconds(30);

  /** Over what the client's own deadlines and a round of samples come to. */
  private static final Duration DEADLINE = Duration.ofSeconds(90);

  /** Whom the client asks first; it learns of the others from them. */
  private static final int FIRST_ASKED = 5;

  private final HBaseConnections connections;
  private final Map<ResourceID, TableReader> readers = new ConcurrentHashMap<>();

  /**
   * Made once for a controller.
   *
   * @param connections closed when a cluster is gone, and with this source
   */
  public LiveTablesSource(EventSourceContext<HBaseCluster> context, HBaseConnections connections) {
    super("live-tables", LiveTables.class, tables -> "tables", context, PERIOD);
    this.connections = connections;
  }

  @Override
  CompletableFuture<Set<LiveTables>> ask(HBaseCluster cluster) {
    if (!isServing(cluster)) {
      return CompletableFuture.completedFuture(Set.of());
    }
    var id = ResourceID.fromResource(cluster);
    var reader = readers.computeIfAbsent(id, name -> new TableReader());
    var servers =
        RegionServerHosts.of(cluster)
            .limit(FIRST_ASKED)
            .map(host -> host + ":" + Ports.REGIONSERVER_RPC)
            .toList();
    return connections
        .get(id, servers)
        .thenCompose(reader::read)
        .<Set<LiveTables>>thenApply(Set::of)
        .orTimeout(DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static boolean isServing(HBaseCluster cluster) {
    return Optional.ofNullable(cluster.getStatus())
        .map(HBaseClusterStatus::regionServers)
        .map(List::stream)
        .orElseGet(Stream::empty)
        .anyMatch(
            it ->
                it.state() == RegionServer.State.Serving
                    || it.state() == RegionServer.State.Outdated);
  }

  @Override
  void forget(ResourceID id) {
    readers.remove(id);
    connections.close(id);
  }

  @Override
  public void stop() {
    super.stop();
    connections.close();
  }
}
