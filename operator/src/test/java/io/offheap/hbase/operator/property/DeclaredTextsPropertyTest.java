package io.offheap.hbase.operator.property;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.declare.ClusterChecks;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.declare.ObservedInputs;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.declare.RolloutSettings;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.PlanProblem;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Target;
import io.offheap.hbase.operator.render.ConfigFiles;
import io.offheap.hbase.operator.render.HadoopXml;
import io.offheap.hbase.operator.render.Topology;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

/**
 * For any declared text there is a plan whose files contain it, or a refusal that names the field;
 * never an exception, which would end the reconciliation.
 */
class DeclaredTextsPropertyTest {
  private static final Topology TOPOLOGY =
      new Topology(
          new Topology.ZooKeeper("zk:2181", "/hbase", List.of()),
          "hdfs://ns/hbase",
          Optional.empty());

  @Provide
  Arbitrary<Resource> resources() {
    return DeclaredTexts.resources();
  }

  @Property
  void rendersPlanOrRefuses(@ForAll("resources") Resource resource) {
    var planned = planned(resource);

    planned.ifPresent(DeclaredTextsPropertyTest::assertRendered);
    Statistics.collect(planned.isPresent());
    Statistics.coverage(it -> it.check(true).percentage(share -> share > 5 && share < 95));
  }

  /**
   * Each key with each text would be ten thousand plans; each text with each kind of key is few.
   */
  @Example
  void rendersOrRefusesEachKeyWithFractionAndEachText() {
    for (var setting : DeclaredTexts.KNOWN) {
      for (var mode : List.of("OffHeap", "File")) {
        planned(declare(DeclaredTexts.resource(mode), setting, "10240.5"))
            .ifPresent(DeclaredTextsPropertyTest::assertRendered);
      }
    }
    for (var text : OddTexts.TEXTS) {
      planned(DeclaredTexts.resource("File").withConfig("hbase.bucketcache.size", text))
          .ifPresent(DeclaredTextsPropertyTest::assertRendered);
    }
  }

  @Provide
  Arbitrary<String> texts() {
    return OddTexts.any();
  }

  @Property
  void parsesDurationOrReturnsEmpty(@ForAll("texts") String text) {
    for (var time : List.of(text, text + "h", "1h" + text + "m")) {
      assertThat(RolloutSettings.duration(time).filter(it -> it.isNegative() || it.isZero()))
          .isEmpty();
    }
  }

  private static Resource declare(Resource resource, Setting setting, String value) {
    return setting.target() == Target.JVM
        ? resource.withJvmOption(KnownKeys.option(setting.name(), value))
        : resource.withConfig(setting.name(), value);
  }

  /** Checks and plan as in a reconciliation. */
  private static Optional<MemoryPlan> planned(Resource resource) {
    var cluster = resource.cluster();
    var checks = ClusterChecks.problems(cluster);
    assertAreProblems(checks);
    var plans = new Plans().of(cluster, ObservedInputs.NOTHING);
    if (plans instanceof ClusterPlan.Refused refused) {
      assertThat(refused.problems()).isNotEmpty();
      assertAreProblems(refused.problems());
      return Optional.empty();
    }
    return checks.isEmpty()
        ? Optional.of(((ClusterPlan.Planned) plans).groups().get(0).plan())
        : Optional.empty();
  }

  private static void assertAreProblems(List<PlanProblem> problems) {
    assertThat(problems)
        .allSatisfy(
            problem -> {
              assertThat(problem.field()).startsWith("spec.").hasSizeLessThan(1000);
              assertThat(problem.message()).hasSizeBetween(10, 10_000);
              assertThat(problem.toString().chars().noneMatch(Character::isISOControl)).isTrue();
              assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(problem.toString()))
                  .isTrue();
            });
  }

  private static void assertRendered(MemoryPlan plan) {
    var files = ConfigFiles.regionServer(TOPOLOGY, plan);
    assertThat(ConfigFiles.online(plan)).isNotEmpty();
    assertThat(plan.bucketCache().map(MemoryPlan.BucketCache::fileBytes).orElse(0L))
        .isNotNegative();
    assertThat(files.get("jvm.options").lines().map(String::strip).toList())
        .isEqualTo(plan.jvmOptions());
    assertThat(new TreeSet<>(plan.jvmOptions())).hasSameSizeAs(plan.jvmOptions());
    var site = HadoopFile.read(HadoopXml.of(plan.hbaseSite()));
    for (Map.Entry<String, String> property : plan.hbaseSite().entrySet()) {
      assertThat(site.getRaw(property.getKey()))
          .as(property.getKey())
          .isEqualTo(property.getValue());
    }
  }
}
