package io.offheap.hbase.operator.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.Slow;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** An alert makes the operator read a cluster's metrics before the regular reading is due. */
class AlertedReadingTest {
  /** Interval of regular readings. */
  private static final Duration OWN_PERIOD = Duration.ofSeconds(20);

  private final List<Long> read = new CopyOnWriteArrayList<>();
  private final List<Event> reconciliations = new CopyOnWriteArrayList<>();

  @Test
  @Slow
  void alertTriggersReadingAndReconciliationAtLimitedRate() {
    try (var clusters = new ControlledClusters(1, Duration.ofSeconds(1))) {
      var id = clusters.add("demo", List.of());
      var cluster = tuned(clusters.resource(id));
      var source = new ReadingSource(clusters.context(), this::servers, new ServerHistory());
      assertThat(source.period(cluster)).isEqualTo(OWN_PERIOD);
      source.setEventHandler(reconciliations::add);
      source.start();
      source.onResourceCreated(cluster);
      await("the first reading").atMost(Duration.ofSeconds(30)).until(() -> read.size() == 1);
      assertThat(reconciliations).isEmpty();

      await("a second and a third reading")
          .atMost(Duration.ofSeconds(60))
          .pollInterval(Duration.ofMillis(100))
          .until(
              () -> {
                source.readForAlert(id);
                return read.size() >= 3;
              });

      assertThat(read.get(1) - read.get(0)).isLessThan(OWN_PERIOD.toNanos());
      assertThat(read.get(2) - read.get(1)).isLessThan(OWN_PERIOD.toNanos());
      var least = ReadingSource.ALERT_REST.toNanos() - 2_000_000;
      assertThat(read.get(1) - read.get(0)).isGreaterThanOrEqualTo(least);
      assertThat(read.get(2) - read.get(1)).isGreaterThanOrEqualTo(least);
      await("a reconciliation for each")
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(
              () ->
                  assertThat(reconciliations)
                      .extracting(Event::getRelatedCustomResourceID)
                      .containsExactly(id, id));

      source.readForAlert(new ResourceID("none", "test"));
      source.stop();
    }
  }

  /** Called once in each reading; no server has reported its name, so no request is sent. */
  private Map<String, String> servers(ResourceID id) {
    read.add(System.nanoTime());
    return Map.of();
  }

  /** With one server, and a window with one reading each 20 s. */
  private static HBaseCluster tuned(HBaseCluster cluster) {
    var declared =
        Serialization.unmarshal(
            """
            apiVersion: hbase.offheap.io/v1alpha1
            kind: HBaseCluster
            metadata: {name: demo, namespace: test}
            spec:
              zookeeper: {managed: {}}
              storage: {managed: {}}
              regionServers: {replicas: 1, memory: {heap: 1Gi, offHeap: 512Mi}}
              tuning: {mode: Recommend, window: 10m}
            """,
            HBaseCluster.class);
    cluster.setSpec(declared.getSpec());
    cluster.setMetadata(new ObjectMetaBuilder().withName("demo").withNamespace("test").build());
    return cluster;
  }
}
