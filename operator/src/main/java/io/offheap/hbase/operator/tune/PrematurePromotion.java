package io.offheap.hbase.operator.tune;

import static io.offheap.hbase.operator.tune.RuleResults.line;
import static io.offheap.hbase.operator.tune.RuleResults.noChange;

import io.offheap.hbase.operator.plan.Bytes;
import io.offheap.hbase.operator.plan.G1Sums;
import io.offheap.hbase.operator.plan.JvmKeys;
import io.offheap.hbase.operator.plan.TunedKey;
import io.offheap.hbase.operator.tune.RuleResult.Reason;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * More bytes survive their first young collection than G1's desired survivor size, so that G1
 * promotes them at once (the Xiaomi talk, tuning 3: {@code SurvivorRatio} from 8 to 4).
 *
 * <p>G1 desires {@code ceil(young regions / SurvivorRatio) * region * TargetSurvivorRatio / 100}
 * bytes of survivors ({@link G1Sums#desiredSurvivorBytes}). The ratio becomes the largest whose
 * desired size holds the bytes of age 1 and a tenth more, at every reading of every server, with
 * the young generation that G1 aimed at then.
 */
final class PrematurePromotion implements Rule {
  static final String NAME = "PrematurePromotion";

  /** The permitted share of collections with too many survivors. */
  private static final double MOST_OVERFLOWS = 0.1;

  private static final double FEWEST_COLLECTIONS = 10;
  private static final double MARGIN = 1.1;

  /** At 2, half of the young generation may survive; a smaller ratio leaves almost no eden. */
  private static final long SMALLEST_RATIO = 2;

  /** The largest that the plan allows. */
  private static final long LARGEST_RATIO = 64;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean isProven() {
    return false;
  }

  @Override
  public String suspicion() {
    return "the promoted objects live long: they are cells or cache entries, not garbage";
  }

  @Override
  public boolean isSymptomFelt() {
    return false;
  }

  /** Share of the young and mixed collections with more bytes of age 1 than desired. */
  @Override
  public OptionalDouble symptom(Evidence evidence) {
    return evidence.worst(PrematurePromotion::overflows);
  }

  private static OptionalDouble overflows(ServerWindow server) {
    var overflows = server.delta(Metric.SURVIVOR_OVERFLOW_COUNT);
    double collections = Pauses.evacuations(server);
    return overflows.isEmpty() || collections < FEWEST_COLLECTIONS
        ? OptionalDouble.empty()
        : OptionalDouble.of(overflows.getAsDouble() / collections);
  }

  @Override
  public RuleResult evaluate(Evidence evidence) {
    return RuleResults.declared(NAME, evidence, TunedKey.SURVIVOR_RATIO)
        .orElseGet(() -> evaluateSurvivors(evidence));
  }

  private RuleResult evaluateSurvivors(Evidence evidence) {
    var overflows = symptom(evidence);
    if (overflows.isEmpty()) {
      return noChange(NAME, Reason.NO_EVIDENCE, "fewer than %.0f collections", FEWEST_COLLECTIONS);
    }
    if (overflows.getAsDouble() <= MOST_OVERFLOWS) {
      return noChange(
          NAME,
          Reason.WITHIN_LIMITS,
          "%.1f %% of the collections promote early; at most %.0f %% is permitted",
          100 * overflows.getAsDouble(),
          100 * MOST_OVERFLOWS);
    }
    var needed =
        evidence.servers().stream()
            .flatMap(server -> server.readings().stream())
            .flatMapToLong(reading -> needed(reading, evidence.regionBytes()).stream())
            .min();
    if (needed.isEmpty()) {
      return noChange(NAME, Reason.NO_EVIDENCE, "no server reports its survivors");
    }
    return change(evidence, overflows.getAsDouble(), needed.getAsLong());
  }

  private static RuleResult change(Evidence evidence, double overflows, long needed) {
    long now = evidence.planned(TunedKey.SURVIVOR_RATIO);
    long ratio = Math.max(SMALLEST_RATIO, needed);
    long leastYoung =
        G1Sums.leastYoungRegions(evidence.regions(), evidence.planned(TunedKey.NEW_SIZE_PERCENT));
    double age1 = evidence.worst(server -> server.max(Metric.SURVIVOR_BYTES_AGE_1)).orElse(0);
    var survivors = line("up to %s of age 1", Bytes.mib((long) age1));
    if (ratio >= now) {
      return noChange(
          NAME,
          Reason.BOUNDED,
          "%s; %s is %d; a larger %s would hold them",
          survivors,
          JvmKeys.SURVIVOR_RATIO,
          now,
          JvmKeys.NEW_SIZE_PERCENT);
    }
    return RuleResults.propose(
        NAME,
        evidence,
        Map.of(TunedKey.SURVIVOR_RATIO, ratio),
        line(
            "%s %d in place of %d is the largest%s that holds %s x %.1f; at the smallest"
                + " young generation of %d regions it makes %s the desired survivor size",
            JvmKeys.SURVIVOR_RATIO,
            ratio,
            now,
            needed < SMALLEST_RATIO ? " but one" : "",
            survivors,
            MARGIN,
            leastYoung,
            Bytes.mib(G1Sums.desiredSurvivorBytes(leastYoung, ratio, evidence.regionBytes()))),
        List.of(line("%.1f %% of the collections promote early", 100 * overflows), survivors));
  }

  /** The ratio that a reading needs; 1 where no ratio is enough. */
  private static OptionalLong needed(Reading reading, long regionBytes) {
    var age1 = reading.values().get(Metric.SURVIVOR_BYTES_AGE_1);
    var young = reading.values().get(Metric.YOUNG_TARGET_BYTES);
    if (age1 == null || young == null) {
      return OptionalLong.empty();
    }
    long regions = Math.max(1, young.longValue() / regionBytes);
    return LongStream.iterate(LARGEST_RATIO, it -> it >= 1, it -> it - 1)
        .filter(
            it -> it == 1 || G1Sums.desiredSurvivorBytes(regions, it, regionBytes) >= age1 * MARGIN)
        .findFirst();
  }
}
