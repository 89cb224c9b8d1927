package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Target.HBASE_SITE;
import static io.offheap.hbase.operator.plan.Target.JVM;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TunedValuesTest {
  private static final String COUNT = "hbase.server.allocator.max.buffer.count";
  private static final String CACHE = "hbase.bucketcache.size";

  private final DeclaredExample declared = DeclaredExample.regionServer();

  @Test
  void tunedValueReplacesDerivedOneAndStatesIt() {
    var derived = declared.plan().setting(HBASE_SITE, COUNT).orElseThrow();
    long more = Long.parseLong(derived.text()) + 100;

    var tuned =
        declared.tuned(TunedKey.BUFFER_COUNT, more).plan().setting(HBASE_SITE, COUNT).orElseThrow();

    assertThat(tuned.text()).isEqualTo(Long.toString(more));
    assertThat(tuned.provenance()).isEqualTo(Provenance.TUNED);
    assertThat(tuned.sentence())
        .isEqualTo(
            "tuned by ARule; derived would be " + derived.text() + ": " + derived.sentence());
  }

  @Test
  void derivesOtherValuesFromTunedOne() {
    var before = Long.parseLong(declared.plan().hbaseSite().get(CACHE));
    var after =
        Long.parseLong(
            declared.tuned(TunedKey.BUFFER_COUNT, 100_000).plan().hbaseSite().get(CACHE));
    assertThat(after).isLessThan(before);
  }

  @Test
  void declaredValueWins() {
    declared.jvmOption("-XX:InitiatingHeapOccupancyPercent=70");
    var plan = declared.tuned(TunedKey.IHOP, 72).plan();
    var ihop = plan.setting(JVM, "InitiatingHeapOccupancyPercent").orElseThrow();
    assertThat(ihop.text()).isEqualTo("70");
    assertThat(ihop.provenance()).isEqualTo(Provenance.DECLARED);
  }

  @Test
  void refusesTunedValueThatDoesNotFit() {
    assertThat(declared.tuned(TunedKey.NEW_SIZE_PERCENT, 45).problems()).isNotEmpty();
    assertThat(declared.tuned(TunedKey.BUFFER_COUNT, 0).problems()).isNotEmpty();
  }
}
