package io.offheap.hbase.operator.plan;

/** Units of plain numbers. A size of the JVM has its unit in its text. */
public enum Unit {
  NONE(""),
  BYTES("bytes"),
  MIB("MiB"),
  MILLISECONDS("ms"),
  SHARE_OF_HEAP("of the heap"),
  PERCENT_OF_HEAP("% of the heap"),
  HANDLERS("handlers"),
  BUFFERS("buffers"),
  THREADS("threads"),
  CORES("cores"),
  REGIONS("regions"),
  FILES("files"),
  YOUNG_COLLECTIONS("young collections"),
  MIXED_COLLECTIONS("mixed collections");

  private final String text;

  Unit(String text) {
    this.text = text;
  }

  /** The text after a number; empty for none. */
  public String text() {
    return text;
  }
}
