package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.DeclaredExample.regionServer;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.plan.Declared.CacheMode;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableFitTest {
  private static final TableBlocks SMALL = new TableBlocks("small (f)", 65536, 0, 0, 100);
  private static final TableBlocks LARGE = new TableBlocks("large (f)", 131072, 0, 0, 100);
  private static final TableBlocks WIDE = new TableBlocks("wide (f)", 65536, 0, 0, 4035);
  private static final String SIZE = "hbase.server.allocator.buffer.size";

  @Test
  void bufferHoldsLargestReadOfAllTables() {
    var plan = regionServer().table(SMALL).table(WIDE).table(LARGE).plan();

    var size = plan.setting(Target.HBASE_SITE, SIZE).orElseThrow();

    assertThat(size.text()).isEqualTo("133120");
    assertThat(size.sentence()).contains("live table large (f)");
    assertThat(TableFit.misfits(plan, List.of(SMALL, WIDE, LARGE))).isEmpty();
  }

  @Test
  void doesNotCombineBlockAndCellOfTwoTables() {
    var size = regionServer().table(WIDE).table(LARGE).site(SIZE);

    assertThat(size).isEqualTo(regionServer().table(LARGE).site(SIZE));
  }

  @Test
  void tablesThatFitDefaultBufferChangeNothing() {
    assertThat(regionServer().table(SMALL).plan()).isEqualTo(regionServer().plan());
  }

  @Test
  void declaredBufferWinsAndReasonNamesTableThatDoesNotFit() {
    var plan = regionServer().cell(939).table(SMALL).table(WIDE).plan();

    var size = plan.setting(Target.HBASE_SITE, SIZE).orElseThrow();

    assertThat(size.text()).isEqualTo("66560");
    assertThat(size.sentence()).contains("too small for live table wide (f)");
    assertThat(TableFit.misfits(plan, List.of(SMALL, WIDE)))
        .singleElement()
        .hasToString(
            "wide (f): a block read takes up to 69656 bytes: 1 buffer and 3096 bytes of heap; a"
                + " buffer of 70656 would hold it");
  }

  @Test
  void countsDeclaredChecksums() {
    var plan =
        regionServer()
            .config(SIZE, "66560")
            .config("hbase.hstore.bytes.per.checksum", "4096")
            .plan();

    // 66 + 66474 + 4 x 17
    assertThat(TableFit.misfits(plan, List.of(SMALL)))
        .extracting(TableFit.Misfit::readBytes)
        .containsExactly(66608L);
  }

  @Test
  void bufferHoldsIndexBlocksReadThroughPool() {
    var table = new TableBlocks("indexed (f)", 65536, 262144, 0, 0);

    assertThat(regionServer().table(table).site(SIZE)).isEqualTo("66560");
    assertThat(regionServer().mode(CacheMode.DISABLED).table(table).site(SIZE)).isEqualTo("264192");
  }
}
