package io.offheap.hbase.operator.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** When the master's procedures are requested. */
class CrashProceduresTest {
  private static final Instant NOW = Instant.parse("2025-11-01T02:00:00Z");
  private static final Set<String> LIVE = Set.of("rs-0,16020,1", "rs-1,16020,1");

  private final CrashProcedures procedures = new CrashProcedures();
  private int requests;
  private String response = "[]";

  @Test
  void requestsNotForEachViewWhileSameServersLive() {
    for (int second = 0; second < 10; second++) {
      viewOf(NOW.plusSeconds(second), LIVE, false);
    }

    assertThat(requests).isEqualTo(2);
  }

  @Test
  void requestsAtOnceWhenServerStartsOrStops() {
    viewOf(NOW, LIVE, false);
    response =
        """
        [{"className": "org.apache.hadoop.hbase.master.procedure.ServerCrashProcedure",
          "state": "WAITING",
          "stateMessage": [{"serverName": {"hostName": "rs-1", "port": 16020, "startCode": 1}}]}]
        """;

    assertThat(viewOf(NOW.plusSeconds(1), Set.of("rs-0,16020,1"), false).unfinished())
        .containsExactly("rs-1,16020,1");
  }

  @Test
  void requestsForEachViewWhileProcedureOfStoppedServerMayStart() {
    viewOf(NOW, LIVE, true);
    viewOf(NOW.plusSeconds(1), LIVE, true);

    assertThat(requests).isEqualTo(2);
  }

  @Test
  void requestsAgainAfterClockIsSetBack() {
    viewOf(NOW, LIVE, false);
    viewOf(NOW.minusSeconds(3600), LIVE, false);

    assertThat(requests).isEqualTo(2);
  }

  @Test
  void requestsAgainAfterFailure() {
    var failed =
        procedures.get(
            NOW, LIVE, false, () -> CompletableFuture.failedFuture(new IllegalStateException()));
    assertThat(failed).isCompletedExceptionally();

    viewOf(NOW.plusSeconds(1), LIVE, false);
    assertThat(requests).isEqualTo(1);
  }

  private ServerCrashes viewOf(Instant now, Set<String> live, boolean hasOneDeparted) {
    return procedures
        .get(
            now,
            live,
            hasOneDeparted,
            () -> {
              requests++;
              return CompletableFuture.completedFuture(response);
            })
        .join();
  }
}
