package io.offheap.hbase.operator.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus.RegionServer;
import io.offheap.hbase.operator.api.HBaseClusterStatus.RegionServer.State;
import io.offheap.hbase.operator.api.HBaseClusterStatusBuilder;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which region servers are requested for their metrics. */
class RegionServerHostsTest {
  @Test
  void declaredServerWithoutAPodIsNotRequested() {
    var requested = requested(Stream.of(server(0, State.Serving), server(7, State.Draining)));

    assertThat(requested)
        .containsExactly(
            "hb-regionserver-0.hb-regionserver.test.svc",
            "hb-regionserver-7.hb-regionserver.test.svc");
    assertThat(requested(Stream.of())).isEmpty();
  }

  @Test
  void undeclaredServerIsNotRequested() {
    assertThat(requested(Stream.of(server(999_999, State.Serving)))).isEmpty();
  }

  /** There may be no node for any of them. */
  @Test
  void limitedNumberIsRequestedOfThoseThatDoNotServeYet() {
    var requested =
        requested(
            IntStream.range(0, 1000)
                .mapToObj(it -> server(it, it < 900 ? State.Starting : State.Serving)));

    assertThat(requested).hasSize(RegionServerHosts.STARTING + 100);
  }

  /** The name of a pod that is replaced may soon have another address. */
  @Test
  void connectionsAreKeptOnlyIfAllServersServe() {
    assertThat(reuse(State.Serving, State.Serving)).isEqualTo(LimitedHttp.Reuse.PERMITTED);
    for (var state : State.values()) {
      if (state != State.Serving) {
        assertThat(reuse(State.Serving, state)).as("%s", state).isEqualTo(LimitedHttp.Reuse.NONE);
      }
    }
  }

  private static LimitedHttp.Reuse reuse(State... states) {
    return RegionServerHosts.reuse(
        cluster(IntStream.range(0, states.length).mapToObj(it -> server(it, states[it]))));
  }

  private static List<String> requested(Stream<RegionServer> servers) {
    return RegionServerHosts.requested(cluster(servers));
  }

  private static HBaseCluster cluster(Stream<RegionServer> servers) {
    var cluster =
        Serialization.unmarshal(
            """
            metadata: {name: hb, namespace: test}
            spec:
              zookeeper: {managed: {}}
              storage: {managed: {}}
              regionServers: {replicas: 1000, memory: {heap: 1Gi, offHeap: 512Mi}}
            """,
            HBaseCluster.class);
    cluster.setStatus(
        new HBaseClusterStatusBuilder()
            .appliedSpec(cluster.getSpec())
            .regionServers(servers.toList())
            .build());
    return cluster;
  }

  private static RegionServer server(int ordinal, State state) {
    return new RegionServer("hb-regionserver-" + ordinal, null, null, null, state);
  }
}
