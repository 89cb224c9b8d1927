package io.offheap.hbase.operator.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** When the master is asked for its procedures. */
class CrashProceduresTest {
  private static final Instant NOW = Instant.parse("2025-11-01T02:00:00Z");
  private static final Set<String> LIVE = Set.of("rs-0,16020,1", "rs-1,16020,1");

  private final CrashProcedures procedures = new CrashProcedures();
  private int asked;
  private String answer = "[]";

  @Test
  void notInEachLookWhileTheSameServersLive() {
    for (int second = 0; second < 10; second++) {
      look(NOW.plusSeconds(second), LIVE, false);
    }

    assertThat(asked).isEqualTo(2);
  }

  @Test
  void atOnceWhenAServerComesOrGoes() {
    look(NOW, LIVE, false);
    answer =
        """
        [{"className": "org.apache.hadoop.hbase.master.procedure.ServerCrashProcedure",
          "state": "WAITING",
          "stateMessage": [{"serverName": {"hostName": "rs-1", "port": 16020, "startCode": 1}}]}]
        """;

    assertThat(look(NOW.plusSeconds(1), Set.of("rs-0,16020,1"), false).unfinished())
        .containsExactly("rs-1,16020,1");
  }

  @Test
  void inEachLookWhileTheProcedureOfOneThatIsGoneMayBegin() {
    look(NOW, LIVE, true);
    look(NOW.plusSeconds(1), LIVE, true);

    assertThat(asked).isEqualTo(2);
  }

  @Test
  void againWhenTheClockIsSetBack() {
    look(NOW, LIVE, false);
    look(NOW.minusSeconds(3600), LIVE, false);

    assertThat(asked).isEqualTo(2);
  }

  @Test
  void againAfterAnAnswerThatDidNotCome() {
    var failed =
        procedures.get(
            NOW, LIVE, false, () -> CompletableFuture.failedFuture(new IllegalStateException()));
    assertThat(failed).isCompletedExceptionally();

    look(NOW.plusSeconds(1), LIVE, false);
    assertThat(asked).isEqualTo(1);
  }

  private ServerCrashes look(Instant now, Set<String> live, boolean isOneGone) {
    return procedures
        .get(
            now,
            live,
            isOneGone,
            () -> {
              asked++;
              return CompletableFuture.completedFuture(answer);
            })
        .join();
  }
}
