package io.offheap.hbase.operator.tune;

/** The rules, in the order in which they are asked. */
public enum RuleName {
  POOL_TOO_SMALL(
      "PoolTooSmall",
      "buffers are leaked rather than too few: whoever takes them does not give them back"),
  BUFFER_SMALLER_THAN_BLOCK(
      "BufferSmallerThanBlock",
      "requests are larger than any block of the live tables: a table that was not seen, or large"
          + " cells"),
  META_BLOCKS_SPILL(
      "MetaBlocksSpill", "something else than index and bloom blocks takes several buffers"),
  MARKING_TOO_EARLY_OR_LATE(
      "MarkingTooEarlyOrLate",
      "the heap is too small for what lives long, or something on it is leaked"),
  MIXED_TOO_LONG(
      "MixedTooLong",
      "something else than the number of old regions makes the pauses: slow copying, a busy"
          + " machine, swapping"),
  PREMATURE_PROMOTION(
      "PrematurePromotion", "what is promoted lives long: cells or caches rather than garbage"),
  MIXED_BACK_TO_BACK(
      "MixedBackToBack", "allocation outruns every young generation: requests that are too large");

  private final String text;
  private final String suspicion;

  RuleName(String text, String suspicion) {
    this.text = text;
    this.suspicion = suspicion;
  }

  /** The name for people, in status and on the command line. */
  public String text() {
    return text;
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
