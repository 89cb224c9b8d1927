package io.offheap.hbase.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NamedVersionTest {
  @Test
  void findsVersionsInSentences() {
    var text =
        "HBase 1.2.3, HDFS 4.5.6 and ZooKeeper 7.8.9; Hadoop's client 4.5.7.\n"
            + "From HBase 1.2.4 to 1.2.5.";

    assertThat(NamedVersion.in(text))
        .containsExactlyInAnyOrder(
            new NamedVersion("HBase", "1.2.3"),
            new NamedVersion("HDFS", "4.5.6"),
            new NamedVersion("ZooKeeper", "7.8.9"),
            new NamedVersion("Hadoop", "4.5.7"),
            new NamedVersion("HBase", "1.2.4"),
            new NamedVersion("HBase", "1.2.5"));
  }

  @Test
  void findsVersionsOfArtifacts() {
    assertThat(NamedVersion.in("{\"hbaseVersion\":\"1.2.3-hadoop3\"}"))
        .containsExactly(new NamedVersion("HBase", "1.2.3"));
  }

  @Test
  void findsVersionsInColumnsOfTables() {
    var table =
        """
        | Kubernetes | HBase | ZooKeeper |
        | --- | --- | --- |
        | 9.9.9 | 1.2.3, patched; from and to 1.2.4 | 7.8.9 |
        """;

    assertThat(NamedVersion.in(table))
        .containsExactlyInAnyOrder(
            new NamedVersion("HBase", "1.2.3"),
            new NamedVersion("HBase", "1.2.4"),
            new NamedVersion("ZooKeeper", "7.8.9"));
  }

  @Test
  void findsVersionsInRowsOfTables() {
    var table =
        """
        | What | Version |
        | --- | --- |
        | Hadoop | 4.5.6 |
        | Helm | 9.9.9 |
        """;

    assertThat(NamedVersion.in(table)).containsExactly(new NamedVersion("Hadoop", "4.5.6"));
  }

  @Test
  void leavesOutOtherProductsAndShorterVersions() {
    assertThat(
            NamedVersion.in("HBase 2.6 on Helm 9.9.9; an HBase image hbase:0.1.0; HBase 1.2.3.4"))
        .isEmpty();
  }
}
