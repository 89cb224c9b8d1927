package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.mib;
import static io.offheap.hbase.operator.plan.Bytes.quantity;

import io.offheap.hbase.operator.plan.Sentence.Input;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Survivors, by G1's formula: from {@code ceil(max(1, floor(regions x new%)) / SurvivorRatio) x
 * region x 50 %} bytes of one age on, older objects are promoted early. {@code SurvivorRatio} is
 * the largest up to G1's default of 8 whose desired survivor size holds the bytes that are declared
 * to survive their first young collection; a smaller ratio takes room from eden.
 */
final class Survivors {
  private static final String G1 = "JDK 17: G1";
  private static final FieldPath FIELD = FieldPath.of("g1.survivorSize");
  private static final int LARGEST_RATIO =
      Math.toIntExact(JvmKeys.SURVIVOR_RATIO.constantDefault());

  private Survivors() {}

  /** Bytes of survivors from which G1 promotes early, with the smallest young generation. */
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
    var formula =
        Sentence.of(
            "{}; ceil(floor({} regions x {} %) / {}) x {} x {} % = {} bytes is the desired survivor"
                + " size of the smallest young generation",
            survivors == 0
                ? Sentence.of("G1's default")
                : Sentence.of(
                    "the largest up to 8 that holds {} {}",
                    Sentence.name(FIELD),
                    Input.quantity(FIELD.path(), survivors).from(FIELD)),
            Input.number("regions", regions.count(), Unit.REGIONS),
            Input.number(JvmKeys.NEW_SIZE_PERCENT.name(), newSizePercent, Unit.PERCENT_OF_HEAP),
            Input.number(JvmKeys.SURVIVOR_RATIO.name(), ratio, Unit.NONE),
            Input.mib(JvmKeys.REGION_SIZE.name(), regions.regionBytes()),
            Input.number(
                JvmKeys.TARGET_SURVIVOR_RATIO.name(), G1Sums.TARGET_SURVIVOR_RATIO, Unit.NONE),
            Input.number(
                "desired survivor size", desiredBytes(regions, newSizePercent, ratio), Unit.BYTES));
    var chosen = draft.numberInRange(JvmKeys.SURVIVOR_RATIO, ratio, 1, 64, formula, G1);
    if (chosen.declared()) {
      draft.remark(
          JvmKeys.SURVIVOR_RATIO,
          Sentence.of(
              "; at {}, {} bytes is the desired survivor size",
              Input.number(JvmKeys.SURVIVOR_RATIO.name(), chosen.value(), Unit.NONE),
              Input.number(
                  "desired survivor size",
                  desiredBytes(regions, newSizePercent, chosen.value()),
                  Unit.BYTES)));
    }
    draft
        .declared(JvmKeys.TARGET_SURVIVOR_RATIO)
        .ifPresent(
            target ->
                draft.constant(
                    JvmKeys.TARGET_SURVIVOR_RATIO,
                    G1Sums.TARGET_SURVIVOR_RATIO,
                    "G1's default; the survivors are computed with it",
                    G1));
    draft.numberInRange(
        JvmKeys.TENURING_THRESHOLD,
        1,
        0,
        15,
        Sentence.of("objects that survive twice are memstore or cache, which are long-lived"),
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
        Sentence.of(
            "{}; {}",
            Sentence.of(
                String.format(
                    Locale.ROOT,
                    "%s is over %s, all that %d %% of %d regions of %s hold",
                    quantity(survivors),
                    quantity(most),
                    newSizePercent,
                    regions.count(),
                    mib(regions.regionBytes()))),
            survivors >= 0 && enough.isPresent()
                ? Sentence.of(
                    "needs {} of at least {}",
                    Sentence.name(FieldPath.of(JvmKeys.NEW_SIZE_PERCENT)),
                    Sentence.of(String.valueOf(enough.getAsInt())))
                : Sentence.of("must be from 0 to that")));
  }
}
