package io.offheap.hbase.operator.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.TestClock;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.TuningStatus;
import io.offheap.hbase.operator.api.TuningStatus.Entry;
import io.offheap.hbase.operator.log.LogCapture;
import io.offheap.hbase.operator.status.TuningStatuses;
import io.offheap.hbase.operator.tune.AlertCause;
import io.offheap.hbase.operator.tune.TuningState.Event;
import io.prometheus.client.CollectorRegistry;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A change of tuning is reported once, whatever passes come to. */
class TuningReportsTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Entry APPLIED = entry(1, "Applied");
  private static final Entry KEPT = entry(2, "Kept");

  private final CollectorRegistry registry = new CollectorRegistry();
  private final TuningReports reports = reports();

  @Test
  void reportsChangeAfterItIsWritten() {
    reports.reportNewEntries(cluster("1"));
    // Twice, as a pass whose status was refused leaves none, and the next decides the same.
    reports.reportNewEntries(cluster("1"));
    assertThat(reported("Applied")).isZero();

    reports.reportNewEntries(cluster("1", APPLIED));
    reports.reportNewEntries(cluster("1", APPLIED));
    assertThat(reported("Applied")).isOne();

    reports.reportNewEntries(cluster("1", APPLIED, KEPT));
    assertThat(reported("Applied")).isOne();
    assertThat(reported("Kept")).isOne();
  }

  @Test
  void doesNotReportAgainAfterLeaderChange() {
    reports.reportNewEntries(cluster("1", APPLIED));
    reports.reportNewEntries(cluster("1", APPLIED, KEPT));
    assertThat(reported("Applied")).isZero();
    assertThat(reported("Kept")).isOne();
  }

  @Test
  void doesNotReportRestoredHistoryAgain() {
    reports.reportNewEntries(cluster("1"));
    reports.reportNewEntries(cluster("1", APPLIED));
    reports.reportNewEntries(cluster("1"));
    reports.reportNewEntries(cluster("1", APPLIED));
    assertThat(reported("Applied")).isOne();
  }

  @Test
  void aClusterOfTheSameNameHasAHistoryOfItsOwn() {
    reports.reportNewEntries(cluster("1", APPLIED));
    reports.reportNewEntries(cluster("2", APPLIED, KEPT));
    assertThat(reported("Kept")).isZero();

    reports.forget(ResourceID.fromResource(cluster("2")));
    reports.reportNewEntries(cluster("2", APPLIED, KEPT));
    assertThat(reported("Kept")).isZero();
  }

  @Test
  void changeNamesItsAlertInItsLine() {
    var entry =
        new Entry(
            START.plusSeconds(1).toString(),
            "PoolTooSmall",
            "Applied",
            Map.of("hbase.server.allocator.max.buffer.count", "2000"),
            "missed",
            List.of(),
            new TuningStatus.Alert("HBaseX", "9f86d081884c7d65", "2025-12-31T23:59:00Z"));
    reports.reportNewEntries(cluster("1"));
    try (var log = LogCapture.of(Events.class)) {
      reports.reportNewEntries(cluster("1", entry));
      // Beside it are lines of the threads that record the events of other tests.
      assertThat(log.lines())
          .anySatisfy(
              it ->
                  assertThat(it)
                      .contains("event=TuningApplied")
                      .endsWith(
                          ": missed; after alert HBaseX (9f86d081884c7d65, since"
                              + " 2025-12-31T23:59:00Z)\""));
    }
    assertThat(TuningStatuses.states(cluster("1", entry)).get("").history())
        .extracting(Event::alert)
        .containsExactly(
            Optional.of(new AlertCause("HBaseX", "9f86d081884c7d65", START.minusSeconds(60))));
  }

  @Test
  void reportsChangeAfterClockWasSetBack() {
    var ahead = entry(86_400, "Applied");
    reports.reportNewEntries(cluster("1"));
    reports.reportNewEntries(cluster("1", ahead));
    reports.reportNewEntries(cluster("1", ahead, KEPT));
    reports.reportNewEntries(cluster("1", ahead, KEPT));
    assertThat(reported("Kept")).isOne();
  }

  @Test
  void reconciliationWithOlderStatusReportsNothingAgain() {
    reports.reportNewEntries(cluster("1", APPLIED));
    reports.reportNewEntries(cluster("1", APPLIED, KEPT));
    reports.reportNewEntries(cluster("1", APPLIED));
    reports.reportNewEntries(cluster("1", APPLIED, KEPT));
    assertThat(reported("Kept")).isOne();
  }

  private double reported(String event) {
    return registry.getSampleValue(
        "hbase_offheap_tuning_changes_total",
        new String[] {"rule", "event"},
        new String[] {"PoolTooSmall", event});
  }

  private TuningReports reports() {
    // Nothing listens there; an event that cannot be recorded is logged.
    var nowhere =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder()
                    .withMasterUrl("http://127.0.0.1:1")
                    .withRequestRetryBackoffLimit(0)
                    .build())
            .build();
    return TuningReports.of(new Events(nowhere, "test", TestClock.at(START)), registry);
  }

  private static Entry entry(int second, String event) {
    return new Entry(
        START.plusSeconds(second).toString(),
        "PoolTooSmall",
        event,
        Map.of("hbase.server.allocator.max.buffer.count", "2000"),
        "missed",
        List.of(),
        null);
  }

  private static HBaseCluster cluster(String uid, Entry... history) {
    var cluster = new HBaseCluster();
    cluster.setMetadata(
        new ObjectMetaBuilder().withName("hb").withNamespace("ns").withUid(uid).build());
    cluster.setStatus(
        HBaseClusterStatus.empty()
            .remembering(null, null, null, null, null, tuning(Arrays.asList(history))));
    return cluster;
  }

  private static TuningStatus tuning(List<Entry> history) {
    return new TuningStatus(
        List.of(
            new TuningStatus.Group(
                "",
                "Watching",
                "waits",
                null,
                List.of(),
                null,
                null,
                List.of(),
                history,
                List.of(),
                null,
                0)));
  }
}
