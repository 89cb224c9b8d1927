package io.offheap.hbase.operator.hbase;

import static java.util.stream.Collectors.toUnmodifiableMap;
import static java.util.stream.Collectors.toUnmodifiableSet;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.log.LogLine;
import io.offheap.hbase.operator.rollout.HBaseView;
import io.offheap.hbase.operator.rollout.HBaseView.Region;
import io.offheap.hbase.operator.rollout.HBaseView.Server;
import io.offheap.hbase.operator.rollout.HBaseViewBuilder;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.master.RegionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the state of one HBase. Requests that do not depend on another response are sent at once;
 * the master's procedures are requested after its list of live servers, so that they include each
 * server that has left the list.
 */
final class ViewReader {
  private static final Logger LOG = LoggerFactory.getLogger(ViewReader.class);

  /** More than the sum of the client's own deadlines if the master responds at all. */
  private static final Duration DEADLINE = Duration.ofSeconds(10);

  /** A region server that does not respond must not fail the whole view. */
  private static final Duration SERVER_DEADLINE = Duration.ofSeconds(3);

  /** Longest time from the end of a server to the start of its crash procedure. */
  private static final Duration LONGEST_UNTIL_PROCEDURE = Duration.ofSeconds(5);

  private volatile Optional<HBaseView> last = Optional.empty();
  private volatile Map<String, Instant> departed = Map.of();
  private final ServerBounds bounds = new ServerBounds();
  private final RegionCounts lastCounts = new RegionCounts();
  private final CrashProcedures procedures = new CrashProcedures();
  private final RegionNames names = new RegionNames();
  private volatile Optional<Instant> silentSince = Optional.empty();
  private final Set<Class<?>> causes = ConcurrentHashMap.newKeySet();
  private final ResourceID cluster;
  private final Supplier<Map<String, Integer>> counts;
  private final Consumer<Throwable> onFailure;

  /**
   * Creates a reader for one HBase.
   *
   * @param cluster name of the cluster in the log
   * @param counts region counts of servers by server name, from the servers: the master's response
   *     would have all data of each region, a quarter of a gigabyte for a million regions
   * @param onFailure called with the cause if a region server's response was refused
   */
  ViewReader(
      ResourceID cluster, Supplier<Map<String, Integer>> counts, Consumer<Throwable> onFailure) {
    this.cluster = cluster;
    this.counts = counts;
    this.onFailure = onFailure;
  }

  /** The last view. */
  Optional<HBaseView> last() {
    return last;
  }

  /** Whether a region server was live in the last view. */
  boolean isLive(String server) {
    return last.flatMap(view -> view.server(server)).isPresent();
  }

  /**
   * Full name of a region of a server that is being restarted: HBase finds the region faster by
   * this.
   */
  Optional<byte[]> regionName(String encodedName) {
    return names.get(encodedName);
  }

  /**
   * Requests a view; fails if the master does not respond in time.
   *
   * @param pods pods whose servers' regions are requested
   */
  CompletableFuture<HBaseView> read(
      CompletableFuture<AsyncConnection> connection, Set<String> pods) {
    var requestedAt = Instant.now();
    return connection
        .thenCompose(made -> read(requestedAt, made, pods))
        .orTimeout(DEADLINE.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete(
            (view, failed) -> {
              if (failed == null) {
                last = Optional.of(view);
              }
              logState(requestedAt, Optional.ofNullable(failed));
            });
  }

  /** Logs each kind of cause once while HBase does not respond, and once when it responds again. */
  private void logState(Instant requestedAt, Optional<Throwable> failed) {
    if (failed.isPresent()) {
      silentSince = silentSince.or(() -> Optional.of(requestedAt));
      if (causes.add(CommandSender.cause(failed.get()).getClass())) {
        var cause = CommandSender.text(failed.get(), DEADLINE);
        LOG.warn(
            "{}", line("HBaseNotResponding").with("requestedAt", requestedAt).with("cause", cause));
      }
    } else if (silentSince.isPresent()) {
      LOG.info("{}", line("HBaseResponding").with("silentSince", silentSince.get()));
      silentSince = Optional.empty();
      causes.clear();
    }
  }

  private LogLine line(String event) {
    return LogLine.of(event).cluster(cluster.getNamespace().orElse(""), cluster.getName());
  }

  /**
   * The parts of the master's metrics that are requested; the servers' reports would be far larger.
   */
  static EnumSet<Option> options() {
    return EnumSet.of(
        Option.MASTER,
        Option.BACKUP_MASTERS,
        Option.SERVERS_NAME,
        Option.REGIONS_IN_TRANSITION,
        Option.BALANCER_ON);
  }

  private CompletableFuture<HBaseView> read(
      Instant requestedAt, AsyncConnection connection, Set<String> pods) {
    var admin = connection.getAdmin();
    var normalizer = admin.isNormalizerEnabled();
    // A master that is still starting refuses this request, and so the view fails.
    var draining =
        admin
            .listDecommissionedRegionServers()
            .thenApply(it -> ServerBounds.check("draining servers", it));
    return admin
        .getClusterMetrics(options())
        .thenCompose(
            metrics -> {
              ServerBounds.check("region servers", metrics.getServersName());
              ServerBounds.check("backup masters", metrics.getBackupMasterNames());
              var live = names(metrics.getServersName());
              var crashed =
                  procedures
                      .get(requestedAt, live, !departed.isEmpty(), admin::getProcedures)
                      .thenApply(it -> crashed(requestedAt, live, it));
              var regions = regions(connection, metrics.getServersName(), pods);
              return CompletableFuture.allOf(normalizer, draining, crashed, regions)
                  .thenApply(
                      all ->
                          HBaseViewBuilder.builder()
                              .requestedAt(requestedAt)
                              .activeMaster(
                                  Optional.ofNullable(metrics.getMasterName())
                                      .map(ViewReader::name))
                              .backupMasters(names(metrics.getBackupMasterNames()))
                              .servers(servers(metrics.getServersName()))
                              .crashed(crashed.join())
                              .inTransition(inTransition(metrics))
                              .draining(names(draining.join()))
                              .isBalancerOn(isBalancerOn(metrics))
                              .isNormalizerOn(normalizer.join())
                              .regions(regions.join())
                              .build());
            });
  }

  /**
   * Absent while a master starts. Without it there is no view: a rollout that began would store
   * that the balancer had been off, and leave it so.
   */
  private static boolean isBalancerOn(ClusterMetrics metrics) {
    if (metrics.getBalancerOn() == null) {
      throw new CompletionException(
          new IOException("The master starts: it does not report whether the balancer is on."));
    }
    return metrics.getBalancerOn();
  }

  /**
   * The master removes a server from its list of live servers a moment before it starts the
   * procedure, so a server that has just left counts as crashed unless its procedure has ended.
   */
  private Set<String> crashed(Instant requestedAt, Set<String> live, ServerCrashes crashes) {
    var times = new HashMap<>(departed);
    last.stream()
        .flatMap(view -> view.servers().stream())
        .forEach(it -> times.putIfAbsent(it.name(), requestedAt));
    times.keySet().removeAll(live);
    times.values().removeIf(it -> it.isBefore(requestedAt.minus(LONGEST_UNTIL_PROCEDURE)));
    departed = times;
    var crashed = new HashSet<>(times.keySet());
    crashed.removeAll(crashes.finished());
    crashed.addAll(crashes.unfinished());
    return crashed;
  }

  private List<Server> servers(List<ServerName> live) {
    return lastCounts.of(live.stream().map(ViewReader::name).sorted().toList(), counts.get());
  }

  private CompletableFuture<Map<String, List<Region>>> regions(
      AsyncConnection connection, List<ServerName> live, Set<String> pods) {
    var admin =
        connection
            .getAdminBuilder()
            .setRpcTimeout(SERVER_DEADLINE.toMillis(), TimeUnit.MILLISECONDS)
            .setOperationTimeout(SERVER_DEADLINE.toMillis(), TimeUnit.MILLISECONDS)
            .setMaxAttempts(1)
            .build();
    var responses = new HashMap<String, CompletableFuture<Optional<List<RegionInfo>>>>();
    bounds
        .newest(live, pods)
        .forEach(
            it ->
                responses.put(
                    name(it),
                    admin
                        .getRegions(ServerName.valueOf(it.getAddress(), 0))
                        .thenApply(regions -> Optional.of(RegionNames.bounded(it, regions)))
                        .exceptionally(
                            failure -> {
                              onFailure.accept(failure);
                              return Optional.empty();
                            })
                        .completeOnTimeout(
                            Optional.empty(), SERVER_DEADLINE.toMillis(), TimeUnit.MILLISECONDS)));
    return CompletableFuture.allOf(responses.values().toArray(CompletableFuture[]::new))
        .thenApply(
            all -> {
              var known = new HashMap<String, List<RegionInfo>>();
              responses.forEach(
                  (server, response) ->
                      response.join().ifPresent(regions -> known.put(server, regions)));
              names.keep(known.values(), pods.isEmpty());
              return known.entrySet().stream()
                  .collect(toUnmodifiableMap(Map.Entry::getKey, it -> regions(it.getValue())));
            });
  }

  /** Sorted, so that another order at the server is no change. */
  private static List<Region> regions(List<RegionInfo> all) {
    return all.stream()
        .map(ViewReader::region)
        .sorted(Comparator.comparing(Region::encodedName))
        .toList();
  }

  private static Region region(RegionInfo region) {
    return new Region(
        region.getEncodedName(),
        region.isMetaRegion(),
        region
            .getTable()
            .getNamespaceAsString()
            .equals(NamespaceDescriptor.SYSTEM_NAMESPACE_NAME_STR));
  }

  private static Set<String> inTransition(ClusterMetrics metrics) {
    return metrics.getRegionStatesInTransition().stream()
        .map(RegionState::getRegion)
        .map(RegionInfo::getEncodedName)
        .collect(toUnmodifiableSet());
  }

  private static Set<String> names(Collection<ServerName> servers) {
    return servers.stream().map(ViewReader::name).collect(toUnmodifiableSet());
  }

  private static String name(ServerName server) {
    return server.getServerName();
  }
}
