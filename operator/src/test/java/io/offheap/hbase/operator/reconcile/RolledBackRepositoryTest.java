package io.offheap.hbase.operator.reconcile;

import static io.offheap.hbase.operator.deploy.Role.DATANODE;
import static io.offheap.hbase.operator.deploy.Role.NAMENODE;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.Images;
import io.offheap.hbase.operator.api.HBaseClusterStatus.LastGood;
import io.offheap.hbase.operator.api.RolloutStatus.RolledBack;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.deploy.RoleModel;
import io.offheap.hbase.operator.observe.Observation;
import io.offheap.hbase.operator.observe.ObservedHBase;
import io.offheap.hbase.operator.observe.ObservedImages;
import io.offheap.hbase.operator.observe.SetsAndPods;
import io.offheap.hbase.operator.rollout.RestartDecision;
import io.offheap.hbase.operator.rollout.RestartDecision.Done;
import io.offheap.hbase.operator.rollout.RestartDecision.Restart;
import io.offheap.hbase.operator.rollout.RolloutRules;
import io.offheap.hbase.operator.rollout.RolloutSnapshot;
import io.offheap.hbase.operator.status.FittedPlans;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * HBase's change to another repository is rolled back. A data node that could not start with the
 * former one has got it already, since HBase would have waited for that pod.
 */
class RolledBackRepositoryTest {
  private static final String FORMER = "former/hbase:1";
  private static final String MIRROR = "mirror/hbase:1";

  /** The former image cannot be pulled: a restart with it would take the data node away. */
  @Test
  void restartsNoPodThatServes() {
    var observed = hdfs().ready(DATANODE, 0, FORMER).ready(DATANODE, 1, MIRROR).observed();

    assertThat(images(observed)).containsOnly(MIRROR);
    assertThat(decide(observed)).isEqualTo(new Done());
  }

  @Test
  void podThatCannotStartGetsTheImageThatServes() {
    var observed = hdfs().withoutImage(DATANODE, 0, FORMER).ready(DATANODE, 1, MIRROR).observed();

    assertThat(images(observed)).containsOnly(MIRROR);
    assertThat(decide(observed)).isEqualTo(new Restart("hb-datanode-0", false));
  }

  /** Safe mode, a full disk: it serves again with its own image, and may not with another. */
  @Test
  void nameNodeThatServesNothingForAWhileIsLeft() {
    var observed =
        hdfs().starting(NAMENODE, 0, FORMER).ready(DATANODE, 0, FORMER).ready(DATANODE, 1, MIRROR);

    assertThat(images(observed.observed())).containsOnly(MIRROR);
    assertThat(decide(observed.observed())).isNotInstanceOf(Restart.class);
  }

  /** It was evicted, and made from the template that is for the data node. */
  @Test
  void imageWithWhichTheNameNodeCannotStartIsRolledBack() {
    var observed =
        hdfs()
            .withoutImage(NAMENODE, 0, MIRROR)
            .ready(DATANODE, 0, FORMER)
            .ready(DATANODE, 1, MIRROR)
            .observed();

    assertThat(images(observed)).containsOnly(FORMER);
    assertThat(decide(observed)).isEqualTo(new Restart("hb-namenode-0", false));
  }

  @Test
  void podThatIsBeingMadeOrStartsIsLeft() {
    var missing = hdfs().ready(DATANODE, 0, FORMER);
    assertThat(images(missing.observed())).containsOnly(MIRROR);
    assertThat(images(missing.starting(DATANODE, 1, MIRROR).observed())).containsOnly(MIRROR);
  }

  /** For example because no registry has it, which is why the change is rolled back. */
  @Test
  void imageThatDoesNotStartIsRolledBack() {
    var observed = hdfs().ready(DATANODE, 0, FORMER).withoutImage(DATANODE, 1, MIRROR).observed();

    assertThat(images(observed)).containsOnly(FORMER);
    assertThat(decide(observed)).isEqualTo(new Restart("hb-datanode-1", false));
  }

  /** The rollback came before any pod was made with it. */
  @Test
  void imageThatNoPodHasIsRolledBack() {
    var observed = hdfs().ready(DATANODE, 0, FORMER).withoutImage(DATANODE, 1, FORMER).observed();

    assertThat(images(observed)).containsOnly(FORMER);
  }

  private static SetsAndPods hdfs() {
    return new SetsAndPods()
        .set(NAMENODE, 1, MIRROR)
        .set(DATANODE, 2, MIRROR)
        .ready(NAMENODE, 0, FORMER);
  }

  private static List<String> images(ObservedImages observed) {
    return roles(applied(observed)).stream()
        .filter(it -> !it.role().isHBase())
        .map(RoleModel::image)
        .toList();
  }

  private static RestartDecision decide(ObservedImages observed) {
    var applied = applied(observed);
    var model = Models.of(applied, new HeldReplicas());
    var observation =
        new Observation(
            model,
            observed.pods(),
            observed.sets().stream()
                .map(it -> withTemplate(it, roles(applied)))
                .collect(Collectors.toMap(it -> it.getMetadata().getName(), Function.identity())),
            Map.of(),
            roles(applied).stream().collect(Collectors.toMap(RoleModel::name, RoleModel::image)),
            roles(applied).stream().collect(Collectors.toMap(RoleModel::name, RoleModel::replicas)),
            new ObservedHBase(
                Optional.empty(),
                Optional.empty(),
                Set.of(),
                Set.of(),
                List.of(),
                List.of(),
                List.of(),
                observed.now()));
    var rules = new RolloutRules(1, Duration.ZERO, Duration.ZERO, Optional.empty(), false, true);
    return RestartDecision.of(
        observation.infrastructure(applied::isForRepairAlone),
        RolloutSnapshot.at(observed.now()).rules(rules).build(),
        false);
  }

  /** As this pass has written it, and the controller has seen it. */
  private static StatefulSet withTemplate(StatefulSet set, List<RoleModel> roles) {
    var image =
        roles.stream()
            .filter(it -> it.name().equals(set.getMetadata().getName()))
            .map(RoleModel::image)
            .findFirst()
            .orElseThrow();
    return new StatefulSetBuilder(set)
        .editSpec()
        .editTemplate()
        .editMetadata()
        .addToAnnotations(Labels.TEMPLATE_HASH, image)
        .endMetadata()
        .endTemplate()
        .endSpec()
        .withNewStatus()
        .endStatus()
        .build();
  }

  private static List<RoleModel> roles(Applied applied) {
    return Models.of(applied, new HeldReplicas()).roles();
  }

  private static Applied applied(ObservedImages observed) {
    var cluster = cluster("mirror/hbase");
    var declared = applied(cluster, observed).groups().get(0).declared();
    cluster.setStatus(
        HBaseClusterStatus.empty().toBuilder()
            .appliedSpec(cluster.getSpec())
            .lastGood(new LastGood(cluster("former/hbase").getSpec(), null))
            .images(new Images(FORMER, FORMER))
            .rolledBack(
                List.of(
                    new RolledBack(
                        "", declared, "CanaryWorse", List.of(), Instant.EPOCH.toString())))
            .build());
    return applied(cluster, observed);
  }

  private static Applied applied(HBaseCluster cluster, ObservedImages observed) {
    var plans = FittedPlans.of(new Plans(), cluster, Optional.empty(), Set.of());
    return Applied.of(
        new Plans(),
        cluster,
        ((ClusterPlan.Planned) plans.result()).groups(),
        Optional.empty(),
        FORMER,
        observed);
  }

  private static HBaseCluster cluster(String repository) {
    return Serialization.unmarshal(
        """
        apiVersion: hbase.offheap.io/v1alpha1
        kind: HBaseCluster
        metadata: {name: hb, namespace: test, generation: 1}
        spec:
          image: {repository: %s, tag: '1'}
          zookeeper: {external: {quorum: 'zk:2181'}}
          storage: {managed: {image: {tag: '1'}, dataNodes: 2}}
          regionServers: {memory: {heap: 8Gi, offHeap: 4Gi}}
        """
            .formatted(repository),
        HBaseCluster.class);
  }
}
