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
 * The largest sampled cells of a cluster's tables. A table is sampled when it is new or its
 * descriptor has changed, then at long intervals; sooner if it had no cell or did not respond. A
 * round samples a limited number of tables, one after the other, those that have waited longest
 * first, and ends early at its deadline.
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
   * Rounded size of the largest sampled cell of a family, 0 if it is at most the usual size; empty
   * until the table has responded.
   */
  OptionalLong largest(TableName table, String family) {
    return Optional.ofNullable(samples.get(table))
        .flatMap(Sample::cells)
        .map(cells -> OptionalLong.of(CellSizes.rounded(cells.getOrDefault(family, 0L))))
        .orElseGet(OptionalLong::empty);
  }

  /**
   * Samples the tables that are due.
   *
   * @param tables all tables of the cluster; samples of other tables are dropped
   * @param sampler returns the largest cell by family, or empty if the table does not respond;
   *     never fails
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
