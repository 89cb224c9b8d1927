package io.offheap.hbase.operator.reconcile;

import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.RolloutStatus;
import io.offheap.hbase.operator.api.RolloutStatus.Sample;
import io.offheap.hbase.operator.declare.Restarts;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.rollout.CanaryComparison;
import io.offheap.hbase.operator.rollout.CanaryComparison.Observed;
import io.offheap.hbase.operator.rollout.CanaryVerdict;
import io.offheap.hbase.operator.rollout.HBaseView;
import io.offheap.hbase.operator.rollout.ServerSample;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The comparison of a canary with its peers, from pass to pass: what each server says first, once
 * the canary is watched, is written and is what later figures are compared with. That is not the
 * same moment for all: HBase takes its beans away for a while when regions have come or gone.
 */
final class CanaryWatch {
  private final Observation observed;
  private final List<ServerSample> samples;
  private final Optional<RolloutStatus.Canary> canary;
  private final Instant now;

  /**
   * For one pass.
   *
   * @param samples what the region servers last said
   */
  CanaryWatch(Observation observed, List<ServerSample> samples, Instant now) {
    this.observed = observed;
    this.samples = samples;
    this.canary =
        Optional.ofNullable(observed.model().cluster().getStatus())
            .map(HBaseClusterStatus::rollout)
            .map(RolloutStatus::canary);
    this.now = now;
  }

  /** What is written of the servers beside the canary: of each what it said first. */
  List<Sample> toRemember() {
    var remembered = canary.map(RolloutStatus.Canary::samples).orElse(List.of());
    var pods = remembered.stream().map(Sample::pod).collect(Collectors.toSet());
    return Stream.concat(
            remembered.stream(),
            samples.stream()
                .filter(it -> !pods.contains(it.pod()))
                .map(this::withRestarts)
                .map(CanaryWatch::of))
        .toList();
  }

  /** What the figures say so far. */
  CanaryVerdict verdict(Optional<HBaseView> view) {
    if (canary.isEmpty()) {
      return new CanaryVerdict.Open();
    }
    var window =
        Restarts.rules(observed.model().cluster().getSpec().rollout())
            .canaryWindow()
            .orElse(Duration.ZERO);
    var pod = canary.get().pod();
    var bases =
        Optional.ofNullable(canary.get().samples()).orElse(List.of()).stream()
            .map(CanaryWatch::read)
            .collect(Collectors.toMap(ServerSample::pod, Function.identity()));
    var base = bases.get(pod);
    if (base == null) {
      return now.isBefore(Instant.parse(canary.get().since()).plus(window.multipliedBy(2)))
          ? new CanaryVerdict.Open()
          : new CanaryVerdict.Passed(List.of("no server tells any figures"));
    }
    var latest =
        samples.stream()
            .map(this::withRestarts)
            .collect(Collectors.toMap(ServerSample::pod, Function.identity()));
    boolean isGone =
        view.filter(it -> it.asked().isAfter(now.minus(window)))
            .filter(it -> it.serverOf(pod).isEmpty())
            .isPresent();
    var peers =
        bases.values().stream()
            .filter(it -> !it.pod().equals(pod) && isOfItsGroup(it.pod()))
            .filter(it -> latest.containsKey(it.pod()))
            .map(it -> new Observed(it, latest.get(it.pod())))
            .toList();
    return CanaryComparison.compare(
        base,
        isGone ? Optional.empty() : Optional.of(latest.getOrDefault(pod, base)),
        peers,
        window,
        now);
  }

  private boolean isOfItsGroup(String pod) {
    return observed
        .pod(pod)
        .filter(it -> Labels.groupOf(it).equals(canary.orElseThrow().group()))
        .isPresent();
  }

  private ServerSample withRestarts(ServerSample sample) {
    return observed
        .pod(sample.pod())
        .map(
            pod ->
                pod.getStatus().getContainerStatuses().stream()
                    .mapToInt(it -> it.getRestartCount())
                    .sum())
        .map(sample::withRestarts)
        .orElse(sample);
  }

  private static Sample of(ServerSample sample) {
    return new Sample(
        sample.pod(),
        sample.server(),
        sample.at().toString(),
        sample.heapBytes(),
        sample.poolBytes(),
        sample.gcMillis(),
        sample.requests(),
        sample.errors(),
        sample.restarts());
  }

  private static ServerSample read(Sample sample) {
    return new ServerSample(
        sample.pod(),
        sample.serverName(),
        Instant.parse(sample.at()),
        sample.heapBytes(),
        sample.poolBytes(),
        sample.gcMillis(),
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        sample.requests(),
        sample.errors(),
        sample.restarts());
  }
}
