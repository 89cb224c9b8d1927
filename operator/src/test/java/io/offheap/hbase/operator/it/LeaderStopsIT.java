package io.offheap.hbase.operator.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Only one of two operators acts at a time: the leader ends by itself. */
@ExtendWith(ApiServer.class)
@Execution(ExecutionMode.CONCURRENT)
@Tag("verify")
class LeaderStopsIT {
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
  void cutOffFromItsLease() throws Exception {
    operators.create("busy");
    operators.changeAgainAndAgain(operators.one());

    operators.forbidLeaseToOne();

    assertThat(operators.first().awaitEnd(Duration.ofSeconds(13))).isEqualTo(1);
    assertThat(operators.lease().getHolderIdentity()).startsWith(operators.one().name());
    operators.awaitTheOther();
    operators.assertNothingWrittenSinceTheOtherLeads();
  }

  @Test
  void terminated() throws Exception {
    operators.create("busy");
    operators.changeAgainAndAgain(operators.one());

    operators.first().signal("TERM");

    assertThat(operators.first().awaitEnd(Duration.ofSeconds(20))).isEqualTo(128 + 15);
    assertThat(Optional.ofNullable(operators.lease().getHolderIdentity()).orElse(""))
        .as("the lease is released")
        .doesNotStartWith(operators.one().name());
    operators.awaitTheOther();
    operators.assertNothingWrittenSinceTheOtherLeads();
  }
}
