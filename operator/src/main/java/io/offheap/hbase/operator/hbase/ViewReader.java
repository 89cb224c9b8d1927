package io.offheap.hbase.operator.hbase;

import static java.util.stream.Collectors.toUnmodifiableMap;
import static java.util.stream.Collectors.toUnmodifiableSet;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.log.LogLine;
import io.offheap.hbase.operator.rollout.HBaseView;
import io.offheap.hbase.operator.rollout.HBaseView.Region;
import io.offheap.hbase.operator.rollout.HBaseView.Server;
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
 * Looks at one HBase. What does not depend on another answer is asked at once; the master's
 * procedures come after its list of live servers, so that a server that is not on it any more is
 * among them.
 */
final class ViewReader {
  private static final Logger LOG = LoggerFactory.getLogger(ViewReader.class);

  /** Over what the client's own deadlines come to when the master answers at all. */
  private static final Duration DEADLINE = Duration.ofSeconds(10);

  /** A region server that does not answer must not cost the whole look. */
  private static final Duration SERVER_DEADLINE = Duration.ofSeconds(3);

  /** A procedure is started so long after its server went, by far. */
  private static final Duration GONE = Duration.ofSeconds(5);

  /** As many servers are taken of one kind: more than an HBase has. */
  static final int MOST_SERVERS = 5_000;

  private volatile Optional<HBaseView> last = Optional.empty();
  private volatile Map<String, Instant> gone = Map.of();
  private final ServerBounds bounds = new ServerBounds();
  private final RegionCounts lastCounts = new RegionCounts();
  private final CrashProcedures procedures = new CrashProcedures();
  private final RegionNames names = new RegionNames();
  private volatile Optional<Instant> silentSince = Optional.empty();
  private final Set<String> causes = ConcurrentHashMap.newKeySet();
  private final ResourceID cluster;
  private final Supplier<Map<String, Integer>> counts;
  private final Consumer<Throwable> failing;

  /**
   * For one HBase.
   *
   * @param cluster its name in the log
   * @param counts how many regions servers have by their own account, by server name: the master's
   *     account has all that is known of each region, a quarter of a gigabyte for a million
   * @param failing takes why a region server's answer was not taken
   */
  ViewReader(
      ResourceID cluster, Supplier<Map<String, Integer>> counts, Consumer<Throwable> failing) {
    this.cluster = cluster;
    this.counts = counts;
    this.failing = failing;
  }

  /** The last look that was answered. */
  Optional<HBaseView> last() {
    return last;
  }

  /** Whether a region server lived in the last look. */
  boolean isLive(String server) {
    return last.flatMap(view -> view.server(server)).isPresent();
  }

  /** Full name of a region that a server in the roll had: HBase finds it faster by this. */
  Optional<byte[]> regionName(String encodedName) {
    return names.get(encodedName);
  }

  /**
   * Looks now; fails when the master did not answer in time.
   *
   * @param pods pods whose servers are asked for their regions
   */
  CompletableFuture<HBaseView> read(
      CompletableFuture<AsyncConnection> connection, Set<String> pods) {
    var asked = Instant.now();
    return connection
        .thenCompose(made -> read(asked, made, pods))
        .orTimeout(DEADLINE.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete(
            (view, failed) -> {
              if (failed == null) {
                last = Optional.of(view);
              }
              tell(asked, Optional.ofNullable(failed));
            });
  }

  /** Once for each cause while it is silent, and once when it answers again. */
  private void tell(Instant asked, Optional<Throwable> failed) {
    if (failed.isPresent()) {
      silentSince = silentSince.or(() -> Optional.of(asked));
      var cause = CommandSender.text(failed.get(), DEADLINE);
      if (causes.add(cause.split(":", 2)[0])) {
        LOG.warn("{}", line("HBaseSilent").with("asked", asked).with("cause", cause));
      }
    } else if (silentSince.isPresent()) {
      LOG.info("{}", line("HBaseAnswers").with("silentSince", silentSince.get()));
      silentSince = Optional.empty();
      causes.clear();
    }
  }

  private LogLine line(String event) {
    return LogLine.of(event).cluster(cluster.getNamespace().orElse(""), cluster.getName());
  }

  /** What every look asks the master for; what its servers reported to it is far more. */
  static EnumSet<Option> options() {
    return EnumSet.of(
        Option.MASTER, Option.BACKUP_MASTERS, Option.SERVERS_NAME, Option.REGIONS_IN_TRANSITION);
  }

  private CompletableFuture<HBaseView> read(
      Instant asked, AsyncConnection connection, Set<String> pods) {
    var admin = connection.getAdmin();
    var balancer = admin.isBalancerEnabled();
    var normalizer = admin.isNormalizerEnabled();
    // A master that is still starting refuses this one, and with it the look.
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
                      .get(asked, live, !gone.isEmpty(), admin::getProcedures)
                      .thenApply(it -> crashed(asked, live, it));
              var regions = regions(connection, metrics.getServersName(), pods);
              return CompletableFuture.allOf(balancer, normalizer, draining, crashed, regions)
                  .thenApply(
                      all ->
                          new HBaseView(
                              asked,
                              Optional.ofNullable(metrics.getMasterName()).map(ViewReader::name),
                              names(metrics.getBackupMasterNames()),
                              servers(metrics.getServersName()),
                              crashed.join(),
                              inTransition(metrics),
                              names(draining.join()),
                              balancer.join(),
                              normalizer.join(),
                              regions.join()));
            });
  }

  /**
   * The master takes a server off its list of live ones a moment before it starts the procedure, so
   * that one that has just gone counts as well unless its procedure was seen to end.
   */
  private Set<String> crashed(Instant asked, Set<String> live, ServerCrashes crashes) {
    var times = new HashMap<>(gone);
    last.stream()
        .flatMap(view -> view.servers().stream())
        .forEach(it -> times.putIfAbsent(it.name(), asked));
    times.keySet().removeAll(live);
    times.values().removeIf(it -> it.isBefore(asked.minus(GONE)));
    gone = times;
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
    var answers = new HashMap<String, CompletableFuture<Optional<List<RegionInfo>>>>();
    bounds
        .newest(live, pods)
        .forEach(
            it ->
                answers.put(
                    name(it),
                    admin
                        .getRegions(ServerName.valueOf(it.getAddress(), 0))
                        .thenApply(regions -> Optional.of(RegionNames.bounded(it, regions)))
                        .exceptionally(
                            failure -> {
                              failing.accept(failure);
                              return Optional.empty();
                            })
                        .completeOnTimeout(
                            Optional.empty(), SERVER_DEADLINE.toMillis(), TimeUnit.MILLISECONDS)));
    return CompletableFuture.allOf(answers.values().toArray(CompletableFuture[]::new))
        .thenApply(
            all -> {
              var known = new HashMap<String, List<RegionInfo>>();
              answers.forEach(
                  (server, answer) ->
                      answer.join().ifPresent(regions -> known.put(server, regions)));
              names.keep(known.values(), pods.isEmpty());
              return known.entrySet().stream()
                  .collect(toUnmodifiableMap(Map.Entry::getKey, it -> regions(it.getValue())));
            });
  }

  /** In one order, whatever the server's is: another order is no other answer. */
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
