package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.mib;
import static io.offheap.hbase.operator.plan.Bytes.quantity;

import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Survivors, by G1's own sum: from {@code ceil(max(1, floor(regions x new%)) / SurvivorRatio) x
 * region x 50 %} bytes of one age on, what is older is promoted early. {@code SurvivorRatio} is the
 * largest up to 8, G1's own, whose desired survivor size holds the bytes that are declared to
 * survive their first young collection; a smaller one takes room from eden.
 */
final class Survivors {
  private static final String G1 = "JDK 17: G1";
  private static final String FIELD = "spec.regionServers.g1.survivorSize";
  private static final int LARGEST_RATIO = 8;

  private Survivors() {}

  /** Bytes of survivors from which on G1 promotes early, at its smallest young generation. */
  static long desiredBytes(HeapRegions regions, long newSizePercent, long survivorRatio) {
    long young = G1Sums.leastYoungRegions(regions.count(), newSizePercent);
    return G1Sums.desiredSurvivorBytes(young, survivorRatio, regions.regionBytes());
  }

  static void derive(Declared declared, HeapRegions regions, long newSizePercent, Draft draft) {
    long survivors = declared.survivorBytes().orElse(0);
    int ratio =
        IntStream.iterate(LARGEST_RATIO, it -> it >= 1, it -> it - 1)
            .filter(it -> desiredBytes(regions, newSizePercent, it) >= survivors)
            .findFirst()
            .orElse(0);
    if (survivors < 0 || ratio == 0) {
      tooMany(survivors, regions, newSizePercent, draft);
      ratio = LARGEST_RATIO;
    }
    var reason =
        String.format(
            Locale.ROOT,
            "ceil(floor(%d regions x %d %%) / %d) x %s x %d %% = %d bytes is the desired survivor"
                + " size of the smallest young generation",
            regions.count(),
            newSizePercent,
            ratio,
            mib(regions.regionBytes()),
            G1Sums.TARGET_SURVIVOR_RATIO,
            desiredBytes(regions, newSizePercent, ratio));
    var why =
        survivors == 0
            ? "G1's own; "
            : "the largest up to 8 that holds " + FIELD + " " + quantity(survivors) + "; ";
    var chosen = draft.numberInRange(JvmKeys.SURVIVOR_RATIO, ratio, 1, 64, why + reason, G1);
    if (chosen.declared()) {
      draft.remark(
          JvmKeys.SURVIVOR_RATIO,
          String.format(
              Locale.ROOT,
              "; at %d, %d bytes is the desired survivor size",
              chosen.value(),
              desiredBytes(regions, newSizePercent, chosen.value())));
    }
    draft
        .declared(JvmKeys.TARGET_SURVIVOR_RATIO)
        .ifPresent(
            target ->
                draft.constant(
                    JvmKeys.TARGET_SURVIVOR_RATIO,
                    (long) G1Sums.TARGET_SURVIVOR_RATIO,
                    "G1's own; the survivors are counted with it",
                    G1));
    draft.numberInRange(
        JvmKeys.TENURING_THRESHOLD,
        1,
        0,
        15,
        "what survives twice is memstore or cache and lives long",
        "HBase practice at Xiaomi");
  }

  private static void tooMany(
      long survivors, HeapRegions regions, long newSizePercent, Draft draft) {
    long most = desiredBytes(regions, newSizePercent, 1);
    var enough =
        IntStream.rangeClosed(1, 50)
            .filter(percent -> desiredBytes(regions, percent, 1) >= survivors)
            .findFirst();
    draft.problem(
        FIELD,
        String.format(
            Locale.ROOT,
            "%s is over %s, all that %d %% of %d regions of %s hold; %s is right",
            quantity(survivors),
            quantity(most),
            newSizePercent,
            regions.count(),
            mib(regions.regionBytes()),
            survivors >= 0 && enough.isPresent()
                ? Overrides.field(JvmKeys.NEW_SIZE_PERCENT) + " of at least " + enough.getAsInt()
                : "from 0 to that"));
  }
}
