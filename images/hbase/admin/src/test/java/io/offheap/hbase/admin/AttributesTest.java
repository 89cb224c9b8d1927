package io.offheap.hbase.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AttributesTest {
  @Test
  void familyHasHBasesDefaultsWhereNothingIsGiven() {
    assertThat(Attributes.Family.parse("d").over(null))
        .isEqualTo(ColumnFamilyDescriptorBuilder.of("d"));
  }

  @Test
  void attributesAreSet() {
    var family =
        Attributes.Family.parse(
                "d:COMPRESSION=zstd,blocksize=16384,VERSIONS=3,TTL=FOREVER,"
                    + "DATA_BLOCK_ENCODING=FAST_DIFF,IN_MEMORY=true,hbase.a.b=c")
            .over(null);

    assertThat(family.getCompressionType()).isEqualTo(Compression.Algorithm.ZSTD);
    assertThat(family.getBlocksize()).isEqualTo(16384);
    assertThat(family.getMaxVersions()).isEqualTo(3);
    assertThat(family.getTimeToLive()).isEqualTo(Integer.MAX_VALUE);
    assertThat(family.getDataBlockEncoding()).isEqualTo(DataBlockEncoding.FAST_DIFF);
    assertThat(family.isInMemory()).isTrue();
    assertThat(family.getConfigurationValue("hbase.a.b")).isEqualTo("c");
  }

  @Test
  void otherAttributesStayAsTheyAre() {
    var before =
        ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("d"))
            .setMaxVersions(5)
            .setBlocksize(8192)
            .build();

    var after = Attributes.Family.parse("d:BLOCKSIZE=4096").over(before);

    assertThat(after.getMaxVersions()).isEqualTo(5);
    assertThat(after.getBlocksize()).isEqualTo(4096);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          d:COMPRESION=ZSTD   | --family: 'COMPRESION=ZSTD' must name one of BLOCKCACHE
          d:COMPRESSION=ZSDT  | --family COMPRESSION: 'ZSDT' must be one of LZO, GZ, NONE, SNAPPY
          d:BLOCKSIZE=64K     | --family BLOCKSIZE: '64K' must be a whole number
          d:IN_MEMORY=yes     | --family IN_MEMORY: 'yes' must be true or false
          d:TTL=1d            | --family TTL: '1d' must be a number of seconds, or FOREVER
          d:BLOCKSIZE         | --family: 'BLOCKSIZE' must be ATTRIBUTE=VALUE
          d:                  | --family: '' must be ATTRIBUTE=VALUE
          .x                  | --family: '.x' must begin with a family's name
          """)
  void refusesWithArgumentValueAndWhatItMustBe(String text, String message) {
    assertThatThrownBy(() -> Attributes.Family.parse(text))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void tablesHaveAttributesOfTheirOwn() {
    assertThat(Attributes.ofTable("max_filesize=1000"))
        .isEqualTo(Map.entry("MAX_FILESIZE", "1000"));
    assertThat(Attributes.ofTable("a.b=c=d")).isEqualTo(Map.entry("a.b", "c=d"));
    assertThatThrownBy(() -> Attributes.ofTable("COMPRESSION=GZ"))
        .hasMessageStartingWith("--set: 'COMPRESSION=GZ' must name one of COMPACTION_ENABLED");
  }
}
