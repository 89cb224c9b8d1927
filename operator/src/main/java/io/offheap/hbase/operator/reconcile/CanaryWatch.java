package io.offheap.hbase.operator.reconcile;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.RolloutStatus;
import io.offheap.hbase.operator.api.RolloutStatus.Sample;
import io.offheap.hbase.operator.api.RolloutStatusSampleBuilder;
import io.offheap.hbase.operator.declare.RolloutSettings;
import io.offheap.hbase.operator.observe.Observation;
import io.offheap.hbase.operator.rollout.CanaryVerdict;
import io.offheap.hbase.operator.rollout.CanaryWindow;
import io.offheap.hbase.operator.rollout.PodStarts;
import io.offheap.hbase.operator.rollout.Rollout;
import io.offheap.hbase.operator.rollout.Rollout.Canary;
import io.offheap.hbase.operator.rollout.ServerPod;
import io.offheap.hbase.operator.rollout.ServerSample;
import io.offheap.hbase.operator.rollout.ServerSampleBuilder;
import io.offheap.hbase.operator.status.RolloutStatuses;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** The {@link CanaryWindow} of a reconciliation, from status and pods. */
final class CanaryWatch {
  private final Observation observed;
  private final List<ServerPod> servers;
  private final List<ServerSample> samples;
  private final Optional<Canary> canary;
  private final List<ServerSample> remembered;
  private final Optional<CanaryWindow> window;

  /**
   * For one reconciliation.
   *
   * @param watchedSince since when this process has watched the cluster without a break
   */
  CanaryWatch(Observation observed, Instant watchedSince) {
    this.observed = observed;
    this.servers = observed.serverPods();
    this.samples = observed.hbase().samples().stream().map(this::withRestarts).toList();
    var cluster = observed.model().cluster();
    var length = RolloutSettings.of(cluster.getSpec().rollout()).canaryWindow();
    this.canary = RolloutStatuses.read(cluster.getStatus()).flatMap(Rollout::canary);
    this.remembered = stored(cluster).stream().map(CanaryWatch::read).toList();
    this.window =
        canary.map(
            it ->
                new CanaryWindow(
                    it, length.orElse(Duration.ZERO), watchedSince, observed.hbase().now()));
  }

  /** The samples that are stored with the canary; one whose time cannot be read is none. */
  static List<Sample> stored(HBaseCluster cluster) {
    return Optional.ofNullable(cluster.getStatus())
        .map(HBaseClusterStatus::rollout)
        .map(RolloutStatus::canary)
        .map(RolloutStatus.Canary::samples)
        .stream()
        .flatMap(List::stream)
        .filter(it -> isTime(it.at()))
        .toList();
  }

  private static boolean isTime(String text) {
    try {
      return text != null && Instant.parse(text) != null;
    } catch (DateTimeParseException e) {
      return false;
    }
  }

  /** The first sample of the canary and of each peer, which is stored with the canary. */
  List<Sample> toRemember() {
    return window.stream()
        .flatMap(it -> it.first(remembered, samples).stream())
        .map(CanaryWatch::of)
        .toList();
  }

  /** The verdict so far, with what was seen of the servers' starts. */
  CanaryVerdict verdict(PodStarts starts) {
    return canary
        .flatMap(it -> server(it.pod()))
        .map(
            it ->
                window
                    .orElseThrow()
                    .verdict(
                        it,
                        observed.hbase().view(),
                        remembered,
                        samples,
                        canary.get().peers(servers, observed.declaredServers()),
                        starts))
        .orElseGet(CanaryVerdict.Open::new);
  }

  private Optional<ServerPod> server(String pod) {
    return servers.stream().filter(it -> it.name().equals(pod)).findFirst();
  }

  private ServerSample withRestarts(ServerSample sample) {
    return server(sample.pod()).map(ServerPod::restarts).map(sample::withRestarts).orElse(sample);
  }

  private static Sample of(ServerSample sample) {
    return RolloutStatusSampleBuilder.builder()
        .pod(sample.pod())
        .serverName(sample.server())
        .at(sample.at().toString())
        .heapBytes(sample.heapBytes())
        .poolBytes(sample.poolBytes())
        .gcMillis(sample.gcMillis())
        .requests(sample.requests())
        .errors(sample.errors())
        .restarts(sample.restarts())
        .build();
  }

  private static ServerSample read(Sample sample) {
    return ServerSampleBuilder.builder()
        .pod(sample.pod())
        .server(sample.serverName())
        .at(Instant.parse(sample.at()))
        .heapBytes(sample.heapBytes())
        .poolBytes(sample.poolBytes())
        .gcMillis(sample.gcMillis())
        .longestPauseMillis(OptionalDouble.empty())
        .p99Millis(OptionalDouble.empty())
        .requests(sample.requests())
        .errors(sample.errors())
        .restarts(sample.restarts())
        .build();
  }
}
