package io.offheap.hbase.operator.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

class CellSamplesTest {
  private static final TableName T = TableName.valueOf("t");

  private final List<TableName> polls = new ArrayList<>();
  private long now;
  private Optional<Map<String, Long>> response = Optional.of(Map.of("f", 4_000L));
  private final CellSamples samples = new CellSamples(() -> now);

  @Test
  void samplesTableOnceAndAgainAfterLongInterval() {
    assertThat(samples.largest(T, "f")).isEmpty();
    refresh(table("t", 65536));
    assertThat(samples.largest(T, "f")).hasValue(4_096);

    wait(Duration.ofMinutes(9));
    response = Optional.of(Map.of());
    refresh(table("t", 65536));
    assertThat(samples.largest(T, "f")).hasValue(4_096);

    wait(Duration.ofMinutes(1));
    refresh(table("t", 65536));
    assertThat(samples.largest(T, "f")).hasValue(0);
    assertThat(polls).hasSize(2);
  }

  @Test
  void samplesTableAtOnceIfDescriptorChangesOrTableIsEmpty() {
    refresh(table("t", 65536));
    response = Optional.of(Map.of());
    refresh(table("t", 131072));
    refresh(table("t", 131072));
    assertThat(polls).hasSize(3);
  }

  @Test
  void tableWithoutResponseKeepsItsSampleAndIsRetriedLater() {
    refresh(table("t", 65536));
    wait(Duration.ofMinutes(10));
    response = Optional.empty();
    refresh(table("t", 65536));
    wait(Duration.ofMinutes(1));
    refresh(table("t", 65536));
    assertThat(polls).hasSize(2);
    assertThat(samples.largest(T, "f")).hasValue(4_096);
  }

  @Test
  void roundSamplesLimitedNumberOfTablesAndNextRoundTheOthers() {
    var tables =
        IntStream.range(0, 150)
            .mapToObj(i -> table("t" + i, 65536))
            .toArray(TableDescriptor[]::new);
    refresh(tables);
    assertThat(polls).hasSize(100);
    refresh(tables);
    assertThat(polls).hasSize(150).doesNotHaveDuplicates();
  }

  @Test
  void dropsSampleOfDeletedTable() {
    refresh(table("t", 65536));
    refresh();
    assertThat(samples.largest(T, "f")).isEmpty();
  }

  private void wait(Duration time) {
    now += time.toNanos();
  }

  private void refresh(TableDescriptor... tables) {
    assertThat(
            samples.refresh(
                List.of(tables),
                name -> {
                  polls.add(name);
                  return CompletableFuture.completedFuture(response);
                }))
        .isCompleted();
  }

  private static TableDescriptor table(String name, int blockSize) {
    return TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
        .setColumnFamily(
            ColumnFamilyDescriptorBuilder.newBuilder("f".getBytes(UTF_8))
                .setBlocksize(blockSize)
                .build())
        .build();
  }
}
