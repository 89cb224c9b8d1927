package io.offheap.hbase.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterSpecBuilder;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.Images;
import io.offheap.hbase.operator.api.HBaseClusterStatus.LastGood;
import io.offheap.hbase.operator.api.HBaseClusterStatusBuilder;
import io.offheap.hbase.operator.api.RolloutStatus.RolledBack;
import io.offheap.hbase.operator.api.ZooKeeperSpec;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.deploy.Role;
import io.offheap.hbase.operator.deploy.RoleModel;
import io.offheap.hbase.operator.observe.ObservedImages;
import io.offheap.hbase.operator.status.FittedPlans;
import io.offheap.hbase.operator.status.PlanStatuses;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is applied of a change that was rolled back. */
class AppliedTest {
  private static final String IMAGE = "hbase:1";

  @Test
  void rollbackTakesReferencesOfHdfsBackForAllRoles() {
    var good = cluster("external: {rootDir: 'hdfs://ns/hbase', configMapRefs: [{name: good}]}");
    var now =
        rolledBack(
            cluster("external: {rootDir: 'hdfs://ns/hbase', configMapRefs: [{name: bad}]}"), good);

    var applied = applied(now);

    assertThat(applied.rolledBack()).hasSize(1);
    assertThat(roles(applied))
        .filteredOn(it -> it.role().isHBase())
        .hasSize(2)
        .allSatisfy(it -> assertThat(it.extraConfigMaps()).containsExactly("good"));
    assertThat(applied.cluster().getSpec()).as("declared").isEqualTo(now.getSpec());
    assertThat(applied.halted()).isEmpty();
  }

  @Test
  void rollbackMakesDataNodesNoFewer() {
    var good = cluster("managed: {dataNodes: 1, replication: 1}");
    var now = rolledBack(cluster("managed: {dataNodes: 3, replication: 3}"), good);

    var applied = applied(now);

    assertThat(roles(applied))
        .filteredOn(it -> it.role() == Role.DATANODE)
        .singleElement()
        .satisfies(it -> assertThat(it.replicas()).isEqualTo(3));
    assertThat(applied.deployed().getSpec().storage().managed().replication()).isEqualTo(1);
  }

  @Test
  void withoutAnythingToGoBackToWhatIsDeclaredStays() {
    var now = cluster("external: {rootDir: 'hdfs://ns/hbase', configMapRefs: [{name: bad}]}");
    now = rolledBack(now, null);

    var applied = applied(now);

    assertThat(applied.deployed()).isSameAs(now);
    assertThat(applied.halted()).containsExactly("");
  }

  /** A name node does not start with the files of a later version. */
  @Test
  void rollbackKeepsImageOfHdfs() {
    var good = cluster("managed: {image: {tag: '1'}}");
    var now = rolledBack(cluster("managed: {image: {tag: '2'}}"), good);

    assertThat(roles(applied(now)))
        .filteredOn(it -> !it.role().isHBase())
        .extracting(RoleModel::image)
        .containsOnly("hbase:2");
  }

  /**
   * They are no part of a change of HBase. Rolled back, they would restart pods that serve; and a
   * rollout that is half done may wait for pods that serve nothing with the last good heap.
   */
  @Test
  void rollbackKeepsFieldsOfThePodsOfZooKeeperAndHdfs() {
    var good = managed("", "");
    var now =
        managed(
            "heap: 1Gi, config: {maxClientCnxns: '10'}, podTemplate: {metadata: {labels: {a: b}}}",
            "nameNode: {heap: 2Gi}, dataNode: {config: {dfs.datanode.handler.count: '20'}}");
    var declared = infrastructure(applied(now));

    var applied = applied(rolledBack(now, good));

    assertThat(applied.rolledBack()).hasSize(1);
    assertThat(infrastructure(applied)).hasSize(3).isEqualTo(declared);
  }

  /** Each role restarts for its own image alone. */
  @Test
  void imageOfHdfsChangesNoOtherPod() {
    var before = roles(applied(cluster("managed: {}")));
    var after = roles(applied(cluster("managed: {image: {tag: '2'}}")));

    assertThat(after).hasSameSizeAs(before);
    for (int i = 0; i < after.size(); i++) {
      var role = after.get(i);
      boolean isHdfs = role.role() == Role.NAMENODE || role.role() == Role.DATANODE;
      assertThat(role.image()).as(role.name()).isEqualTo(isHdfs ? "hbase:2" : "hbase:1");
      assertThat(role.declared().equals(before.get(i).declared()))
          .as(role.name())
          .isEqualTo(!isHdfs);
    }
  }

  /** HBase's canary has refuted it, or its image could not be pulled. */
  @Test
  void rolledBackRepositoryReachesNoPodOfHdfs() {
    var good = cluster("repository: ok/hbase, tag: '2'", "managed: {image: {tag: '2'}}");
    for (var tag : List.of("2", "3")) {
      var now =
          rolledBack(
              cluster("repository: oK/hbaes, tag: '2'", "managed: {image: {tag: '" + tag + "'}}"),
              good);
      keeping(now, "ok/hbase:2");

      assertThat(imagesOfHdfs(applied(now))).as(tag).containsOnly("ok/hbase:2");
    }
  }

  /** A rollback for another reason holds no renewal. */
  @Test
  void rollbackHoldsNoImageOfTheSameRepository() {
    var good = cluster("repository: ok/hbase, tag: '2'", "managed: {image: {tag: '2'}}");
    var now =
        rolledBack(cluster("repository: ok/hbase, tag: '3'", "managed: {image: {tag: '3'}}"), good);
    keeping(now, "ok/hbase:2");

    assertThat(imagesOfHdfs(applied(now))).containsOnly("ok/hbase:3");
  }

  @Test
  void anotherRepositoryWaitsUntilHBaseServesWithIt() {
    var before = cluster("repository: ok/hbase, tag: '2'", "managed: {image: {tag: '2'}}");
    var now = cluster("repository: mirror/hbase, tag: '2'", "managed: {image: {tag: '2'}}");
    now.setStatus(
        HBaseClusterStatus.empty().toBuilder()
            .appliedSpec(before.getSpec())
            .lastGood(LastGood.ofApplied())
            .build());
    keeping(now, "ok/hbase:2");
    assertThat(imagesOfHdfs(applied(now))).containsOnly("ok/hbase:2");

    now.setStatus(now.getStatus().toBuilder().appliedSpec(now.getSpec()).build());
    assertThat(imagesOfHdfs(applied(now))).containsOnly("mirror/hbase:2");
  }

  @Test
  void removalOfAnImageThatNeverServedTakesItBack() {
    var declared = cluster("managed: {image: {tag: '2'}}");
    var then = applied(declared);
    assertThat(imagesOfHdfs(then)).containsOnly("hbase:2");

    var now = cluster("managed: {}");
    now.setStatus(
        HBaseClusterStatus.empty().toBuilder()
            .appliedSpec(declared.getSpec())
            .images(then.images())
            .build());

    assertThat(imagesOfHdfs(applied(now))).containsOnly("hbase:1");
  }

  /** The policy on images cannot parse the text of the applied spec. */
  @Test
  void appliedSpecDeclaresNoImageThatTheResourceDoesNotDeclare() {
    var refused = cluster("managed: {}");
    var text = cluster("managed: {image: {tag: evil}}");
    refused.setStatus(refusedStatus(text, refused));

    assertThat(
            imagesOfHdfs(
                Applied.last(new Plans(), refused, IMAGE, ObservedImages.NONE).orElseThrow()))
        .containsOnly("hbase:1");
  }

  /** A resource that is refused for something else changes nothing that runs. */
  @Test
  void refusedSpecWithTheSameImageKeepsIt() {
    var refused = cluster("managed: {image: {tag: '2'}}");
    refused.setStatus(refusedStatus(refused, refused));

    assertThat(
            imagesOfHdfs(
                Applied.last(new Plans(), refused, IMAGE, ObservedImages.NONE).orElseThrow()))
        .containsOnly("hbase:2");
  }

  /** Any writer of the status may have written it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "external: {rootDir: 'hdfs://ns/hbase'} | external: {rootDir: 'hdfs://ns/other'} |"
            + " another ZooKeeper or HDFS",
        "managed: {} | external: {rootDir: 'hdfs://ns/hbase'} | another ZooKeeper or HDFS",
        "managed: {} | managed: {storage: {size: 1Gi}} | another ZooKeeper or HDFS",
        "managed: {} | managed: {storage: {size: 1x}} | a size that is no quantity",
        "managed: {} | managed: {dataNodes: 1001} | more data nodes",
      })
  void specOfStatusThatCannotHaveBeenDeclaredIsNotApplied(
      String declared, String stored, String problem) {
    var refused = cluster(declared);
    refused.setStatus(refusedStatus(cluster(stored), refused));

    assertThatThrownBy(() -> Applied.last(new Plans(), refused, IMAGE, ObservedImages.NONE))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("status.appliedSpec")
        .hasMessageContaining(problem);

    var rolledBack = rolledBack(cluster(declared), cluster(stored));
    assertThat(applied(rolledBack).deployed().getSpec()).isEqualTo(rolledBack.getSpec());
    assertThat(applied(rolledBack).halted()).as("no last good one").containsExactly("");
  }

  /** An operator with one check more undoes no rollback, and stops no reconciliation. */
  @Test
  void specOfStatusThatANewCheckRefusesIsApplied() {
    var stored = "managed: {dataNodes: 3, replication: 4}";
    var refused = cluster("managed: {dataNodes: 3}");
    refused.setStatus(refusedStatus(cluster(stored), refused));

    assertThat(Applied.last(new Plans(), refused, IMAGE, ObservedImages.NONE)).isPresent();
    var rolledBack = rolledBack(cluster("managed: {dataNodes: 3}"), cluster(stored));
    assertThat(applied(rolledBack).deployed().getSpec().storage().managed().replication())
        .isEqualTo(4);
  }

  /** Kubernetes would delete the claims with the StatefulSet. */
  @Test
  void specOfStatusKeepsTheDeclaredClaims() {
    var stored = "managed: {storage: {deleteClaim: true}}";
    var refused = cluster("managed: {storage: {deleteClaim: false}}");
    refused.setStatus(refusedStatus(cluster(stored), refused));
    var rolledBack =
        rolledBack(cluster("managed: {storage: {deleteClaim: false}}"), cluster(stored));

    for (var applied :
        List.of(
            Applied.last(new Plans(), refused, IMAGE, ObservedImages.NONE).orElseThrow(),
            applied(rolledBack))) {
      var storage = applied.deployed().getSpec().storage().managed().storage();
      assertThat(storage.deleteClaim()).isFalse();
    }
  }

  /** Each data node that ends takes its blocks with it. */
  @Test
  void specOfStatusMakesDataNodesNoFewer() {
    var refused = cluster("managed: {dataNodes: 3}");
    refused.setStatus(refusedStatus(cluster("managed: {dataNodes: 1}"), refused));
    var set =
        new StatefulSetBuilder()
            .withNewMetadata()
            .addToLabels(Labels.COMPONENT, Role.DATANODE.text())
            .endMetadata()
            .withNewSpec()
            .withReplicas(5)
            .endSpec()
            .build();

    var applied =
        Applied.last(
                new Plans(),
                refused,
                IMAGE,
                new ObservedImages(List.of(set), List.of(), Instant.EPOCH))
            .orElseThrow();

    assertThat(roles(applied))
        .filteredOn(it -> it.role() == Role.DATANODE)
        .singleElement()
        .satisfies(it -> assertThat(it.replicas()).isEqualTo(3));
  }

  /** A status with an applied spec and its plan. */
  private static HBaseClusterStatus refusedStatus(HBaseCluster applied, HBaseCluster planned) {
    return HBaseClusterStatus.empty().toBuilder()
        .appliedSpec(applied.getSpec())
        .memoryPlan(PlanStatuses.of(applied(planned).plans().get(0).plan()))
        .images(new Images(IMAGE, IMAGE))
        .build();
  }

  /** Lets status have an image of HDFS. */
  private static void keeping(HBaseCluster cluster, String hdfs) {
    cluster.setStatus(
        cluster.getStatus().toBuilder().images(new Images(IMAGE, IMAGE, null, hdfs)).build());
  }

  private static List<String> imagesOfHdfs(Applied applied) {
    return infrastructure(applied).stream().map(RoleModel::image).toList();
  }

  private static List<RoleModel> infrastructure(Applied applied) {
    return roles(applied).stream().filter(it -> !it.role().isHBase()).toList();
  }

  private static List<RoleModel> roles(Applied applied) {
    return Models.of(applied, new HeldReplicas()).roles();
  }

  private static Applied applied(HBaseCluster cluster) {
    var plans = FittedPlans.of(new Plans(), cluster, Optional.empty(), Set.of());
    return Applied.of(
        new Plans(),
        cluster,
        ((ClusterPlan.Planned) plans.result()).groups(),
        Optional.empty(),
        IMAGE,
        ObservedImages.NONE);
  }

  private static HBaseCluster rolledBack(HBaseCluster cluster, HBaseCluster good) {
    var declared = applied(cluster).groups().get(0).declared();
    cluster.setStatus(
        new HBaseClusterStatusBuilder()
            .observedGeneration(1L)
            .appliedSpec(cluster.getSpec())
            .lastGood(good == null ? null : new LastGood(good.getSpec(), null))
            .rolledBack(
                List.of(
                    new RolledBack("", declared, "CanaryWorse", List.of(), "2026-11-23T00:00:00Z")))
            .build());
    return cluster;
  }

  private static HBaseCluster cluster(String storage) {
    return cluster("", storage);
  }

  private static HBaseCluster managed(String zookeeper, String hdfs) {
    var cluster = cluster("managed: {" + hdfs + "}");
    var managed = Serialization.unmarshal("---\nmanaged: {" + zookeeper + "}", ZooKeeperSpec.class);
    cluster.setSpec(HBaseClusterSpecBuilder.builder(cluster.getSpec()).zookeeper(managed).build());
    return cluster;
  }

  private static HBaseCluster cluster(String image, String storage) {
    return Serialization.unmarshal(
        """
        apiVersion: hbase.offheap.io/v1alpha1
        kind: HBaseCluster
        metadata: {name: demo, namespace: test, generation: 1}
        spec:
          image: {%s}
          zookeeper: {external: {quorum: 'zk:2181'}}
          storage: {%s}
          regionServers: {memory: {heap: 8Gi, offHeap: 4Gi}}
        """
            .formatted(image, storage),
        HBaseCluster.class);
  }
}
