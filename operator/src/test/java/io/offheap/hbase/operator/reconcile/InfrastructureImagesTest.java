package io.offheap.hbase.operator.reconcile;

import static io.offheap.hbase.operator.deploy.Role.DATANODE;
import static io.offheap.hbase.operator.deploy.Role.NAMENODE;
import static io.offheap.hbase.operator.deploy.Role.ZOOKEEPER;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterSpec;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.Images;
import io.offheap.hbase.operator.api.HBaseClusterStatus.LastGood;
import io.offheap.hbase.operator.observe.ObservedImages;
import io.offheap.hbase.operator.observe.SetsAndPods;
import java.util.List;
import org.junit.jupiter.api.Test;

class InfrastructureImagesTest {
  private static final Images MADE_WITH = new Images("ours/hbase:2", "ours/hbase:1");
  private static final String DIGEST = "sha256:" + "0".repeat(64);
  private static final String MIRROR = "image: {repository: 'host:5000/hbase', tag: '7'}";
  private static final HBaseClusterSpec NOTHING = spec("", "", "");

  /** The spec of the last pass that was applied, and the last good one. */
  private HBaseClusterSpec lastApplied;

  private HBaseClusterSpec lastGood;
  private boolean isRolledBack;
  private ObservedImages observed = ObservedImages.NONE;

  @Test
  void keepsImageThatPodsWereMadeWith() {
    assertThat(kept(MADE_WITH, NOTHING)).isEqualTo(MADE_WITH);
    assertThat(images(NOTHING)).containsExactly("ours/hbase:1", "ours/hbase:1", "ours/hbase:1");
  }

  @Test
  void takesDeclaredTagOrDigestOfTheRepository() {
    assertThat(images(spec("", "image: {tag: '3'}", "image: {tag: '3', digest: '" + DIGEST + "'}")))
        .containsExactly("ours/hbase:3", "ours/hbase@" + DIGEST, "ours/hbase@" + DIGEST);
  }

  @Test
  void keepsDeclaredImageOnceItServes() {
    var declared = spec("", "image: {tag: '3'}", "image: {tag: '4'}");
    var pods = new SetsAndPods().set(ZOOKEEPER, 3, "ours/hbase:3").set(NAMENODE, 1, "ours/hbase:4");
    observed =
        pods.starting(ZOOKEEPER, 2, "ours/hbase:3")
            .starting(NAMENODE, 0, "ours/hbase:4")
            .observed();
    assertThat(kept(MADE_WITH, declared)).isEqualTo(MADE_WITH);

    // One of three: the ensemble has its state.
    observed = pods.ready(ZOOKEEPER, 1, "ours/hbase:3").observed();
    var half = kept(MADE_WITH, declared);
    assertThat(half).isEqualTo(new Images("ours/hbase:2", "ours/hbase:1", "ours/hbase:3", null));

    observed = pods.ready(NAMENODE, 0, "ours/hbase:4").observed();
    var whole = new Images("ours/hbase:2", "ours/hbase:1", "ours/hbase:3", "ours/hbase:4");
    assertThat(kept(half, declared)).isEqualTo(whole);

    observed = ObservedImages.NONE;
    assertThat(kept(whole, declared)).as("while nothing serves").isEqualTo(whole);
    assertThat(InfrastructureImages.of(whole, cluster(NOTHING), NOTHING, false, observed))
        .as("left out again")
        .isEqualTo(new InfrastructureImages("ours/hbase:3", "ours/hbase:4"));
  }

  /** A data node may be evicted, and comes back with the image before the name node has it. */
  @Test
  void dataNodeIsNoEvidenceAboutTheNameNode() {
    observed =
        new SetsAndPods()
            .set(NAMENODE, 1, "ours/hbase:4")
            .set(DATANODE, 1, "ours/hbase:4")
            .withoutImage(NAMENODE, 0, "ours/hbase:4")
            .ready(DATANODE, 0, "ours/hbase:4")
            .observed();

    assertThat(kept(MADE_WITH, spec("", "", "image: {tag: '4'}"))).isEqualTo(MADE_WITH);
  }

  /** The operator may not have run between the pod's start and the removal. */
  @Test
  void keepsImageOfTheLastPassThatServesByNow() {
    lastApplied = spec("", "image: {tag: '3'}", "");
    observed =
        new SetsAndPods()
            .set(ZOOKEEPER, 1, "ours/hbase:3")
            .ready(ZOOKEEPER, 0, "ours/hbase:3")
            .observed();

    assertThat(kept(MADE_WITH, NOTHING).zookeeper()).isEqualTo("ours/hbase:3");

    // A writer of StatefulSets alone gets nothing into status.
    lastApplied = NOTHING;
    assertThat(kept(MADE_WITH, NOTHING)).isEqualTo(MADE_WITH);
  }

  @Test
  void imageThatIsKeptAlreadyIsNotWrittenAgain() {
    observed =
        new SetsAndPods()
            .set(ZOOKEEPER, 1, "ours/hbase:1")
            .ready(ZOOKEEPER, 0, "ours/hbase:1")
            .observed();

    assertThat(kept(MADE_WITH, spec("", "image: {tag: '1'}", ""))).isEqualTo(MADE_WITH);
  }

  @Test
  void anotherRepositoryWaitsUntilItIsThatOfTheLastGoodSpec() {
    var declared = spec(MIRROR, "", "image: {tag: '3'}");
    assertThat(images(declared)).containsOnly("ours/hbase:1");

    lastGood = NOTHING;
    assertThat(images(declared)).containsOnly("ours/hbase:1");

    lastGood = declared;
    assertThat(images(declared))
        .containsExactly("ours/hbase:1", "host:5000/hbase:3", "host:5000/hbase:3");
  }

  @Test
  void repositoryOfTheImageThatIsKeptDoesNotWait() {
    lastGood = spec(MIRROR, "", "");

    assertThat(images(spec("", "image: {tag: '3'}", "")))
        .containsExactly("ours/hbase:3", "ours/hbase:1", "ours/hbase:1");
  }

  /** For example because the former registry was shut down. HBase's rollout waits for that pod. */
  @Test
  void doesNotWaitForHBaseWithAPodThatCannotStart() {
    var declared = spec(MIRROR, "", "image: {tag: '1'}");
    lastGood = NOTHING;
    observed = hdfs("ours/hbase:1").withoutNode(DATANODE, 1, "ours/hbase:1").observed();
    assertThat(images(declared)).as("it lacks a node").containsOnly("ours/hbase:1");

    var mirrored = new String[] {"ours/hbase:1", "host:5000/hbase:1", "host:5000/hbase:1"};
    observed = hdfs("ours/hbase:1").withoutImage(DATANODE, 1, "ours/hbase:1").observed();
    assertThat(images(declared)).containsExactly(mirrored);
    observed = hdfs("host:5000/hbase:1").observed();
    assertThat(images(declared)).as("deleted").containsExactly(mirrored);
    observed = hdfs("host:5000/hbase:1").starting(DATANODE, 1, "host:5000/hbase:1").observed();
    assertThat(images(declared)).as("made again").containsExactly(mirrored);
    observed = hdfs("host:5000/hbase:1").ready(DATANODE, 1, "host:5000/hbase:1").observed();
    assertThat(images(declared)).as("it serves").containsExactly(mirrored);

    observed = hdfs("host:5000/hbase:1").withoutImage(DATANODE, 1, "host:5000/hbase:1").observed();
    isRolledBack = true;
    assertThat(images(declared)).as("rolled back").containsOnly("ours/hbase:1");
  }

  @Test
  void doesNotWaitForHBaseWithAZooKeeperThatCannotStart() {
    var declared = spec(MIRROR, "image: {tag: '1'}", "");
    var mirrored = new String[] {"host:5000/hbase:1", "ours/hbase:1", "ours/hbase:1"};
    lastGood = NOTHING;
    observed = ensemble("ours/hbase:1").starting(ZOOKEEPER, 2, "ours/hbase:1").observed();
    assertThat(images(declared)).as("it just starts").containsOnly("ours/hbase:1");

    observed = ensemble("ours/hbase:1").withoutImage(ZOOKEEPER, 2, "ours/hbase:1").observed();
    assertThat(images(declared)).containsExactly(mirrored);
    isRolledBack = true;
    assertThat(images(declared)).as("rolled back before").containsOnly("ours/hbase:1");

    observed = ensemble("host:5000/hbase:1").ready(ZOOKEEPER, 2, "host:5000/hbase:1").observed();
    assertThat(images(declared)).as("rolled back after it serves").containsExactly(mirrored);
  }

  /** Only for pods that do not serve: those that do would get it before HBase's canary. */
  @Test
  void imageIsUntestedUntilHBaseHasServedWithItsRepository() {
    var declared = spec(MIRROR, "", "image: {tag: '1'}");
    lastGood = NOTHING;
    observed = hdfs("ours/hbase:1").withoutImage(DATANODE, 1, "ours/hbase:1").observed();
    var images = InfrastructureImages.of(MADE_WITH, cluster(declared), declared, false, observed);

    assertThat(images.isUntested(ZOOKEEPER, MADE_WITH, cluster(declared))).isFalse();
    assertThat(images.isUntested(NAMENODE, MADE_WITH, cluster(declared))).isTrue();
    assertThat(images.isUntested(DATANODE, MADE_WITH, cluster(declared))).isTrue();

    var kept = new Images("ours/hbase:2", "ours/hbase:1", null, "host:5000/hbase:0");
    assertThat(images.isUntested(DATANODE, kept, cluster(declared))).isFalse();
    lastGood = declared;
    assertThat(images.isUntested(DATANODE, MADE_WITH, cluster(declared))).isFalse();
  }

  /** It started after all with the image that it had. */
  @Test
  void waitsAgainOnceAllServeWithTheImageThatIsKept() {
    lastGood = NOTHING;
    observed = hdfs("host:5000/hbase:1").ready(DATANODE, 1, "ours/hbase:1").observed();

    assertThat(images(spec(MIRROR, "", "image: {tag: '1'}"))).containsOnly("ours/hbase:1");
  }

  @Test
  void appliedSpecOfARefusedResourceCountsAsFarAsTheResourceDeclaresTheSame() {
    var applied = spec("", "image: {tag: '3'}", "image: {tag: evil}");

    var images =
        InfrastructureImages.of(
            MADE_WITH, cluster(applied), spec("", "image: {tag: '3'}", ""), false, observed);

    assertThat(images).isEqualTo(new InfrastructureImages("ours/hbase:3", "ours/hbase:1"));
  }

  /** A name node that starts with it would be restarted with the former one in the middle. */
  @Test
  void refusedResourceTakesNoImageBackThatAStatefulSetHas() {
    var applied = spec("", "image: {tag: '3'}", "image: {tag: '4'}");
    observed =
        new SetsAndPods()
            .set(ZOOKEEPER, 1, "ours/hbase:1")
            .set(NAMENODE, 1, "ours/hbase:4")
            .set(DATANODE, 1, "ours/hbase:4")
            .starting(NAMENODE, 0, "ours/hbase:4")
            .observed();

    for (var refused : List.of(NOTHING, spec("", "", "image: {tag: '5'}"), spec(MIRROR, "", ""))) {
      assertThat(InfrastructureImages.of(MADE_WITH, cluster(applied), refused, false, observed))
          .as("ZooKeeper's is in no StatefulSet")
          .isEqualTo(new InfrastructureImages("ours/hbase:1", "ours/hbase:4"));
    }
  }

  /** Any writer of status may have left parts of a spec out. */
  @Test
  void specWithoutPartsDeclaresNothing() {
    lastApplied = Serialization.unmarshal("{}", HBaseClusterSpec.class);
    lastGood = lastApplied;

    assertThat(kept(MADE_WITH, NOTHING)).isEqualTo(MADE_WITH);
    assertThat(images(NOTHING)).containsOnly("ours/hbase:1");
  }

  /** Three servers of ZooKeeper, of which two serve. */
  private static SetsAndPods ensemble(String template) {
    return new SetsAndPods()
        .set(ZOOKEEPER, 3, template)
        .ready(ZOOKEEPER, 0, "ours/hbase:1")
        .ready(ZOOKEEPER, 1, "ours/hbase:1");
  }

  /** A name node and two data nodes, of which one serves. */
  private static SetsAndPods hdfs(String template) {
    return new SetsAndPods()
        .set(NAMENODE, 1, template)
        .set(DATANODE, 2, template)
        .ready(NAMENODE, 0, "ours/hbase:1")
        .ready(DATANODE, 0, "ours/hbase:1");
  }

  private Images kept(Images before, HBaseClusterSpec spec) {
    return InfrastructureImages.kept(before, cluster(spec), observed);
  }

  /** The images of ZooKeeper, the name node and the data nodes. */
  private String[] images(HBaseClusterSpec spec) {
    var images = InfrastructureImages.of(MADE_WITH, cluster(spec), spec, isRolledBack, observed);
    return new String[] {images.of(ZOOKEEPER), images.of(NAMENODE), images.of(DATANODE)};
  }

  private HBaseCluster cluster(HBaseClusterSpec spec) {
    var cluster = new HBaseCluster();
    cluster.setSpec(spec);
    cluster.setStatus(
        HBaseClusterStatus.empty().toBuilder()
            .appliedSpec(lastApplied)
            .lastGood(lastGood == null ? null : new LastGood(lastGood, null))
            .build());
    return cluster;
  }

  private static HBaseClusterSpec spec(String hbase, String zookeeper, String hdfs) {
    return Serialization.unmarshal(
        """
        ---
        %s
        zookeeper: {managed: {%s}}
        storage: {managed: {%s}}
        regionServers: {memory: {heap: 1Gi, offHeap: 512Mi}}
        """
            .formatted(hbase, zookeeper, hdfs),
        HBaseClusterSpec.class);
  }
}
