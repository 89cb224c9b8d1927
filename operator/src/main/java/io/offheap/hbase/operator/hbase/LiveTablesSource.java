package io.offheap.hbase.operator.hbase;

import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Polls the tables of every cluster that serves, over HBase's own client. A cluster that does not
 * serve yet, or does not respond, has no {@link LiveTables}.
 */
public final class LiveTablesSource extends PollingSource<LiveTables, HBaseCluster> {
  private static final Duration PERIOD = Duration.ofSeconds(30);

  /** More than the sum of the client's own deadlines and a round of samples. */
  private static final Duration DEADLINE = Duration.ofSeconds(90);

  private final HBaseConnections connections;
  private final Map<ResourceID, TableReader> readers = new ConcurrentHashMap<>();

  /**
   * Creates the source of a controller.
   *
   * @param connections closed when a cluster is deleted, and with this source
   */
  public LiveTablesSource(EventSourceContext<HBaseCluster> context, HBaseConnections connections) {
    super("live-tables", LiveTables.class, tables -> "tables", context, PERIOD);
    this.connections = connections;
  }

  @Override
  CompletableFuture<Set<LiveTables>> poll(HBaseCluster cluster) {
    if (!RegionServerHosts.areServing(cluster)) {
      return CompletableFuture.completedFuture(Set.of());
    }
    var id = ResourceID.fromResource(cluster);
    var reader = readers.computeIfAbsent(id, name -> new TableReader());
    return connections
        .get(id, RegionServerHosts.bootstrapServers(cluster))
        .thenCompose(reader::read)
        .<Set<LiveTables>>thenApply(Set::of)
        .orTimeout(DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
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
