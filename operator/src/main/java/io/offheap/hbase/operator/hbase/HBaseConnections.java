package io.offheap.hbase.operator.hbase;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.io.IOUtils;

/**
 * Keeps one connection for each cluster, from the first request until the cluster is deleted or its
 * servers change. A failed attempt is dropped, so that the next request makes a new one; there is
 * never more than one attempt at a time.
 */
public final class HBaseConnections implements AutoCloseable {
  /** More than the client takes to try all bootstrap servers, one after the other. */
  private static final Duration LONGEST_ATTEMPT = Duration.ofSeconds(60);

  private final BiFunction<ResourceID, List<String>, CompletableFuture<AsyncConnection>> connector;
  private final Map<ResourceID, Kept> connections = new ConcurrentHashMap<>();

  /** Connects with HBase's own client. */
  public HBaseConnections() {
    this(
        (cluster, servers) ->
            ConnectionFactory.createAsyncConnection(
                ClientSettings.of(cluster, servers), ClientSettings.user()));
  }

  /** For tests: with other connections, of a cluster with {@code host:port} of region servers. */
  HBaseConnections(
      BiFunction<ResourceID, List<String>, CompletableFuture<AsyncConnection>> connector) {
    this.connector = connector;
  }

  private record Kept(List<String> servers, CompletableFuture<AsyncConnection> connection) {
    boolean isUsable(List<String> wanted) {
      return servers.equals(wanted)
          && !connection.isCompletedExceptionally()
          && !(connection.isDone() && connection.join().isClosed());
    }

    /** A connection that is still being made is closed when it is complete. */
    void close() {
      var unused = connection.thenAccept(made -> IOUtils.closeStream(made));
    }
  }

  /**
   * Returns the connection to a cluster; never blocks. The future fails if no server has responded
   * in time.
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
        // A caller that completes its future must not complete the others'.
        .copy();
  }

  /** Without a deadline, an attempt that never ends would be kept for ever. */
  private CompletableFuture<AsyncConnection> connect(ResourceID cluster, List<String> servers) {
    var attempt = connector.apply(cluster, servers);
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
