package io.offheap.hbase.operator.tune;

import static io.offheap.hbase.operator.tune.RuleResults.line;
import static io.offheap.hbase.operator.tune.RuleResults.noChange;

import io.offheap.hbase.operator.plan.G1Sums;
import io.offheap.hbase.operator.plan.JvmKeys;
import io.offheap.hbase.operator.plan.TunedKey;
import io.offheap.hbase.operator.tune.RuleResult.Reason;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Mixed collections follow one another within a second, so that one request waits for several of
 * them (the Xiaomi talk, tuning 4: {@code G1NewSizePercent} from 1 to 4, and gaps from a second
 * on).
 *
 * <p>While mixed collections use up the pause target, G1 shrinks the young generation to {@code
 * regions * G1NewSizePercent / 100}, and the next collection comes when it is full: after {@code
 * young bytes / allocated bytes a second}. For gaps of a second at the same allocation, the share
 * is multiplied by {@code 1000 ms / gap}, and a fifth is added. The gap is the mean of the gaps
 * under a second in the readings. The limit is {@code IHOP + G1NewSizePercent + G1ReservePercent <=
 * 100}.
 */
final class MixedBackToBack implements Rule {
  static final String NAME = "MixedBackToBack";

  /** The permitted share of gaps under a second. */
  private static final double MOST_BACK_TO_BACK = 0.1;

  private static final double FEWEST_COLLECTIONS = 10;
  private static final double LEAST_GAP_MILLIS = 1000;
  private static final double MARGIN = 1.2;

  /** The largest that the plan allows. */
  private static final long LARGEST_PERCENT = 50;

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
    return "allocation fills a young generation of any size: requests are too large";
  }

  @Override
  public boolean isSymptomFelt() {
    return false;
  }

  /** Share of the mixed collections that followed another within a second. */
  @Override
  public OptionalDouble symptom(Evidence evidence) {
    return evidence.worst(MixedBackToBack::backToBack);
  }

  private static OptionalDouble backToBack(ServerWindow server) {
    var count = server.delta(Metric.GC_MIXED_COUNT);
    var close = server.delta(Metric.MIXED_BACK_TO_BACK_COUNT);
    return count.isEmpty() || close.isEmpty() || count.getAsDouble() < FEWEST_COLLECTIONS
        ? OptionalDouble.empty()
        : OptionalDouble.of(close.getAsDouble() / count.getAsDouble());
  }

  @Override
  public RuleResult evaluate(Evidence evidence) {
    return RuleResults.declared(NAME, evidence, TunedKey.NEW_SIZE_PERCENT)
        .orElseGet(() -> evaluateGaps(evidence));
  }

  private static RuleResult evaluateGaps(Evidence evidence) {
    var worst = evidence.worstServer(MixedBackToBack::backToBack);
    if (worst.isEmpty()) {
      return noChange(
          NAME, Reason.NO_EVIDENCE, "fewer than %.0f mixed collections", FEWEST_COLLECTIONS);
    }
    var server = worst.get();
    double share = backToBack(server).orElse(0);
    if (share <= MOST_BACK_TO_BACK) {
      return noChange(
          NAME,
          Reason.WITHIN_LIMITS,
          "%.1f %% of the mixed collections of %s come within a second of another; at most %.0f %%"
              + " is permitted",
          100 * share,
          server.pod(),
          100 * MOST_BACK_TO_BACK);
    }
    var gap = gap(server);
    return gap.isEmpty()
        ? noChange(NAME, Reason.NO_EVIDENCE, "%s does not report the gaps", server.pod())
        : enlarge(evidence, server, share, Math.max(1, gap.getAsDouble()));
  }

  private static OptionalDouble gap(ServerWindow server) {
    var mean =
        server.values(Metric.MIXED_GAP_LAST_MILLIS).filter(it -> it < LEAST_GAP_MILLIS).average();
    return mean.isPresent() ? mean : server.min(Metric.MIXED_GAP_MIN_MILLIS);
  }

  private static RuleResult enlarge(
      Evidence evidence, ServerWindow server, double share, double gap) {
    long now = evidence.planned(TunedKey.NEW_SIZE_PERCENT);
    long wanted = (long) Math.ceil(now * LEAST_GAP_MILLIS / gap * MARGIN);
    // The limit that the class describes, solved for G1NewSizePercent.
    long room = G1Sums.mostIhop(evidence.planned(TunedKey.IHOP), evidence.reservePercent());
    long percent = Math.min(wanted, Math.min(room, LARGEST_PERCENT));
    double young =
        (double) evidence.regionBytes() * G1Sums.leastYoungRegions(evidence.regions(), now);
    var text =
        line(
            "ceil(%d %% x 1000 ms / %.0f ms x %.1f) = %d; at most %d above IHOP %d",
            now,
            gap,
            MARGIN,
            wanted,
            Math.min(room, LARGEST_PERCENT),
            evidence.planned(TunedKey.IHOP));
    if (percent <= now) {
      return noChange(NAME, Reason.BOUNDED, "%s; %s is %d", text, JvmKeys.NEW_SIZE_PERCENT, now);
    }
    return RuleResults.propose(
        NAME,
        evidence,
        Map.of(TunedKey.NEW_SIZE_PERCENT, percent),
        text,
        List.of(
            line(
                "%s: %.1f %% of the mixed collections within a second after another",
                server.pod(), 100 * share),
            line("mean gap of these %.0f ms", gap),
            line(
                "%.0f MiB allocated a second: the smallest young generation of %.0f MiB in a gap",
                young / (1 << 20) * 1000 / gap, young / (1 << 20)),
            line("window of %d s", server.length().toSeconds())));
  }
}
