package io.offheap.hbase.operator.rollout;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** What the region servers of a {@link Simulation} report. */
final class SimulatedMetrics {
  private final Simulation world;
  private Set<String> worse = Set.of();

  /** Whether no server reports metrics. */
  boolean isWithoutMetrics;

  SimulatedMetrics(Simulation world) {
    this.world = world;
  }

  /** Each change of a group is worse than its first revision. */
  void worse(String group) {
    worse = Set.of(group);
  }

  boolean isWorse(String group, int revision) {
    return revision % 10 == 7 || (worse.contains(group) && revision != 1);
  }

  /** A server's metrics; with a worse revision, half its bytes come from the heap. */
  Optional<ServerSample> sample(SimulatedPod pod) {
    var hbase = world.hbase();
    return pod.server
        .filter(it -> hbase.isAlive(it) && !hbase.silent.contains(it) && !isWithoutMetrics)
        .map(
            server -> {
              long millis = Math.max(0, world.now().toEpochMilli() - HBaseView.startCode(server));
              long bytes = millis << 12;
              long heap = isWorse(pod.group, pod.revision) ? bytes / 2 : 0;
              return new ServerSample(
                  pod.name,
                  server,
                  world.clock(),
                  heap,
                  bytes - heap,
                  millis / 100,
                  OptionalDouble.of(50),
                  OptionalDouble.of(10),
                  millis / 10,
                  0,
                  pod.ends);
            });
  }
}
