package io.offheap.hbase.operator.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hbase.thirdparty.io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Cells that HBase's client could not parse are refused before it does; cells that take more heap
 * than their bytes are estimated higher.
 */
class ResponseCellsTest {
  private static final int MOST = 1 << 20;

  private final TableNames.OfCluster tables = new TableNames(MOST).of(new ResourceID("hb", "ns"));

  private long weigh(byte[] cells) throws IOException {
    return ResponseCells.weight(
        new DataInputStream(new ByteArrayInputStream(cells)), cells.length, tables, MOST);
  }

  @ParameterizedTest
  @ValueSource(ints = {5, Integer.MAX_VALUE, -1})
  void refusesCellLongerThanResponse(int length) {
    var cells = Unpooled.buffer().writeInt(length).writeInt(0);

    assertThatThrownBy(() -> weigh(Arrays.copyOf(cells.array(), 8)))
        .isInstanceOf(InvalidResponseException.class)
        .hasMessageContaining("a cell that is longer than its response");
  }

  /** HBase's client puts a broken cell of 16 MiB into a text of 60. */
  @Test
  void refusesEachCellThatHBaseCannotRead() throws IOException {
    var whole = Cells.of("row", "f", "q", 3);
    assertThat(weigh(whole)).isEqualTo(5L * whole.length);
    // All but the bytes of the row, the family, the column, the end of the timestamp and the value.
    IntStream.of(4, 5, 6, 7, 8, 9, 10, 11, 12, 17, 20, 28)
        .forEach(
            at -> {
              var broken = whole.clone();
              broken[at] = (byte) 0xc0;
              assertThatThrownBy(
                      () ->
                          KeyValueUtil.createKeyValueFromInputStream(
                              new ByteArrayInputStream(broken), false))
                  .as("HBase reads no byte of %d", at)
                  .isInstanceOf(IllegalArgumentException.class);
              assertThatThrownBy(() -> weigh(broken))
                  .as("byte %d", at)
                  .hasMessage("sent a cell that cannot be read");
            });
    assertThatThrownBy(() -> weigh(new byte[] {0, 0, 0, 4, 0, 0, 0, 0}))
        .hasMessage("sent a cell that cannot be read");
  }

  /** HBase's client parses it, and keeps the name of its table for ever. */
  @Test
  void regionInMetaTableWeighsAsRegionAndNamesItsTable() throws IOException {
    for (int i = 0; i < 1_500; i++) {
      tables.add("default".getBytes(UTF_8), ("t" + i).getBytes(UTF_8));
    }
    var region =
        RegionInfo.toByteArray(RegionInfoBuilder.newBuilder(TableName.valueOf("t1")).build());
    var cell = Cells.of("row", "info", "regioninfo", region);
    assertThat(weigh(cell)).isGreaterThan(5L * cell.length + 500);
    assertThat(weigh(Cells.of("row", "other", "regioninfo", region))).isLessThan(5L * 100);

    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 2_000; i++) {
                var next = RegionInfoBuilder.newBuilder(TableName.valueOf("n" + i)).build();
                weigh(Cells.of("row", "info", "regioninfo", RegionInfo.toByteArray(next)));
              }
            })
        .hasMessageContaining("the names of all clusters' tables");
  }

  /** HBase's client makes a list entry for each replica up to the highest id. */
  @Test
  void refusesTooManyReplicas() throws IOException {
    var few = Cells.of("row", "info", "server_0064", 0);
    assertThat(weigh(few)).isGreaterThan(100 * 500);
    assertThatThrownBy(() -> weigh(Cells.of("row", "info", "server_FFFF", 0)))
        .hasMessageContaining("replica 65535; must be at most 100");
    assertThatCode(() -> weigh(Cells.of("row", "f", "server_FFFF", 0))).doesNotThrowAnyException();
  }
}
