package io.offheap.hbase.e2e.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.plan.JvmKeys;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.tune.Metric;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OperatorStepsTest {
  private static final HBaseCluster CLUSTER =
      Serialization.unmarshal(
          """
          apiVersion: hbase.offheap.io/v1alpha1
          kind: HBaseCluster
          metadata: {name: report}
          spec:
            zookeeper: {external: {quorum: "localhost:29181"}}
            storage: {external: {rootDir: "hdfs://localhost:29020/hbase"}}
            regionServers:
              memory: {limit: 1536Mi}
              resources: {limits: {cpu: 2}}
              blockCache: {mode: OffHeap}
              hfile: {cellSize: 200}
          """,
          HBaseCluster.class);

  /** A server in which marking starts again and again as long as it starts below 30 %. */
  private static final class SimulatedServer implements OperatorSteps.Server {
    private final List<Long> started = new ArrayList<>();
    private final EnumMap<Metric, Double> counters = new EnumMap<>(Metric.class);
    private final boolean isHelped;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private double heapBytes;

    private SimulatedServer(boolean isHelped) {
      this.isHelped = isHelped;
    }

    @Override
    public void start(MemoryPlan plan) {
      started.add(plan.required(JvmKeys.IHOP));
      heapBytes = plan.g1().heapBytes();
      counters.clear();
      List.of(
              Metric.GC_CONCURRENT_START_COUNT,
              Metric.GC_NORMAL_COUNT,
              Metric.GC_NORMAL_PAUSE_MICROS,
              Metric.ALLOCATOR_POOL_BYTES)
          .forEach(counter -> counters.put(counter, 0.0));
      now = now.plusSeconds(20);
    }

    private void count(Metric counter, double more) {
      counters.merge(counter, more, Double::sum);
    }

    @Override
    public void pause() {
      boolean isEarly = !isHelped || started.get(started.size() - 1) < 30;
      now = now.plusSeconds(10);
      count(Metric.GC_CONCURRENT_START_COUNT, isEarly ? 2 : 0);
      count(Metric.GC_NORMAL_COUNT, 10);
      count(Metric.GC_NORMAL_PAUSE_MICROS, isEarly ? 1_000_000 : 200_000);
      count(Metric.ALLOCATOR_POOL_BYTES, 1e9);
      counters.put(Metric.OLD_AFTER_GC_BYTES, 0.2 * heapBytes);
    }

    @Override
    public Map<Metric, Double> values() {
      return counters;
    }

    @Override
    public Instant now() {
      return now;
    }
  }

  private static List<OperatorSteps.Step> find(SimulatedServer server) throws Exception {
    return new OperatorSteps(CLUSTER, server, Duration.ofSeconds(60), Duration.ofSeconds(20))
        .find(Duration.ofMinutes(30));
  }

  @Test
  void beginsWithTheFaultsOfTheTalkAndKeepsWhatHelps() throws Exception {
    var server = new SimulatedServer(true);

    var steps = find(server);

    assertThat(steps).hasSize(2);
    assertThat(steps.get(0).text())
        .isEqualTo("G1NewSizePercent 1, InitiatingHeapOccupancyPercent 12");
    assertThat(steps.get(1).text())
        .startsWith("MarkingTooEarlyOrLate: InitiatingHeapOccupancyPercent ");
    long ihop = steps.get(1).plan().required(JvmKeys.IHOP);
    assertThat(ihop).isGreaterThan(30);
    assertThat(server.started).containsExactly(12L, ihop);
    // Long before the time is over: nothing is left to change.
    assertThat(server.now()).isBefore(Instant.parse("2026-01-01T00:10:00Z"));
  }

  @Test
  void changeThatDoesNotHelpIsNoStepAndIsRolledBack() throws Exception {
    var server = new SimulatedServer(false);

    assertThat(find(server)).hasSize(1);

    assertThat(server.started).hasSizeGreaterThan(2);
    assertThat(server.started.get(2)).isEqualTo(12);
  }
}
