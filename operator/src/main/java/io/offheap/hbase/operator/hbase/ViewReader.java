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
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
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
 * Reads the state of one HBase. While servers are being restarted, requests that do not depend on
 * another response are sent at once; the master's procedures are requested after its list of live
 * servers, so that they include each server that has left the list. At rest, the list shows whether
 * anything else has to be requested ({@link RareParts}).
 */
final class ViewReader {
  private static final Logger LOG = LoggerFactory.getLogger(ViewReader.class);

  /** More than the sum of the client's own deadlines if the master responds at all. */
  private static final Duration DEADLINE = Duration.ofSeconds(10);

  /** A region server that does not respond must not fail the whole view. */
  private static final Duration SERVER_DEADLINE = Duration.ofSeconds(3);

  private volatile Optional<HBaseView> last = Optional.empty();
  private final ServerBounds bounds = new ServerBounds();
  private final RegionCounts lastCounts = new RegionCounts();
  private final RareParts parts = new RareParts();
  private final RegionNames names = new RegionNames();
  private volatile Optional<Instant> silentSince = Optional.empty();
  private final Set<Class<?>> causes = ConcurrentHashMap.newKeySet();
  private final ResourceID cluster;
  private final Supplier<Map<String, Integer>> counts;
  private final Consumer<Throwable> onFailure;
  private final Clock clock;

  /**
   * Creates a reader for one HBase.
   *
   * @param cluster name of the cluster in the log
   * @param counts region counts of servers by server name, from the servers: the master's response
   *     would have all data of each region, a quarter of a gigabyte for a million regions
   * @param onFailure called with the cause if a region server's response was refused
   */
  ViewReader(
      ResourceID cluster,
      Supplier<Map<String, Integer>> counts,
      Consumer<Throwable> onFailure,
      Clock clock) {
    this.cluster = cluster;
    this.counts = counts;
    this.onFailure = onFailure;
    this.clock = clock;
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
   * @param restSince at rest, when the last command ended; otherwise empty, and no part of the view
   *     is older than this request
   */
  CompletableFuture<HBaseView> read(
      CompletableFuture<AsyncConnection> connection,
      Set<String> pods,
      Optional<Instant> restSince) {
    var begun = parts.begin(clock.instant(), restSince);
    return connection
        .thenCompose(made -> read(begun, made, pods))
        .orTimeout(DEADLINE.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete(
            (view, failed) -> {
              if (failed == null) {
                last = Optional.of(view);
              }
              logState(begun.requestedAt(), Optional.ofNullable(failed));
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
      RareParts.Read begun, AsyncConnection connection, Set<String> pods) {
    var admin = connection.getAdmin();
    var early =
        Optional.of(admin).filter(it -> begun.restSince().isEmpty()).map(RareParts.Requested::from);
    return admin
        .getClusterMetrics(options())
        .thenCompose(
            metrics -> {
              ServerBounds.check("region servers", metrics.getServersName());
              ServerBounds.check("backup masters", metrics.getBackupMasterNames());
              var master = Optional.ofNullable(metrics.getMasterName()).map(ViewReader::name);
              var now = new RareParts.Servers(begun, master, names(metrics.getServersName()));
              var rare =
                  parts
                      .kept(now)
                      .map(CompletableFuture::completedFuture)
                      .orElseGet(
                          () ->
                              parts.complete(
                                  early.orElseGet(() -> RareParts.Requested.from(admin)),
                                  admin,
                                  now,
                                  last));
              return rare.thenCombine(
                  regions(connection, metrics.getServersName(), pods),
                  (others, regions) -> view(now, metrics, others, regions));
            });
  }

  private HBaseView view(
      RareParts.Servers now,
      ClusterMetrics metrics,
      RareParts.Parts others,
      Map<String, List<Region>> regions) {
    return HBaseViewBuilder.builder()
        .requestedAt(others.requestedAt())
        .serversAt(now.requestedAt())
        .activeMaster(now.master())
        .backupMasters(names(metrics.getBackupMasterNames()))
        .servers(servers(metrics.getServersName()))
        .crashed(others.crashed())
        .inTransition(inTransition(metrics))
        .draining(others.draining())
        .isBalancerOn(isBalancerOn(metrics))
        .isNormalizerOn(others.isNormalizerOn())
        .regions(regions)
        .build();
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
