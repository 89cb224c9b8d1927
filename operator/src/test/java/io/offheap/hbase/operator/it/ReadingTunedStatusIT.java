package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.offheap.hbase.operator.api.TuningStatus.Entry;
import io.offheap.hbase.operator.tune.Reading;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What kubectl shows of a cluster with a tuned value, as docs/reading-status.md has it: the value
 * is tried in a rollout, watched for a window and kept.
 */
@ExtendWith(ApiServer.class)
class ReadingTunedStatusIT {
  /** A larger pool helped, so it is kept. */
  @Test
  void tuned(ApiServer.Running server) throws IOException {
    server.createNamespace("reading-tuned");
    var resource = TuningIT.resource("Auto").replace("window: 10s", "window: 10s, warmUp: 1s");
    try (var hb = ServingCluster.start(server, "reading-tuned", resource)) {
      long declared = TuningIT.planned(server.client(), "reading-tuned");
      var before = Set.copyOf(hb.simulator().planHashes("hb"));
      hb.hbases()
          .setReadings(
              id ->
                  isEveryServerOther(hb, before) ? List.<Reading>of() : TuningIT.missing(declared));
      await("tried")
          .atMost(LONG)
          .until(() -> isEveryServerOther(hb, before) && hb.status().rollout() == null);
      long larger = TuningIT.planned(server.client(), "reading-tuned");
      hb.hbases()
          .setReadings(
              id ->
                  isEveryServerOther(hb, before)
                      ? TuningIT.allFromPool(larger)
                      : TuningIT.missing(declared));
      await("kept")
          .atMost(LONG)
          .untilAsserted(
              () ->
                  assertThat(hb.status().tuning().groups().get(0).history())
                      .extracting(Entry::event)
                      .containsExactly("Applied", "Kept"));
      hb.awaitReady();
      hb.awaitQuiet();
      // Longer than from one evaluation to the next: while it cools down, nothing is written.
      await("watching")
          .during(Duration.ofSeconds(8))
          .atMost(LONG)
          .until(() -> hb.status().tuning().groups().get(0).reason().equals("Watching"));

      new RecordedSection("reading-status.md", "## Tuned")
          .check(Tool.kubectl(server), "reading-tuned");
    }
  }

  private static boolean isEveryServerOther(ServingCluster hb, Set<String> plans) {
    return hb.simulator().planHashes("hb").stream().noneMatch(plans::contains);
  }
}
