package io.offheap.hbase.operator.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.hbase.OwnHosts.Address;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which hosts the operator connects to for a cluster. */
class OwnHostsTest {
  private final OwnHosts own = new OwnHosts(new ResourceID("hb", "ns"));

  @Test
  void connectsToOwnServersByClusterInternalName() {
    assertThat(own.of("hb-master-0.hb-master.ns.svc"))
        .contains(new Address("hb-master-0.hb-master.ns.svc", 16000));
    assertThat(own.of("hb-regionserver-11.hb-regionserver.ns.svc.cluster.local"))
        .contains(new Address("hb-regionserver-11.hb-regionserver.ns.svc", 16020));
    assertThat(own.of("hb-regionserver-big-0.hb-regionserver-big.ns.svc.k8s.example"))
        .contains(new Address("hb-regionserver-big-0.hb-regionserver-big.ns.svc", 16020));
  }

  /** The owner of another domain controls the address. */
  @Test
  void dropsForeignDomainFromName() {
    assertThat(own.of("hb-master-0.hb-master.ns.svc.evil.example"))
        .contains(new Address("hb-master-0.hb-master.ns.svc", 16000));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "10.0.0.1",
        "localhost",
        "hb-master-0",
        "hb-master-0.hb-master",
        "hb-master-0.hb-master.ns",
        "hb-master-0.hb-master.other.svc",
        "hb-master-0.hb-master.ns.svc2",
        "hb-master-0.hb-master.ns.pod",
        "hb-master-0.hb-master.ns-svc.svc",
        "hb-master-0.hb-regionserver.ns.svc",
        "hb-master.ns.svc",
        "hb-master-x.hb-master.ns.svc",
        "other-master-0.other-master.ns.svc",
        "hb2-master-0.hb2-master.ns.svc",
        "hb-zookeeper-0.hb-zookeeper.ns.svc",
        "hb-namenode-0.hb-namenode.ns.svc",
        // Of a cluster with the name hb-regionserver.
        "hb-regionserver-master-0.hb-regionserver-master.ns.svc",
        // Of clusters with the names hb-regionserver-b and hb-regionserver.
        "hb-regionserver-b-master-0.hb-regionserver-b-master.ns.svc",
        "hb-regionserver-regionserver-g-0.hb-regionserver-regionserver-g.ns.svc",
        "evil.hb-master-0.hb-master.ns.svc",
        "hb-master-0.hb-master.x.ns.svc",
        "kubernetes.default.svc",
        "169.254.169.254"
      })
  void anyOtherHostIsForeign(String host) {
    assertThat(own.of(host)).isEmpty();
  }
}
