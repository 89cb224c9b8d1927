package io.offheap.hbase.operator.property;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.Slow;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.Provenance;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Target;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.domains.Domain;
import net.jqwik.api.domains.DomainContext;

/** The plan depends on the declaration only. */
@Domain(Resources.class)
@Domain(DomainContext.Global.class)
class SamePlanPropertyTest {
  @Property
  void sameResourceGivesSamePlan(@ForAll Resource resource) {
    assertThat(resource.result()).isEqualTo(resource.result());
    resource.planned().ifPresent(plan -> assertThat(resource.plan().hash()).isEqualTo(plan.hash()));
  }

  @Property
  @Slow
  void resourceReadBackGivesSamePlan(@ForAll Resource resource) {
    var json = Serialization.asJson(resource.cluster());
    var yaml = Serialization.asYaml(resource.cluster());

    assertThat(new Plans().ofDefaultGroup(Serialization.unmarshal(json, HBaseCluster.class)))
        .isEqualTo(resource.result());
    assertThat(new Plans().ofDefaultGroup(Serialization.unmarshal(yaml, HBaseCluster.class)))
        .isEqualTo(resource.result());
  }

  @Property
  void declaringOneDerivedValueChangesNothing(
      @ForAll Resource resource, @ForAll @IntRange(max = 1000) int which) {
    var plan = resource.plan();
    var derived = plan.settings().stream().filter(SamePlanPropertyTest::isDerived).toList();
    var repeated = derived.get(which % derived.size());

    assertRepeated(resource, plan, List.of(repeated));
  }

  @Property
  void declaringAllDerivedValuesChangesNothing(@ForAll Resource resource) {
    var plan = resource.plan();

    assertRepeated(
        resource, plan, plan.settings().stream().filter(SamePlanPropertyTest::isDerived).toList());
  }

  private static boolean isDerived(Setting setting) {
    return setting.target() != Target.CONTAINER && setting.provenance() != Provenance.DECLARED;
  }

  private static void assertRepeated(Resource resource, MemoryPlan plan, List<Setting> repeated) {
    var declared = resource;
    for (var setting : repeated) {
      declared =
          setting.target() == Target.HBASE_SITE
              ? declared.withConfig(setting.name(), setting.text())
              : declared.withJvmOption(option(plan, setting));
    }

    assertThat(declared.problems()).as("%s", declared).isEmpty();
    var again = declared.plan();
    assertThat(again.hbaseSite()).isEqualTo(plan.hbaseSite());
    assertThat(again.jvmOptions()).isEqualTo(plan.jvmOptions());
    assertThat(again.budget()).isEqualTo(plan.budget());
    assertThat(again.hash()).isEqualTo(plan.hash());
    for (var setting : repeated) {
      assertThat(again.setting(setting.target(), setting.name()).orElseThrow().provenance())
          .as("provenance of %s", setting.name())
          .isEqualTo(Provenance.DECLARED);
    }
  }

  /** The plan's option for {@code java}. */
  private static String option(MemoryPlan plan, Setting setting) {
    var keys =
        plan.settings().stream()
            .filter(it -> it.target() == Target.JVM)
            .map(Setting::name)
            .toList();
    return plan.jvmOptions().get(keys.indexOf(setting.name()));
  }
}
