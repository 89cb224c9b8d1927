package io.offheap.hbase.operator.tune;

/**
 * The rules, in the order in which they are asked.
 *
 * <p>A rule is proven once its change has been seen to help a real region server, from the first
 * evidence to the judgement that kept it. The others recommend and do not act by themselves.
 */
public enum RuleName {
  POOL_TOO_SMALL(
      "PoolTooSmall",
      true,
      "buffers are leaked rather than too few: whoever takes them does not give them back"),
  BUFFER_SMALLER_THAN_BLOCK(
      "BufferSmallerThanBlock",
      true,
      "requests are larger than any block of the live tables: a table that was not seen, or large"
          + " cells"),
  META_BLOCKS_SPILL(
      "MetaBlocksSpill", false, "something else than index and bloom blocks takes several buffers"),
  MARKING_TOO_EARLY_OR_LATE(
      "MarkingTooEarlyOrLate",
      true,
      "the heap is too small for what lives long, or something on it is leaked"),
  MIXED_TOO_LONG(
      "MixedTooLong",
      false,
      "something else than the number of old regions makes the pauses: slow copying, a busy"
          + " machine, swapping"),
  PREMATURE_PROMOTION(
      "PrematurePromotion",
      true,
      "what is promoted lives long: cells or caches rather than garbage"),
  MIXED_BACK_TO_BACK(
      "MixedBackToBack",
      false,
      "allocation outruns every young generation: requests that are too large");

  private final String text;
  private final boolean isProven;
  private final String suspicion;

  RuleName(String text, boolean isProven, String suspicion) {
    this.text = text;
    this.isProven = isProven;
    this.suspicion = suspicion;
  }

  /** The name for people, in status and on the command line. */
  public String text() {
    return text;
  }

  /** Whether its change has been seen to help a real region server. */
  public boolean isProven() {
    return isProven;
  }

  /** What is the matter where the rule's changes do not help. */
  public String suspicion() {
    return suspicion;
  }

  @Override
  public String toString() {
    return text;
  }
}
