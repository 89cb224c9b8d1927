package io.offheap.hbase.operator.plan;

import java.util.Arrays;

/** Where a setting is applied. */
public enum Target {
  /** A property of {@code hbase-site.xml}. */
  HBASE_SITE("hbase-site"),
  /** An option of the region server's JVM. */
  JVM("jvm"),
  /** The container of the region server. */
  CONTAINER("container");

  private final String text;

  Target(String text) {
    this.text = text;
  }

  /** The name in status and on the command line. */
  public String text() {
    return text;
  }

  /**
   * The constant of a name.
   *
   * @throws IllegalArgumentException if no constant has it
   */
  public static Target of(String text) {
    return Arrays.stream(values())
        .filter(target -> target.text.equals(text))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no such target: " + text));
  }

  @Override
  public String toString() {
    return text;
  }
}
