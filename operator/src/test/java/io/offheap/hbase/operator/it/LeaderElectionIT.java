package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** Only one of two operators acts at a time: the leader is killed. {@link HaltedLeaderIT}. */
@ExtendWith(ApiServer.class)
class LeaderElectionIT {
  private static final Duration LEASE_DURATION = Duration.ofSeconds(15);

  private TwoOperators operators;

  @BeforeEach
  void start(ApiServer.Running server, TestInfo test) throws Exception {
    operators = TwoOperators.start(server, test);
  }

  @AfterEach
  void stop() throws Exception {
    operators.close();
  }

  @Test
  void killed() throws Exception {
    operators.create("before");
    operators.awaitReady("before");
    assertThat(operators.writesIn(operators.other())).isEmpty();
    assertThat(operators.first().page()).contains("\"leads\":true", "\"name\":\"before\"");
    assertThat(operators.second().page())
        .as("the standby's page names the leader and has no clusters")
        .isEqualTo(
            "{\"leads\":false,\"leader\":\"%s\",\"clusters\":[]}"
                .formatted(operators.one().name()));

    operators.first().signal("KILL");
    var renewed = operators.lease().getRenewTime().toInstant();
    operators.create("after");

    operators.awaitTheOther();
    assertThat(operators.lease().getAcquireTime().toInstant())
        .isBetween(renewed.plus(LEASE_DURATION), renewed.plus(LEASE_DURATION).plusSeconds(10));
    operators.awaitReady("after");
    assertThat(operators.second().page()).contains("\"leads\":true", "\"name\":\"before\"");
    await("ready").atMost(LONG).until(operators.second()::isReady);
    assertThat(operators.auditLog(operators.other()).forbidden()).isEmpty();
  }
}
