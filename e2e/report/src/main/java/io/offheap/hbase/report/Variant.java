package io.offheap.hbase.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/** A way to configure a region server in a container of a given size. */
public enum Variant {
  @JsonProperty("a")
  A("published jars, HBase's and the JVM's own defaults"),
  @JsonProperty("b")
  B("published jars, a heap of 0.8 x the limit, HBase's own defaults else"),
  @JsonProperty("c")
  C("published jars, our plan, without the buffer pool"),
  @JsonProperty("d")
  D("published jars, our plan"),
  @JsonProperty("e")
  E("our image, our plan"),
  @JsonProperty("l")
  L("published jars, our plan of mode Lru: an on-heap cache alone");

  private final String meaning;

  Variant(String meaning) {
    this.meaning = meaning;
  }

  /** Its name in files and in the report. */
  public String letter() {
    return name().toLowerCase(Locale.ROOT);
  }

  public String meaning() {
    return meaning;
  }
}
