package io.offheap.hbase.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.Slow;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.declare.PodRights;
import io.offheap.hbase.operator.deploy.ClusterModel;
import io.offheap.hbase.operator.deploy.StatefulSets;
import io.offheap.hbase.operator.hbase.LiveTables;
import io.offheap.hbase.operator.observe.ObservedImages;
import io.offheap.hbase.operator.observe.ObservedTables;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.PlanProblem;
import io.offheap.hbase.operator.plan.TableBlocks;
import io.offheap.hbase.operator.plan.Target;
import io.offheap.hbase.operator.property.DeclaredTexts;
import io.offheap.hbase.operator.property.HadoopFile;
import io.offheap.hbase.operator.render.OnlineKeys;
import io.offheap.hbase.operator.status.Conditions;
import io.offheap.hbase.operator.status.PlanStatuses;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

/**
 * Any declared text in a reconciliation, from its admission to what is deployed and stored: a plan
 * whose files contain it, or a refusal that keeps what is applied; never an exception.
 */
class AdmittedTextsPropertyTest {
  private static final SpecAdmission ADMISSION = new SpecAdmission("hbase:1", PodRights.NONE);
  private static final List<PlanProblem> NONE = List.of();

  private static final ObservedTables NO_TABLES = new ObservedTables(Optional.empty(), 0);

  /** Tables that a plan counts, and data that a working set follows. */
  private static final ObservedTables TABLES =
      new ObservedTables(
          Optional.of(
              new LiveTables(
                  List.of(new TableBlocks("t:f", 262_144, 0, 0, 2_048)), Set.of(), true)),
          1L << 40);

  private static final Applied BEFORE = before();

  @Provide
  Arbitrary<HBaseCluster> clusters() {
    return DeclaredTexts.clusters();
  }

  @Property
  @Slow
  void admitsOrRefuses(
      @ForAll("clusters") HBaseCluster cluster,
      @ForAll boolean hasTables,
      @ForAll boolean isApplied) {
    identify(cluster);
    if (isApplied) {
      cluster.setStatus(
          HBaseClusterStatus.empty().toBuilder()
              .observedGeneration(1L)
              .appliedSpec(BEFORE.cluster().getSpec())
              .memoryPlan(PlanStatuses.of(plan(BEFORE)))
              .images(BEFORE.images())
              .build());
    }
    var conditions = new Conditions(cluster, Clock.systemUTC());

    var admitted = admit(cluster, hasTables ? TABLES : NO_TABLES, conditions);

    boolean isRefused = isRefused(conditions);
    assertThat(admitted.isPresent()).isEqualTo(isApplied || !isRefused);
    if (!isRefused) {
      assertDeployed(admitted.get());
    } else if (isApplied) {
      assertThat(plan(admitted.get())).isEqualTo(plan(BEFORE));
      assertThat(admitted.get().cluster().getSpec()).isEqualTo(BEFORE.cluster().getSpec());
    }
    Statistics.collect(isRefused);
    Statistics.coverage(it -> it.check(true).percentage(share -> share > 5 && share < 95));
  }

  /** One of few keys and few texts, which a run of random ones can miss. */
  @Example
  void deploysAnOnlineKey() {
    var cluster = DeclaredTexts.withConfig("hbase.hstore.compaction.min", "\t5\n");
    identify(cluster);

    var admitted = admit(cluster, NO_TABLES, new Conditions(cluster, Clock.systemUTC()));

    assertThat(plan(admitted.orElseThrow()).hbaseSite())
        .containsEntry("hbase.hstore.compaction.min", "\t5\n");
    assertDeployed(admitted.orElseThrow());
  }

  private static Applied before() {
    var cluster = DeclaredTexts.plain();
    identify(cluster);
    var conditions = new Conditions(cluster, Clock.systemUTC());
    var applied = admit(cluster, NO_TABLES, conditions).orElseThrow();
    assertDeployed(applied);
    return applied;
  }

  private static void identify(HBaseCluster cluster) {
    cluster.getMetadata().setNamespace("ns");
    cluster.getMetadata().setUid("1");
    cluster.getMetadata().setGeneration(2L);
  }

  private static Optional<Applied> admit(
      HBaseCluster cluster, ObservedTables tables, Conditions conditions) {
    var admitted =
        ADMISSION.admit(new Plans(), cluster, NONE, NONE, tables, ObservedImages.NONE, conditions);
    assertThat(conditions.list())
        .filteredOn(it -> it.getType().equals("Planned"))
        .singleElement()
        .satisfies(it -> assertThat(it.getMessage()).isNotBlank())
        .satisfies(
            it ->
                assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(it.getMessage()))
                    .isTrue());
    return admitted;
  }

  private static boolean isRefused(Conditions conditions) {
    return conditions.list().stream()
        .anyMatch(it -> it.getType().equals("Planned") && it.getStatus().equals("False"));
  }

  private static MemoryPlan plan(Applied applied) {
    return applied.plans().get(0).plan();
  }

  /** What is deployed has the plan, and what outlives the resource is read as it was written. */
  private static void assertDeployed(Applied applied) {
    var model =
        ClusterModel.of(
            applied.deployed(), applied.groups(), applied.image(), applied.infrastructure()::of);
    assertThat(model.roles())
        .allSatisfy(it -> assertThat(StatefulSets.templateHash(model, it)).isNotBlank());
    var servers = model.regionServers().get(0);
    var files = servers.configFiles();
    var plan = plan(applied);
    assertThat(files.get("jvm.options").lines().map(String::strip).toList())
        .isEqualTo(plan.jvmOptions());
    var site = HadoopFile.read(files.get("hbase-site.xml"));
    var online = HadoopFile.read(servers.online().orElseThrow().files().get(OnlineKeys.FILE));
    plan.hbaseSite()
        .forEach(
            (key, value) -> {
              boolean isOnline = OnlineKeys.contains(Target.HBASE_SITE, key, value);
              assertThat((isOnline ? online : site).getRaw(key)).as(key).isEqualTo(value);
              assertThat((isOnline ? site : online).getRaw(key)).as(key).isNull();
            });
    var remembered = Remembered.of(applied, Optional.empty());
    assertThat(Remembered.read(remembered.text(), problem -> {})).isEqualTo(remembered);
  }
}
