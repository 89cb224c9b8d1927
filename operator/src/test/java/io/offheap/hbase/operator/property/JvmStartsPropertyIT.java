package io.offheap.hbase.operator.property;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Target;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.domains.Domain;

/**
 * A JVM starts with the options of every plan, and has the planned values and survivor sizes.
 *
 * <p>A heap that a machine may not have is reserved as planned and committed in part: G1's young
 * generation is a share of what is committed.
 */
@Domain(Resources.class)
@Tag("verify")
class JvmStartsPropertyIT {
  private static final long GIB = 1L << 30;

  /** Untouched pages of a heap take nothing, but a kernel promises no more than it has. */
  private static final long WHOLE_HEAP = 4 * GIB;

  /** Unit to which the JVM rounds a heap up, beside whole regions: a page of the card table. */
  private static final long HEAP_ALIGNMENT = 2L << 20;

  /** Sizes, which PrintFlagsFinal lists in bytes. */
  private static final Set<String> SIZES = Set.of("MaxDirectMemorySize", "G1HeapRegionSize");

  private static final Pattern SURVIVORS = Pattern.compile("(\\d+) bytes is the desired");

  @Property
  void jvmStartsWithOptionsOfPlan(@ForAll Resource resource) throws Exception {
    var plan = PlanFigures.of(resource.plan());
    long region = plan.jvmBytes("G1HeapRegionSize");
    long heap = plan.jvmBytes("Xmx");
    long committed = heap <= WHOLE_HEAP ? heap : GIB + heap % GIB;

    var jvm = StartedJvm.of(options(plan, committed), plan.jvmNumber("G1NewSizePercent"));

    assertThat(jvm.flags())
        .containsEntry("MaxHeapSize", Long.toString(aligned(heap, region)))
        .containsEntry("InitialHeapSize", Long.toString(aligned(committed, region)));
    assertThat(plan.budget("heap")).isEqualTo(aligned(heap, region));
    for (var setting : flags(plan)) {
      assertThat(jvm.flags()).containsEntry(setting.name(), value(setting));
    }
    long desired = jvm.desiredSurvivorBytes();
    assertThat(desired).isEqualTo(desiredSurvivorBytes(plan, aligned(committed, region) / region));
    var survivorRatio = plan.plan().setting(Target.JVM, "SurvivorRatio").orElseThrow();
    if (committed == heap) {
      assertThat(reportedSurvivorBytes(survivorRatio)).isEqualTo(desired);
    }
  }

  /** The plan's options, of which the initial heap alone is another. */
  private static List<String> options(PlanFigures plan, long committed) {
    var xms = "-Xms" + plan.jvm("Xms");
    assertThat(plan.plan().jvmOptions()).contains(xms);
    return plan.plan().jvmOptions().stream()
        .map(option -> option.equals(xms) ? "-Xms" + committed : option)
        .toList();
  }

  private static long aligned(long heap, long region) {
    long unit = Math.max(region, HEAP_ALIGNMENT);
    return (heap + unit - 1) / unit * unit;
  }

  /** Settings that are HotSpot flags, and not shorthands or system properties. */
  private static List<Setting> flags(PlanFigures plan) {
    return plan.plan().settings().stream()
        .filter(setting -> setting.target() == Target.JVM)
        .filter(setting -> setting.name().matches("[A-WYZ]\\w+"))
        .toList();
  }

  private static String value(Setting setting) {
    return SIZES.contains(setting.name())
        ? Long.toString(PlanFigures.bytes(setting.text()))
        : setting.text();
  }

  /**
   * G1's arithmetic: a share of the regions, truncated but at least one; of these the part for
   * survivors, rounded up; and half of it, since {@code TargetSurvivorRatio} is 50.
   */
  private static long desiredSurvivorBytes(PlanFigures plan, long regions) {
    long young = Math.max(1, regions * plan.jvmNumber("G1NewSizePercent") / 100);
    long survivors = (long) Math.ceil((double) young / plan.jvmNumber("SurvivorRatio"));
    return survivors * plan.jvmBytes("G1HeapRegionSize") / 2;
  }

  /** Of a declared ratio, what would be derived comes first. */
  private static long reportedSurvivorBytes(Setting survivorRatio) {
    var match = SURVIVORS.matcher(survivorRatio.sentence());
    long printed = -1;
    while (match.find()) {
      printed = Long.parseLong(match.group(1));
    }
    return printed;
  }
}
