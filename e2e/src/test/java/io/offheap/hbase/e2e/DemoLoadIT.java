package io.offheap.hbase.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * A client with HBase's own defaults begins to write to the demo and to read from it. It runs until
 * {@link DemoTunedIT} ends it.
 */
@Order(2)
class DemoLoadIT {
  private static final int RATE = 500;
  private static final int REGIONS = 6;

  @Test
  void aClientWithDefaultsWritesAndReads() {
    var kubectl = new Kubectl(Shell.ofCluster(), "default");
    var cluster = new RolloutCluster(kubectl, DemoCluster.NAME);
    assertThat(kubectl.condition(DemoCluster.NAME, "Ready")).startsWith("True AllServing");

    cluster.startLoad(0, RATE, REGIONS);

    cluster.load().assertNoneBad();
  }
}
