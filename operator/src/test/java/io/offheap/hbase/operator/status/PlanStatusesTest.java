package io.offheap.hbase.operator.status;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus.MemoryPlanStatus;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.declare.ObservedInputs;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.plan.BudgetItem;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.Provenance;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Target;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The plan in status, and the applied plan while the spec is refused. */
class PlanStatusesTest {
  private static final String SPEC =
      """
      {zookeeper: {external: {quorum: 'zk:2181'}},
       storage: {external: {rootDir: 'hdfs://ns/hbase'}},
       regionServers: {memory: {heap: 8Gi, offHeap: 4Gi}, config: {a.b: '1'}}}
      """;
  private static final String REFUSED =
      SPEC.replace("heap: 8Gi, offHeap: 4Gi", "heap: 8Gi, offHeap: 1Mi");

  @Test
  void summaryIsTheSizesOfARegionServer() {
    var status = PlanStatuses.of(plan());

    assertThat(status.hash()).isEqualTo(plan().hash());
    assertThat(status.heap()).isEqualTo("8g");
    assertThat(status.offHeap()).isEqualTo("4g");
    assertThat(status.container()).endsWith("Mi");
    assertThat(status.values()).hasSizeLessThan(4000);
  }

  @Test
  void readsItsOwnValues() {
    var read = PlanStatuses.read(PlanStatuses.of(plan())).orElseThrow();

    assertThat(read.hash()).isEqualTo(plan().hash());
    assertThat(read.budget()).isEqualTo(plan().budget());
    assertThat(declared(read)).isEqualTo(declared(plan())).contains("Xmx", "a.b");
  }

  @Test
  void valuesCanBeReadByPeople() {
    assertThat(PlanStatuses.of(plan()).values())
        .startsWith("{\"settings\":[[\"hbase-site\",\"hbase.regionserver.handler.count\",\"30\"")
        .contains("[\"jvm\",\"Xmx\",\"8g\",\"declared\"]", "\"budget\":{\"heap\":8589934592,");
  }

  @ParameterizedTest
  @EnumSource(Provenance.class)
  void keepsEachProvenance(Provenance provenance) {
    var setting =
        Setting.stored(Target.HBASE_SITE, "hfile.block.cache.size", "0.1", provenance, "", "Heavy");

    var read = read(setting);

    assertThat(read.provenance()).isEqualTo(provenance);
    if (provenance == Provenance.PROFILE) {
      assertThat(read.origin()).isEqualTo("profile Heavy").isEqualTo(setting.origin());
    }
  }

  /** Earlier versions stored the origin as a text for people. */
  @ParameterizedTest
  @CsvSource({
    "declared, DECLARED, declared",
    "tuned, TUNED, tuned",
    "profile Xiaomi, PROFILE, profile Xiaomi",
    "HBase practice at Xiaomi, DERIVED, HBase practice at Xiaomi"
  })
  void readsTheOriginsOfEarlierVersions(String stored, Provenance provenance, String origin) {
    var values =
        "{\"settings\":[[\"jvm\",\"Xmx\",\"1g\",\"" + stored + "\"]],\"budget\":{\"heap\":1}}";

    var setting = PlanStatuses.read(with(values)).orElseThrow().settings().get(0);

    assertThat(setting.provenance()).isEqualTo(provenance);
    assertThat(setting.origin()).isEqualTo(origin);
    assertThat(setting.typedValue()).isEqualTo(1L << 30);
  }

  /** A declared name or option may hold what a text of another form would be split at. */
  @Test
  void namesAndValuesMayHoldAnyCharacters() {
    var odd =
        List.of(
            odd(Target.HBASE_SITE, "a=b c/d", "=\"\n{}", Provenance.DECLARED),
            odd(Target.JVM, "-add-opens", "a=b", Provenance.DECLARED),
            odd(Target.JVM, "-add-opens", "c=d", Provenance.TUNED));
    var plan = new MemoryPlan(odd, List.of(new BudgetItem("heap", 1)));

    var read = PlanStatuses.read(PlanStatuses.of(plan)).orElseThrow();

    assertThat(read.hash()).isEqualTo(plan.hash());
    assertThat(read.settings()).extracting(Setting::origin).endsWith("declared", "tuned");
  }

  /** An operator that is upgraded while a spec is refused. */
  @Test
  void readsThePackedFormOfTheVersionBefore() throws IOException {
    var packed =
        packed(
            "{\"settings\":[{\"target\":\"hbase-site\",\"key\":\"hfile.block.cache.size\","
                + "\"value\":\"0.1\",\"source\":\"HBase practice at Xiaomi\"},"
                + "{\"target\":\"jvm\",\"key\":\"Xmx\",\"value\":\"1g\",\"source\":\"declared\"}],"
                + "\"budget\":[{\"item\":\"heap\",\"bytes\":1073741824}]}");

    var read = AppliedPlans.of(new Plans(), cluster(with(packed))).get(0).plan();

    assertThat(read.hbaseSite()).containsExactly(Map.entry("hfile.block.cache.size", "0.1"));
    assertThat(read.jvmOptions()).containsExactly("-Xmx1g");
    assertThat(declared(read)).containsExactly("Xmx");
    assertThat(read.containerMemoryBytes()).isEqualTo(1 << 30);
    var next = PlanStatuses.of(read);
    assertThat(next.values()).as("the next status").startsWith("{");
    assertThat(PlanStatuses.read(next).orElseThrow().hash()).isEqualTo(read.hash());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "no base64!",
        "AAAA",
        "H4sIAAAAAAAA/6uuBQBDv6ajAgAAAA==",
        "{",
        "{}",
        "{\"settings\":[[]],\"budget\":{}}",
        "{\"settings\":[[\"jvm\",\"Xmx\",null]],\"budget\":{}}",
        "{\"settings\":[[\"jvm\",\"Xmx\",\"1g\",\"moon\",\"\"]],\"budget\":{}}",
        "{\"settings\":[[\"moon\",\"Xmx\",\"1g\"]],\"budget\":{}}",
        "{\"settings\":[],\"budget\":{\"heap\":null}}",
      })
  void ignoresForeignValues(String values) {
    assertThat(PlanStatuses.read(with(values))).isEmpty();
  }

  /** A text of some kilobytes must not take all memory when it is unpacked. */
  @Test
  void ignoresValuesOfHugeUnpackedSize() throws IOException {
    assertThat(PlanStatuses.read(with(packed("[" + " ".repeat(64 * 1024 * 1024))))).isEmpty();
  }

  @Test
  void refusedSpecKeepsAppliedPlanWithReasons() {
    var last = AppliedPlans.of(new Plans(), cluster(PlanStatuses.of(plan()))).get(0);

    assertThat(last.plan()).isEqualTo(plan());
  }

  /** This operator version has another plan for the applied spec than the one that applied it. */
  @Test
  void planOfAnotherVersionIsKeptWhileSpecIsRefused() {
    var settings =
        plan().settings().stream()
            .map(
                it ->
                    it.name().equals("hbase.regionserver.handler.count")
                        ? Setting.stored(
                            it.target(), it.name(), "17", it.provenance(), "", it.source())
                        : it)
            .toList();
    var earlier = new MemoryPlan(settings, plan().budget());

    var last = AppliedPlans.of(new Plans(), cluster(PlanStatuses.of(earlier))).get(0);

    assertThat(last.plan().hash()).isEqualTo(earlier.hash());
    assertThat(last.plan().hbaseSite()).containsEntry("hbase.regionserver.handler.count", "17");
  }

  /** The previous version wrote reasons with the values, fields that the CRD has no more. */
  @Test
  void planOfAStatusWithoutValuesFollowsFromItsSpec() {
    var status = new MemoryPlanStatus("0123456789", null, null, null, null);

    var last = AppliedPlans.of(new Plans(), cluster(status)).get(0);

    assertThat(last.plan()).isEqualTo(plan());
  }

  @Test
  void readsStatusOfPreviousVersion() {
    var cluster =
        Serialization.unmarshal(
            "---\n{spec: "
                + REFUSED
                + ", status: {appliedSpec: "
                + SPEC
                + ", lastGood: {spec: "
                + SPEC
                + "}, memoryPlan: {hash: a, settings: [{target: jvm, key: Xmx, value: 1g}],"
                + " budget: [{item: heap, bytes: 1}]}}}",
            HBaseCluster.class);

    var last = AppliedPlans.of(new Plans(), cluster).get(0);

    assertThat(last.plan()).isEqualTo(plan());
    assertThat(cluster.getStatus().good().spec()).isEqualTo(cluster.getStatus().appliedSpec());
  }

  private static Setting read(Setting setting) {
    var plan = new MemoryPlan(List.of(setting), List.of(new BudgetItem("heap", 1)));
    return PlanStatuses.read(PlanStatuses.of(plan)).orElseThrow().settings().get(0);
  }

  private static Setting odd(Target target, String name, String text, Provenance provenance) {
    return Setting.stored(target, name, text, provenance, "", "");
  }

  private static List<String> declared(MemoryPlan plan) {
    return plan.settings().stream()
        .filter(it -> it.provenance() == Provenance.DECLARED)
        .map(Setting::name)
        .toList();
  }

  private static MemoryPlanStatus with(String values) {
    return new MemoryPlanStatus("0123456789", null, null, null, values);
  }

  private static String packed(String json) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(bytes)) {
      gzip.write(json.getBytes(UTF_8));
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }

  private static MemoryPlan plan() {
    var cluster = Serialization.unmarshal("spec: " + SPEC, HBaseCluster.class);
    var plans = (ClusterPlan.Planned) new Plans().of(cluster, ObservedInputs.NOTHING);
    return plans.groups().get(0).plan();
  }

  /** With a refused spec. */
  private static HBaseCluster cluster(MemoryPlanStatus plan) {
    return Serialization.unmarshal(
        "---\n{spec: "
            + REFUSED
            + ", status: {appliedSpec: "
            + SPEC
            + ", memoryPlan: "
            + Serialization.asJson(plan)
            + "}}",
        HBaseCluster.class);
  }
}
