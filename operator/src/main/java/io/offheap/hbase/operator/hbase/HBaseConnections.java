package io.offheap.hbase.operator.hbase;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.io.IOUtils;

/**
 * One connection for each cluster, made when it is first asked for and kept until the cluster is
 * gone or its servers are others. An attempt that failed is forgotten, so that the next one who
 * asks makes a new one; there is never more than one at a time.
 */
public final class HBaseConnections implements AutoCloseable {
  /** Over what the client takes to ask those that it asks first, one after the other. */
  private static final Duration LONGEST_ATTEMPT = Duration.ofSeconds(60);

  private final Map<ResourceID, Kept> connections = new ConcurrentHashMap<>();

  private record Kept(List<String> servers, CompletableFuture<AsyncConnection> connection) {
    boolean isUsable(List<String> wanted) {
      return servers.equals(wanted)
          && !connection.isCompletedExceptionally()
          && !(connection.isDone() && connection.join().isClosed());
    }

    /** One that is still being made is closed once it is there. */
    void close() {
      var unused = connection.thenAccept(made -> IOUtils.closeStream(made));
    }
  }

  /**
   * The connection to a cluster; never waits. It fails once no server has answered in time.
   *
   * @param servers {@code host:port} of region servers
   */
  public CompletableFuture<AsyncConnection> get(ResourceID cluster, List<String> servers) {
    return connections
        .compute(
            cluster,
            (id, kept) -> {
              if (kept != null && kept.isUsable(servers)) {
                return kept;
              }
              if (kept != null) {
                kept.close();
              }
              return new Kept(List.copyOf(servers), connect(id, servers));
            })
        .connection()
        // What callers do to their future must not end the others'.
        .copy();
  }

  /** One that never ends would be kept for ever, whatever its servers answer by then. */
  private static CompletableFuture<AsyncConnection> connect(
      ResourceID cluster, List<String> servers) {
    var attempt =
        ConnectionFactory.createAsyncConnection(
            ClientSettings.of(cluster, servers), ClientSettings.user());
    var inTime = attempt.copy().orTimeout(LONGEST_ATTEMPT.toSeconds(), TimeUnit.SECONDS);
    var unused =
        attempt.thenAccept(
            made -> {
              if (inTime.isCompletedExceptionally()) {
                IOUtils.closeStream(made);
              }
            });
    return inTime;
  }

  /** Closes the connection to a cluster, if there is one. */
  public void close(ResourceID cluster) {
    var kept = connections.remove(cluster);
    if (kept != null) {
      kept.close();
    }
  }

  @Override
  public void close() {
    List.copyOf(connections.keySet()).forEach(this::close);
  }
}
