package io.offheap.hbase.operator.hbase;

import java.time.Duration;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * The largest cells of a cluster's tables, as far as they were sampled. A table is sampled when it
 * is new or its descriptor is another, then at long intervals; sooner where it had no cell yet or
 * did not answer. A round takes a number of tables, those that wait longest first, one after the
 * other, and ends early when its time is over.
 */
final class CellSamples {
  private static final int TABLES = 1_000;
  private static final int TABLES_PER_ROUND = 100;
  private static final Duration LONGEST_ROUND = Duration.ofSeconds(20);
  private static final Duration AGAIN = Duration.ofMinutes(10);
  private static final Duration AGAIN_AFTER_FAILURE = Duration.ofMinutes(2);

  private final Map<TableName, Sample> samples = new ConcurrentHashMap<>();
  private final LongSupplier nanoTime;

  private record Sample(int descriptor, long dueNanos, Optional<Map<String, Long>> cells) {}

  CellSamples(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * Rounded size of the largest cell of a family that was seen, 0 where none is over the usual;
   * nothing while its table has not answered.
   */
  OptionalLong largest(TableName table, String family) {
    return Optional.ofNullable(samples.get(table))
        .flatMap(Sample::cells)
        .map(cells -> OptionalLong.of(CellSizes.rounded(cells.getOrDefault(family, 0L))))
        .orElseGet(OptionalLong::empty);
  }

  /**
   * Samples what is due.
   *
   * @param tables all tables that there are; what is known of others is forgotten
   * @param sampler largest cell by family, nothing where the table does not answer; never fails
   */
  CompletableFuture<Void> refresh(
      List<TableDescriptor> tables,
      Function<TableName, CompletableFuture<Optional<Map<String, Long>>>> sampler) {
    samples
        .keySet()
        .retainAll(tables.stream().map(TableDescriptor::getTableName).collect(Collectors.toSet()));
    long now = nanoTime.getAsLong();
    var due =
        tables.stream()
            .filter(table -> isDue(table, now))
            .sorted(Comparator.comparingLong(table -> waitingSince(table, now)))
            .limit(TABLES_PER_ROUND)
            .iterator();
    return refreshEach(due, now + LONGEST_ROUND.toNanos(), sampler);
  }

  private boolean isDue(TableDescriptor table, long now) {
    var sample = samples.get(table.getTableName());
    return sample == null
        ? samples.size() < TABLES
        : sample.descriptor() != table.hashCode() || now - sample.dueNanos() >= 0;
  }

  private long waitingSince(TableDescriptor table, long now) {
    var sample = samples.get(table.getTableName());
    return sample == null ? Long.MIN_VALUE : sample.dueNanos() - now;
  }

  private CompletableFuture<Void> refreshEach(
      Iterator<TableDescriptor> due,
      long end,
      Function<TableName, CompletableFuture<Optional<Map<String, Long>>>> sampler) {
    if (!due.hasNext() || nanoTime.getAsLong() - end >= 0) {
      return CompletableFuture.completedFuture(null);
    }
    var table = due.next();
    return sampler
        .apply(table.getTableName())
        .thenAccept(cells -> keep(table, cells))
        .thenCompose(done -> refreshEach(due, end, sampler));
  }

  private void keep(TableDescriptor table, Optional<Map<String, Long>> cells) {
    long now = nanoTime.getAsLong();
    samples.compute(
        table.getTableName(),
        (name, before) -> {
          var wait =
              cells.isEmpty() ? AGAIN_AFTER_FAILURE : cells.get().isEmpty() ? Duration.ZERO : AGAIN;
          return new Sample(
              table.hashCode(),
              now + wait.toNanos(),
              cells.or(() -> before == null ? Optional.empty() : before.cells()));
        });
  }
}
