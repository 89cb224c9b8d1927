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
 * How a controller reaches the clusters that run.
 *
 * @param sources what they say, as event sources
 * @param control what they are told
 * @param samples what the region servers of a cluster last said of themselves while a canary is
 *     watched
 * @param readings what the observers of a cluster's region servers said over the time that tuning
 *     judges by, oldest first
 * @param revisions what region servers have taken over while they run
 * @param readSoon reads those again soon, since there is an alert; returns at once
 * @param problems answers of a cluster's servers that were not taken, and servers that are silent:
 *     each with the server, what it sent and the bound
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
   * Over HBase's own client and the region servers' HTTP endpoints.
   *
   * @param beforeEachCommand throws where nothing may be told any more
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
            HBaseAccess::podsInTurn,
            reports::regions,
            cluster -> cluster.getSpec().rollout().parallelMoves(),
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

  private static Set<String> podsInTurn(HBaseCluster cluster) {
    return Optional.ofNullable(cluster.getStatus())
        .map(HBaseClusterStatus::rollout)
        .map(RolloutStatus::servers)
        .map(servers -> servers.stream().map(RolloutStatus.Server::pod).collect(Collectors.toSet()))
        .orElse(Set.of());
  }
}
