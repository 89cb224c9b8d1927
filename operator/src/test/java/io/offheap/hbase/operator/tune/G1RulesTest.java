package io.offheap.hbase.operator.tune;

import static io.offheap.hbase.operator.tune.Group.GIB;
import static io.offheap.hbase.operator.tune.Group.MIB;
import static io.offheap.hbase.operator.tune.Group.metrics;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.plan.TunedKey;
import io.offheap.hbase.operator.tune.Group.Metrics;
import io.offheap.hbase.operator.tune.RuleResult.Proposal;
import io.offheap.hbase.operator.tune.RuleResult.Reason;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The talk's four tunings, with its metrics: 960 regions of 32 MiB. */
class G1RulesTest {
  private static Map<String, String> values(Rule rule, Group group) {
    assertThat(rule.evaluate(group.evidence())).isInstanceOf(Proposal.class);
    return ((Proposal) rule.evaluate(group.evidence())).texts();
  }

  private static void assertNoChange(Rule rule, Group group, Reason reason, String text) {
    assertThat(rule.evaluate(group.evidence()))
        .isInstanceOfSatisfying(
            RuleResult.NoChange.class,
            it -> {
              assertThat(it.reason()).isEqualTo(reason);
              assertThat(it.text()).contains(text);
            });
  }

  @Nested
  class Marking {
    private final Rule rule = new MarkingTooEarlyOrLate();

    /** Old generation in GiB; starts of marking and failed evacuations in the window. */
    private Metrics old(double gib, double starts, double failures) {
      return metrics()
          .with(Metric.OLD_AFTER_GC_BYTES, gib * GIB)
          .with(Metric.GC_CONCURRENT_START_COUNT, starts)
          .with(Metric.EVACUATION_FAILED_COUNT, failures)
          .with(Metric.GC_FULL_COUNT, 0)
          .with(Metric.MARKING_START_OLD_BYTES, 20 * GIB)
          .with(Metric.YOUNG_TARGET_BYTES, GIB);
    }

    private Group group(double low, double peak, double starts, double failures) {
      return Group.talk().server(it -> old(low, 0, 0), it -> old(peak, starts, failures));
    }

    @Test
    void talksFirstStep() {
      // 30 % is under the 16.4 GiB of memstores and cache that no collection frees: 55 + 10
      var group = group(16.4, 18, 70, 0).with(TunedKey.IHOP, 30);

      assertThat(values(rule, group)).isEqualTo(Map.of("InitiatingHeapOccupancyPercent", "65"));
    }

    @Test
    void windowOfFlushedMemstoresProposesDerivedValue() {
      // 8 of 30 GiB are 27 %, and 10: but memstores and cache may fill up to 55 %
      var group = group(8, 12, 70, 0).tuned(TunedKey.IHOP, 12);

      assertThat(values(rule, group)).isEqualTo(Map.of("InitiatingHeapOccupancyPercent", "65"));
    }

    @Test
    void rareMarkingCostsLittle() {
      assertNoChange(
          rule,
          group(16.4, 18, 14, 0).with(TunedKey.IHOP, 50),
          Reason.WITHIN_LIMITS,
          "starts at 50");
    }

    @Test
    void acceptsFrequentMarkingThatFindsGarbage() {
      assertNoChange(
          rule, group(10, 18, 70, 0).with(TunedKey.IHOP, 60), Reason.WITHIN_LIMITS, "starts at 60");
    }

    @Test
    void youngGenerationAndReserveKeepTheirRoom() {
      // 24 of 30 GiB are long-lived: 80 + 10, but 88 is the limit
      var group = group(24, 24.5, 70, 0).with(TunedKey.IHOP, 70);

      // 85 % less what grew (4.5 GiB) and the young generation (1 GiB): 66
      assertNoChange(rule, group, Reason.BOUNDED, "= 90; at most 88 for the young generation");
    }

    @Test
    void failedEvacuationsStartMarkingEarlierByWhatGrewMeanwhile() {
      // 0.85 x 30 GiB - (27 - 20) - 1 = 17.5 GiB = 58 %
      var group = group(12, 27, 5, 3).with(TunedKey.IHOP, 66);

      assertThat(values(rule, group)).isEqualTo(Map.of("InitiatingHeapOccupancyPercent", "58"));
    }

    @Test
    void usesDeclaredReserveAndWasteOfG1() {
      // 100 - 20 - 5 less 8 of 30 GiB, 27 %
      var reserve = group(12, 27, 5, 3).with(TunedKey.IHOP, 66).option("G1ReservePercent", 20);
      // 100 - 10 - 10 less 27 %
      var waste = group(12, 27, 5, 3).with(TunedKey.IHOP, 66).option("G1HeapWastePercent", 10);

      assertThat(values(rule, reserve)).isEqualTo(Map.of("InitiatingHeapOccupancyPercent", "48"));
      assertThat(values(rule, waste)).isEqualTo(Map.of("InitiatingHeapOccupancyPercent", "53"));
    }

    @Test
    void anOldGenerationThatGrowsIntoTheReserveIsLateToo() {
      // 30 - 1 - 3 = 26 GiB is where the reserve begins
      assertNoChange(rule, group(12, 25.9, 5, 0), Reason.WITHIN_LIMITS, "");
      assertThat(values(rule, group(12, 26.1, 5, 0)))
          .isEqualTo(Map.of("InitiatingHeapOccupancyPercent", "61"));
    }

    @Test
    void whatLivesLongIsNeverMarkedAllTheTime() {
      // 58 % by the formula, but 20 GiB are long-lived: 67 + 5 is over the present 65
      assertNoChange(
          rule,
          group(20, 27, 5, 3).with(TunedKey.IHOP, 65),
          Reason.BOUNDED,
          "the heap is too small");
    }

    @Test
    void serverWithoutReadingsIsNoEvidence() {
      assertNoChange(rule, Group.talk(), Reason.NO_EVIDENCE, "");
    }
  }

  @Nested
  class Mixed {
    private final Rule rule = new MixedTooLong();

    private Group group(double overTarget, double pauseMillis, double freedByEach) {
      return Group.talk()
          .server(
              it -> mixed(0, 0, pauseMillis, 0),
              it -> mixed(70, overTarget, pauseMillis, freedByEach));
    }

    private Metrics mixed(double count, double over, double pauseMillis, double freedByEach) {
      return metrics()
          .with(Metric.GC_MIXED_COUNT, count)
          .with(Metric.GC_MIXED_OVER_TARGET_COUNT, over)
          .with(Metric.GC_MIXED_PAUSE_MAX_MICROS, pauseMillis * 1000)
          .with(Metric.YOUNG_TARGET_BYTES, 10 * 32 * MIB)
          .with(Metric.MIXED_REGIONS_FREED_COUNT, count * freedByEach);
    }

    @Test
    void talksSecondStep() {
      // each frees 48 old regions, 5 % of 960, and takes 200 ms of 90: floor(5 / 2.2)
      assertThat(values(rule, group(30, 200, 58)))
          .isEqualTo(Map.of("G1OldCSetRegionThresholdPercent", "2"));
    }

    @Test
    void collectionsThatFreeFewAreMore() {
      // the minimum is too many: ceil(32 x 180 / 90)
      assertThat(values(rule, group(30, 180, 30))).isEqualTo(Map.of("G1MixedGCCountTarget", "64"));
    }

    @Test
    void collectionsThatFreeMoreThanTheLargestNumberAreMore() {
      // 70 old regions each: the minimum is over 5 % of 960, and G1 uses the minimum
      assertThat(values(rule, group(30, 180, 80))).isEqualTo(Map.of("G1MixedGCCountTarget", "64"));
    }

    @Test
    void oneLongPauseDoesNotDecideTheStep() {
      assertThat(values(rule, group(30, 5000, 30)))
          .isEqualTo(Map.of("G1MixedGCCountTarget", "128"));
    }

    @Test
    void acceptsAFewPausesOverTarget() {
      // the talk's "few, about 3"
      assertNoChange(
          rule, group(3, 120, 58), Reason.WITHIN_LIMITS, "4.3 % of the mixed collections");
    }

    @Test
    void onePercentIsAllThatGoes() {
      assertNoChange(
          rule,
          group(30, 200, 20).with(TunedKey.OLD_CSET_PERCENT, 1),
          Reason.BOUNDED,
          "G1OldCSetRegionThresholdPercent is 1 already");
    }
  }

  @Nested
  class Survivors {
    private final Rule rule = new PrematurePromotion();

    private Group group(double age1, double overflows) {
      return Group.talk()
          .with(TunedKey.NEW_SIZE_PERCENT, 1)
          .server(it -> survivors(age1, 0, 0), it -> survivors(age1, 100, overflows));
    }

    /** 9 regions of young generation, as the talk's log has it: 32 MiB wanted at a ratio of 8. */
    private Metrics survivors(double age1, double count, double overflows) {
      return metrics()
          .with(Metric.SURVIVOR_BYTES_AGE_1, age1)
          .with(Metric.YOUNG_TARGET_BYTES, 9 * 32 * MIB)
          .with(Metric.GC_NORMAL_COUNT, count)
          .with(Metric.SURVIVOR_OVERFLOW_COUNT, overflows);
    }

    @Test
    void talksThirdStep() {
      // ceil(9 / 4) x 32 MiB / 2 = 50331648 holds neither its 51437840 nor its 56378696 of age 1;
      // 2 makes 83886080, and 3 no more than 4
      assertThat(values(rule, group(56378696, 90))).isEqualTo(Map.of("SurvivorRatio", "2"));
      assertThat(values(rule, group(45_000_000, 90))).isEqualTo(Map.of("SurvivorRatio", "4"));
    }

    @Test
    void theSurvivorsOfALargeYoungGenerationAreNotThoseOfASmallOne() {
      var large =
          metrics()
              .with(Metric.SURVIVOR_BYTES_AGE_1, 500 * MIB)
              .with(Metric.YOUNG_TARGET_BYTES, 256 * 32 * MIB)
              .with(Metric.GC_NORMAL_COUNT, 0)
              .with(Metric.SURVIVOR_OVERFLOW_COUNT, 0);
      var group = Group.talk().server(List.of(large, survivors(45_000_000, 100, 90)));

      // 256 regions at 8 want 512 MiB, at 7 592: 500 MiB and a tenth need 7, 45 MB need 4
      assertThat(values(rule, group)).isEqualTo(Map.of("SurvivorRatio", "4"));
    }

    @Test
    void acceptsAFewOverflows() {
      assertNoChange(rule, group(56378696, 9), Reason.WITHIN_LIMITS, "9.0 % of the collections");
    }

    @Test
    void halfOfTheYoungGenerationIsAllThatGoes() {
      assertNoChange(
          rule,
          group(300 * MIB, 90).with(TunedKey.SURVIVOR_RATIO, 2),
          Reason.BOUNDED,
          "a larger G1NewSizePercent would hold them");
    }
  }

  @Nested
  class BackToBack {
    private final Rule rule = new MixedBackToBack();

    /** The gaps of the talk's log, in ms. */
    private final double[] gaps = {102, 474, 98, 641, 231, 610, 645, 464, 115, 229, 554, 505, 133};

    private Group group(double close) {
      var readings =
          DoubleStream.of(gaps)
              .mapToObj(
                  gap ->
                      metrics()
                          .with(Metric.MIXED_GAP_LAST_MILLIS, gap)
                          .with(Metric.GC_MIXED_COUNT, 0)
                          .with(Metric.MIXED_BACK_TO_BACK_COUNT, 0))
              .collect(toList());
      readings.add(
          metrics()
              .with(Metric.MIXED_GAP_LAST_MILLIS, 2000)
              .with(Metric.GC_MIXED_COUNT, 100)
              .with(Metric.MIXED_BACK_TO_BACK_COUNT, close));
      return Group.talk().with(TunedKey.NEW_SIZE_PERCENT, 1).server(readings);
    }

    @Test
    void talksFourthStep() {
      // mean gap 369 ms: ceil(1 x 1000 / 369 x 1.2)
      assertThat(values(rule, group(90))).isEqualTo(Map.of("G1NewSizePercent", "4"));
    }

    @Test
    void acceptsAFew() {
      assertNoChange(rule, group(10), Reason.WITHIN_LIMITS, "10.0 %");
    }

    @Test
    void theRoomAboveIhopIsAllThatGoes() {
      assertThat(values(rule, group(90).with(TunedKey.IHOP, 88)))
          .isEqualTo(Map.of("G1NewSizePercent", "2"));
      assertNoChange(
          rule, group(90).with(TunedKey.IHOP, 89), Reason.BOUNDED, "at most 1 above IHOP 89");
    }
  }
}
