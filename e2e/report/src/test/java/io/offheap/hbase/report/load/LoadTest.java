package io.offheap.hbase.report.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LoadTest {
  @Test
  void shareOfTheRateIsThatOfTheOperationsThatWereDue() {
    assertThat(Load.reached(new Load.Phase(3_872, 20.4), 8, 200, 20)).isEqualTo(0.97);
    assertThat(Load.reached(new Load.Phase(4_003, 20.0), 8, 200, 20)).isEqualTo(1);
  }

  @Test
  void threadThatHasNotBegunItsLastOperationIsNoBacklog() {
    assertThat(Load.reached(new Load.Phase(43, 10), 8, 5, 10)).isEqualTo(1);
  }
}
