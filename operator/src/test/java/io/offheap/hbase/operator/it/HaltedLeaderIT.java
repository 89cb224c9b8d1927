package io.offheap.hbase.operator.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** Only one of two operators acts at a time: the leader is halted. {@link LeaderElectionIT}. */
@ExtendWith(ApiServer.class)
class HaltedLeaderIT {
  private TwoOperators operators;

  @BeforeEach
  void start(ApiServer.Running server, TestInfo test) throws Exception {
    operators = TwoOperators.start(server, test);
  }

  @AfterEach
  void stop() throws Exception {
    operators.close();
  }

  /**
   * All threads of a halted process continue later where they were. It is halted between two
   * writes, since a sent request cannot be revoked, and has something to write as soon as it runs
   * again.
   */
  @Test
  void halted() throws Exception {
    operators.create("busy");
    operators.awaitReady("busy");
    operators.awaitQuiet();

    operators.first().signal("STOP");
    operators.awaitTheOther();
    operators.changeAgainAndAgain(operators.other());
    operators.first().signal("CONT");

    assertThat(operators.first().awaitEnd(Duration.ofSeconds(20))).isEqualTo(1);
    operators.assertNothingWrittenSinceTheOtherLeads();
  }
}
