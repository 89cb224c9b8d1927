package io.offheap.hbase.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.api.HBaseClusterStatus.LiveStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.Table;
import io.offheap.hbase.operator.hbase.LiveTables;
import io.offheap.hbase.operator.plan.TableBlocks;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RememberedTablesTest {
  private static final long HELD = 66_560;
  private static final OptionalLong NO_WORKING_SET = OptionalLong.empty();

  private Optional<LiveStatus> remembered = Optional.empty();

  @Test
  void hasNoTablesUntilClusterResponds() {
    assertThat(unreachable(1)).isEmpty();
    assertThat(observe(1).orElseThrow().tables()).isEmpty();
  }

  @Test
  void onlyFamiliesThatAPlanWithoutThemWouldNotHoldAreRemembered() {
    observe(
        1,
        family("usual/f", 65536, 0),
        family("small/f", 8192, 20_480),
        family("cells/f", 65536, 1_280),
        new TableBlocks("index/f", 65536, 262_144, 0, 0),
        family("blocks/f", 131072, 0));
    assertThat(names()).containsExactly("index/f", "blocks/f", "cells/f");
  }

  @Test
  void whatIsRememberedOnlyGrowsWhileTheSpecIsTheSame() {
    observe(1, family("a/f", 131072, 4_096), family("b/f", 262144, 0));
    observe(1, family("a/f", 65536, 5_120));
    assertThat(remembered.orElseThrow().tables())
        .containsExactly(new Table("b/f", 262144, 0, 0, 0), new Table("a/f", 131072, 0, 0, 5_120));
  }

  @Test
  void nothingChangesWhereNothingIsRead() {
    observe(1, family("a/f", 131072, 4_096), family("b/f", 262144, 0));
    var before = remembered;
    assertThat(observe(1, family("b/f", 262144, 0), family("a/f", 131072, 1_024)))
        .isEqualTo(before);
    assertThat(unreachable(1)).isEqualTo(before);
    assertThat(unreachable(2)).isEqualTo(before);
  }

  @Test
  void aNewSpecTakesTheTablesOnceTheyAreRead() {
    observe(1, family("a/f", 131072, 4_096), family("b/f", 262144, 0));
    unreachable(2);
    observe(2, family("a/f", 131072, 1_024));
    assertThat(remembered)
        .contains(new LiveStatus(2L, List.of(new Table("a/f", 131072, 0, 0, 1_024)), null, null));
  }

  @Test
  void cellsThatCouldNotBeSampledStay() {
    observe(1, family("a/f", 131072, 4_096));
    remembered =
        new RememberedTables(2, remembered)
            .next(
                Optional.of(new LiveTables(List.of(family("a/f", 131072, 0)), Set.of("a/f"), true)),
                NO_WORKING_SET,
                () -> HELD);
    assertThat(remembered.orElseThrow().tables())
        .containsExactly(new Table("a/f", 131072, 0, 0, 4_096));
  }

  @Test
  void theFewWithTheLargestReadsAreKept() {
    observe(
        1,
        IntStream.rangeClosed(1, 20)
            .mapToObj(i -> family("t" + i + "/f", 100_000L * i, 0))
            .toArray(TableBlocks[]::new));
    assertThat(names())
        .containsExactly("t20/f", "t19/f", "t18/f", "t17/f", "t16/f", "t15/f", "t14/f", "t13/f");
  }

  @Test
  void theWorkingSetGrowsAndIsTakenAnewWithANewSpec() {
    assertThat(measures(1, 64).workingSet()).isEqualTo(64);
    assertThat(measures(1, 32).workingSet()).isEqualTo(64);
    assertThat(measures(1, 128).workingSet()).isEqualTo(128);
    unreachable(2);
    assertThat(remembered.orElseThrow().workingSet()).isEqualTo(128);
    assertThat(measures(2, 32).workingSet()).isEqualTo(32);
  }

  @Test
  void aWorkingSetAloneLeavesTheTables() {
    var live =
        new RememberedTables(1, Optional.empty())
            .next(Optional.empty(), OptionalLong.of(64), () -> HELD);
    assertThat(live.orElseThrow().tables()).isNull();
  }

  private Optional<LiveStatus> observe(long generation, TableBlocks... families) {
    var tables = new LiveTables(Arrays.asList(families), Set.of(), true);
    remembered =
        new RememberedTables(generation, remembered)
            .next(Optional.of(tables), NO_WORKING_SET, () -> HELD);
    return remembered;
  }

  private LiveStatus measures(long generation, long workingSet) {
    var tables = new LiveTables(List.of(), Set.of(), true);
    remembered =
        new RememberedTables(generation, remembered)
            .next(Optional.of(tables), OptionalLong.of(workingSet), () -> HELD);
    return remembered.orElseThrow();
  }

  private Optional<LiveStatus> unreachable(long generation) {
    remembered =
        new RememberedTables(generation, remembered)
            .next(Optional.empty(), NO_WORKING_SET, () -> HELD);
    return remembered;
  }

  private List<String> names() {
    return remembered.orElseThrow().tables().stream().map(Table::name).toList();
  }

  private static TableBlocks family(String name, long blockBytes, long cellBytes) {
    return new TableBlocks(name, blockBytes, 0, 0, cellBytes);
  }
}
