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
  L("published jars, our plan of mode Lru: an on-heap cache alone"),
  @JsonProperty("lru")
  LRU("our image, our plan of mode Lru"),
  @JsonProperty("mmap")
  MMAP("as file, with the engine `mmap:`"),
  @JsonProperty("file")
  FILE("our image, our plan of mode File on tmpfs"),
  @JsonProperty("ram")
  RAM(
      "as file, with a RAM buffer of 128 MiB, as our plan has where it is declared on (HBASE-26681)"),
  @JsonProperty("meta")
  META("our image, our plan of mode MetaOnly: data blocks are not cached"),
  @JsonProperty("s")
  S("as e, restarted without draining, as a StatefulSet's own update does"),
  @JsonProperty("g0")
  G0("as e, with the talk's first G1 options"),
  @JsonProperty("g1")
  G1("as g0, with the plan's InitiatingHeapOccupancyPercent in place of 30"),
  @JsonProperty("g2")
  G2("as g1, with a G1OldCSetRegionThresholdPercent of 2 in place of 5"),
  @JsonProperty("g3")
  G3("as g2, with a SurvivorRatio of 4 in place of 8"),
  @JsonProperty("g4")
  G4("as g3, with a G1NewSizePercent of 4 in place of 1"),
  @JsonProperty("o0")
  O0("as e, with marking from 12 % on and a young generation of 1 %"),
  @JsonProperty("o1")
  O1("as o0, with the first change that the operator's own tuning kept"),
  @JsonProperty("o2")
  O2("as o1, with the second change; without one where it kept no other, as o3 and o4"),
  @JsonProperty("o3")
  O3("as o2, with the third change"),
  @JsonProperty("o4")
  O4("as o3, with the fourth change"),
  @JsonProperty("w0002")
  W0002("as e, without the patch 0002 (checksums)"),
  @JsonProperty("w0006")
  W0006("as e, without the patch 0006 (garbage of Gets)"),
  @JsonProperty("w0019")
  W0019("as e, without the patch 0019 (what blocks of a file share)"),
  @JsonProperty("w0022")
  W0022("as e, without the patch 0022 (selector of a connection)"),
  @JsonProperty("w0025")
  W0025("as e, without the patch 0025 (packets of HDFS)");

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
