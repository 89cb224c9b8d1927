package io.offheap.hbase.operator.tune;

import static io.offheap.hbase.operator.tune.RuleResults.line;
import static io.offheap.hbase.operator.tune.RuleResults.noChange;

import io.offheap.hbase.operator.plan.JvmKeys;
import io.offheap.hbase.operator.plan.TunedKey;
import io.offheap.hbase.operator.tune.RuleResult.Reason;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Mixed collections pause for longer than {@code MaxGCPauseMillis}, because they take too many old
 * regions at once (the Xiaomi talk, tuning 2: {@code G1OldCSetRegionThresholdPercent} from 5 to 2).
 *
 * <p>G1 collects at least {@code ceil(candidates / G1MixedGCCountTarget)} old regions, whatever
 * they cost ({@code G1Policy::calc_min_old_cset_length}), and at most {@code ceil(regions *
 * G1OldCSetRegionThresholdPercent / 100)}, as many as it predicts to fit the target ({@code
 * G1Policy::calc_max_old_cset_length}); where the minimum is larger, it is the maximum too. A pause
 * grows with the number of regions, so the limit that the collections reach changes by {@code pause
 * / target}:
 *
 * <ul>
 *   <li>collections that free about the maximum: {@code G1OldCSetRegionThresholdPercent} divided by
 *       it;
 *   <li>others: {@code G1MixedGCCountTarget} times it.
 * </ul>
 *
 * <p>The pause is the mean of the longest pause of each minute, of those over the target.
 */
final class MixedTooLong implements Rule {
  static final String NAME = "MixedTooLong";

  /** The permitted share of pauses over the target, which is a soft limit. */
  private static final double MOST_OVER_TARGET = 0.1;

  private static final double FEWEST_COLLECTIONS = 10;

  /** Tolerance for a number that reaches the limit: the young regions in it are an estimate. */
  private static final double ABOUT = 0.1;

  /** The largest change in one step: one long pause must not reduce a limit tenfold. */
  private static final double LARGEST_FACTOR = 4;

  /** With more collections after one marking, the next marking would start before their end. */
  private static final long LARGEST_COUNT = 256;

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
    return "the number of old regions is not the cause of the pauses; slow copying,"
        + " a busy machine or swapping may be";
  }

  @Override
  public boolean isSymptomFelt() {
    return true;
  }

  /** Share of the mixed collections over the target. */
  @Override
  public OptionalDouble symptom(Evidence evidence) {
    return evidence.worst(MixedTooLong::overTarget);
  }

  private static OptionalDouble overTarget(ServerWindow server) {
    var count = server.delta(Metric.GC_MIXED_COUNT);
    var over = server.delta(Metric.GC_MIXED_OVER_TARGET_COUNT);
    return count.isEmpty() || over.isEmpty() || count.getAsDouble() < FEWEST_COLLECTIONS
        ? OptionalDouble.empty()
        : OptionalDouble.of(over.getAsDouble() / count.getAsDouble());
  }

  @Override
  public RuleResult evaluate(Evidence evidence) {
    var worst = evidence.worstServer(MixedTooLong::overTarget);
    if (worst.isEmpty()) {
      return noChange(
          NAME, Reason.NO_EVIDENCE, "fewer than %.0f mixed collections", FEWEST_COLLECTIONS);
    }
    var server = worst.get();
    double over = overTarget(server).orElse(0);
    long target = evidence.plan().g1().pauseTargetMillis();
    if (over <= MOST_OVER_TARGET) {
      return noChange(
          NAME,
          Reason.WITHIN_LIMITS,
          "%.1f %% of the mixed collections of %s take over %d ms; at most %.0f %% is permitted",
          100 * over,
          server.pod(),
          target,
          100 * MOST_OVER_TARGET);
    }
    var pause =
        server
            .values(Metric.GC_MIXED_PAUSE_MAX_MICROS)
            .map(micros -> micros / 1000)
            .filter(millis -> millis > target)
            .average();
    if (pause.isEmpty()) {
      return noChange(
          NAME, Reason.NO_EVIDENCE, "%s does not report its longest pauses", server.pod());
    }
    var lines =
        List.of(
            line(
                "%s: %.1f %% of the mixed collections over %d ms",
                server.pod(), 100 * over, target),
            line("longest pause of a minute %.0f ms", pause.getAsDouble()),
            line("%.1f old regions freed by each", oldRegionsFreed(server, evidence)),
            line("window of %d s", server.length().toSeconds()));
    double factor = Math.min(LARGEST_FACTOR, pause.getAsDouble() / target);
    return reachesLargest(server, evidence)
        ? fewerAtMost(evidence, factor, lines)
        : moreCollections(evidence, factor, lines);
  }

  private static long largest(Evidence evidence) {
    return (evidence.regions() * evidence.planned(TunedKey.OLD_CSET_PERCENT) + 99) / 100;
  }

  private static boolean reachesLargest(ServerWindow server, Evidence evidence) {
    double freed = oldRegionsFreed(server, evidence) / largest(evidence);
    return Math.abs(freed - 1) <= ABOUT;
  }

  /** The freed regions of a collection, less the young regions that G1 aims at. */
  private static double oldRegionsFreed(ServerWindow server, Evidence evidence) {
    double young = server.min(Metric.YOUNG_TARGET_BYTES).orElse(0) / evidence.regionBytes();
    double freed =
        server.delta(Metric.MIXED_REGIONS_FREED_COUNT).orElse(0)
            / server.delta(Metric.GC_MIXED_COUNT).orElse(1);
    return Math.max(0, freed - young);
  }

  private static RuleResult fewerAtMost(Evidence evidence, double factor, List<String> lines) {
    var declared = RuleResults.declared(NAME, evidence, TunedKey.OLD_CSET_PERCENT);
    if (declared.isPresent()) {
      return declared.get();
    }
    long now = evidence.planned(TunedKey.OLD_CSET_PERCENT);
    long less = Math.max(1, (long) Math.floor(now / factor));
    if (less == now) {
      return noChange(NAME, Reason.BOUNDED, "%s is %d already", JvmKeys.OLD_CSET_PERCENT, now);
    }
    return RuleResults.propose(
        NAME,
        evidence,
        Map.of(TunedKey.OLD_CSET_PERCENT, less),
        line(
            "at most floor(%d / %.2f) = %d %% of %d regions in one mixed collection",
            now, factor, less, evidence.regions()),
        lines);
  }

  private static RuleResult moreCollections(Evidence evidence, double factor, List<String> lines) {
    var declared = RuleResults.declared(NAME, evidence, TunedKey.MIXED_COUNT_TARGET);
    if (declared.isPresent()) {
      return declared.get();
    }
    long now = evidence.planned(TunedKey.MIXED_COUNT_TARGET);
    long more = Math.min(LARGEST_COUNT, (long) Math.ceil(now * factor));
    if (more <= now) {
      return noChange(NAME, Reason.BOUNDED, "%s is %d already", JvmKeys.MIXED_COUNT_TARGET, now);
    }
    return RuleResults.propose(
        NAME,
        evidence,
        Map.of(TunedKey.MIXED_COUNT_TARGET, more),
        line("old regions divided into ceil(%d x %.2f) = %d mixed collections", now, factor, more),
        lines);
  }
}
