package io.offheap.hbase.operator.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.RegionServer;
import io.offheap.hbase.operator.api.HBaseClusterStatus.RegionServer.State;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The region servers in the status of a failed reconciliation. */
class FailedStatusTest {
  @Test
  void serverThatHasServedIsShown() {
    assertThat(FailedStatus.showsServing(HBaseClusterStatus.empty())).isFalse();
    assertThat(FailedStatus.showsServing(status(State.Starting, State.Starting))).isFalse();
    assertThat(FailedStatus.showsServing(status(State.Starting, State.Draining))).isTrue();
  }

  private static HBaseClusterStatus status(State... states) {
    List<RegionServer> servers =
        Stream.of(states)
            .map(it -> new RegionServer("hb-regionserver-0", null, null, null, it))
            .toList();
    return HBaseClusterStatus.empty().toBuilder().regionServers(servers).build();
  }
}
