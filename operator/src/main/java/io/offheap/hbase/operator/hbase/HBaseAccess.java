package io.offheap.hbase.operator.hbase;

import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.RolloutStatus;
import io.offheap.hbase.operator.rollout.ServerSample;
import io.offheap.hbase.operator.tune.Reading;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The interfaces through which the reconciler reads and controls running clusters.
 *
 * @param sources event sources with the state of the clusters
 * @param control sends commands
 * @param samples last samples of a cluster's region servers while a canary is compared
 * @param readings observer metrics of a cluster's region servers over the tuning window, oldest
 *     first
 * @param revisions configuration revisions that region servers have in force
 * @param readSoon reads the observer metrics soon, because of an alert; returns at once
 * @param problems refused responses of a cluster's servers, and servers that do not respond: each
 *     with the server, what it sent and the limit
 */
public record HBaseAccess(
    List<EventSource<?, HBaseCluster>> sources,
    ClusterControl control,
    Function<ResourceID, List<ServerSample>> samples,
    Function<ResourceID, List<Reading>> readings,
    Consumer<ResourceID> readSoon,
    OnlineRevisions revisions,
    Function<ResourceID, List<String>> problems) {
  public HBaseAccess {
    sources = List.copyOf(sources);
  }

  /**
   * Creates the access over HBase's own client and the region servers' HTTP endpoints.
   *
   * @param beforeEachCommand throws if this process must not send commands any more
   * @param history keeps the last hour of what region servers report, for people
   */
  public static HBaseAccess of(
      EventSourceContext<HBaseCluster> context, Runnable beforeEachCommand, ServerHistory history) {
    var connections = new HBaseConnections();
    var reports = new RegionServerReportSource(context, history);
    var control =
        new HBaseControl(
            context,
            connections,
            HBaseAccess::restartingPods,
            reports::regions,
            MoveLimits::of,
            beforeEachCommand);
    var samples = new ServerSampleSource(context);
    var readings = new ReadingSource(context, reports::servers, history);
    var revisions = new OnlineRevisionSource(context);
    List<PollingSource<?, HBaseCluster>> sources =
        List.of(
            reports,
            new LiveTablesSource(context, connections),
            samples,
            readings,
            revisions,
            control);
    return new HBaseAccess(
        List.copyOf(sources),
        control,
        samples::samples,
        readings::readings,
        readings::readForAlert,
        revisions,
        id ->
            sources.stream().flatMap(it -> it.problems(id).stream()).distinct().sorted().toList());
  }

  private static Set<String> restartingPods(HBaseCluster cluster) {
    return Optional.ofNullable(cluster.getStatus())
        .map(HBaseClusterStatus::rollout)
        .map(RolloutStatus::servers)
        .map(servers -> servers.stream().map(RolloutStatus.Server::pod).collect(Collectors.toSet()))
        .orElse(Set.of());
  }
}
