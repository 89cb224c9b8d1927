package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which image the managed ZooKeeper and HDFS keep when its declaration is removed. */
@ExtendWith(ApiServer.class)
@Tag("verify")
class KeptImagesIT {
  private WatchedNamespace hb;
  private PodImages images;

  @BeforeEach
  void start(ApiServer.Running server, TestInfo test) throws Exception {
    hb = WatchedNamespace.start(server, test);
    images = new PodImages(hb.client(), hb.name());
    hb.createReady("hb", Clusters.SMALLEST);
    hb.awaitQuiet();
  }

  @AfterEach
  void stop() {
    hb.close();
  }

  @Test
  void removalTakesImageBackThatNeverServed() {
    var before = images.ofPods();
    hb.simulator().letBecomeReady(it -> !PodImages.of(it).endsWith(":bad"));
    hb.declare("hb", PodImages.declaring("", "image: {tag: bad}"));
    await("the name node's pod")
        .atMost(LONG)
        .untilAsserted(() -> assertThat(images.ofPods().get("namenode")).endsWith(":bad"));
    // Without a report the pod would have two minutes to serve, see RestartDecisionTest.
    KubeletReports.cannotPull(hb.client(), images.pod("hb-namenode-0"));
    hb.awaitQuiet();

    hb.declare("hb", Clusters.SMALLEST);

    await("the former image")
        .atMost(LONG)
        .untilAsserted(() -> assertThat(images.ofPods()).isEqualTo(before));
    hb.awaitReady("hb");
    assertThat(hb.get("hb").getStatus().images().hdfs()).isNull();
  }

  /** The operator has not seen that the image serves before the declaration was removed. */
  @Test
  void removalRestartsNothingWhileNoOperatorRan() throws Exception {
    hb.simulator().letBecomeReady(it -> !PodImages.of(it).endsWith(":new"));
    hb.declare("hb", PodImages.declaring("image: {tag: new}", "image: {tag: newer}"));
    await("ZooKeeper's pod")
        .atMost(LONG)
        .untilAsserted(() -> assertThat(images.ofPods().get("zookeeper")).endsWith(":new"));
    hb.awaitQuiet();
    hb.stopOperator();

    hb.simulator().letBecomeReady(it -> true);
    hb.declare("hb", Clusters.SMALLEST);
    await("ZooKeeper serves").atMost(LONG).until(() -> images.areReady("zookeeper"));
    var uids = images.uids();
    hb.startOperator();

    await("kept")
        .atMost(LONG)
        .untilAsserted(
            () -> assertThat(hb.get("hb").getStatus().images().zookeeper()).endsWith(":new"));
    hb.awaitReady("hb");
    hb.awaitQuiet();
    assertThat(images.uids().get("hb-zookeeper-0")).isEqualTo(uids.get("hb-zookeeper-0"));
  }
}
