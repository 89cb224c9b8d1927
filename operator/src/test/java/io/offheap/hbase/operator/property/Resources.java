package io.offheap.hbase.operator.property;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.domains.DomainContextBase;

/**
 * Random resources: two sizes and some changes, most of them plausible. A change that does not
 * matter to a failure is dropped when the failure is shrunk.
 */
class Resources extends DomainContextBase {
  private static final int MOST_CHANGES = 6;

  /** Share of the resources with a value that is wrong by itself. */
  private static final double WRONG = 0.2;

  /** A declared field beside the two sizes. */
  interface Change extends UnaryOperator<Resource> {}

  /** A block cache of each mode with the fields that go with it. */
  private static final List<Arbitrary<Change>> CACHES =
      List.of(
          blockCache("OffHeap"),
          blockCache("Lru"),
          blockCache("MetaOnly"),
          blockCache("Disabled"),
          size(1, 2_000_000, Resource.BUCKET_CACHE)
              .map(size -> it -> size.apply(it.with("blockCache.mode", "File"))),
          size(1, 4_000_000, "blockCache.file.storage.size")
              .map(size -> it -> size.apply(it.with("blockCache.mode", "File"))),
          size(1, 2_000_000, Resource.BUCKET_CACHE)
              .map(
                  size ->
                      it ->
                          size.apply(it.with("blockCache.mode", "File"))
                              .withConfig("hbase.bucketcache.rambuffer.enable", "true")),
          percent(5, 40).map(l1 -> blockCache("OffHeap", "l1Fraction", l1)),
          percent(5, 40).map(l1 -> blockCache("Lru", "l1Fraction", l1)),
          percent(10, 100).map(share -> shareOfOffHeap(Resource.BUCKET_CACHE, share)));

  /** All else that the planner reads. */
  private static final List<Arbitrary<Change>> FIELDS =
      List.of(
          size(1024, 409_600, Resource.LIMIT),
          size(1024, 409_600, Resource.LIMIT)
              .map(size -> it -> size.apply(it).without(Resource.HEAP).without(Resource.OFF_HEAP)),
          size(1024, 409_600, Resource.LIMIT)
              .map(size -> it -> size.apply(it).without(Resource.OFF_HEAP)),
          size(1, 409_600, "memory.workingSet")
              .map(
                  set ->
                      it ->
                          set.apply(it)
                              .with(Resource.LIMIT, "64Gi")
                              .without(Resource.HEAP)
                              .without(Resource.OFF_HEAP)),
          percent(1, 90).map(share -> shareOfOffHeap("memory.offHeapMemstore", share)),
          size(0, 400, "g1.survivorSize"),
          number(1, 10_000, "hfile.openFiles")
              .map(
                  files ->
                      it -> files.apply(it.withConfig("dfs.client.read.shortcircuit", "true"))),
          text(
              "profile",
              "Xiaomi",
              "Xiaomi-Cluster",
              "HBase-21879",
              "HBase-21879-No-Cache",
              "Offheap-Read-Path"),
          number(1, 96, "resources.limits.cpu"),
          text("disk", "SSD", "HDD", "Offline"),
          text("load", "Normal", "Heavy"),
          text("hfile.blockSize", "8Ki", "16Ki", "32Ki", "64Ki", "128Ki", "256Ki", "1Mi", "100k"),
          text("hfile.indexBlockSize", "32Ki", "64Ki", "128Ki", "256Ki"),
          text("hfile.bloomBlockSize", "32Ki", "64Ki", "128Ki", "512Ki"),
          number(1, 100_000, "hfile.cellSize"),
          size(1, 4096, "allocator.poolSize"),
          number(0, 66_560, "allocator.minimalAllocateSize"),
          number(1, 300, "handlers"),
          percent(5, 60).map(share -> fraction("memstoreFraction", share)));

  @Provide
  Arbitrary<Resource> resources() {
    var changes =
        Arbitraries.frequencyOf(
            Tuple.of(3, Arbitraries.oneOf(CACHES)),
            Tuple.of(12, Arbitraries.oneOf(FIELDS)),
            Tuple.of(4, Arbitraries.oneOf(KnownKeys.PLAUSIBLE)),
            Tuple.of(1, KnownKeys.anyValue()));
    var wrong = Wrong.fields().optional(WRONG);
    return Combinators.combine(
            heap(),
            offHeap(),
            changes.withoutEdgeCases().list().ofMaxSize(MOST_CHANGES),
            wrong.withoutEdgeCases())
        .as(Resources::resource);
  }

  /** Invalid values come last: some changes are shares of a size and need a valid one. */
  private static Resource resource(
      long heap, long offHeap, List<Change> changes, Optional<Change> wrong) {
    var resource = Resource.ofMib(heap, offHeap);
    for (var change : changes) {
      resource = change.apply(resource);
    }
    return wrong.isPresent() ? wrong.get().apply(resource) : resource;
  }

  private static Arbitrary<Long> heap() {
    return Arbitraries.frequencyOf(
        Tuple.of(3, Arbitraries.longs().between(256, 4096).shrinkTowards(1024)),
        Tuple.of(2, Arbitraries.longs().between(4096, 102_400)),
        Tuple.of(2, Arbitraries.longs().between(1, 100).map(gib -> gib * 1024)));
  }

  private static Arbitrary<Long> offHeap() {
    return Arbitraries.frequencyOf(
        Tuple.of(6, Arbitraries.longs().between(256, 8192).shrinkTowards(1024)),
        Tuple.of(3, Arbitraries.longs().between(8192, 204_800)),
        Tuple.of(4, Arbitraries.longs().between(1, 200).map(gib -> gib * 1024)),
        Tuple.of(1, Arbitraries.longs().between(16, 256).shrinkTowards(256)));
  }

  static Arbitrary<Integer> percent(int least, int most) {
    return Arbitraries.integers().between(least, most);
  }

  private static Arbitrary<Change> blockCache(String mode) {
    return Arbitraries.just(resource -> resource.with("blockCache.mode", mode));
  }

  private static Change blockCache(String mode, String field, int percent) {
    return resource ->
        fraction("blockCache." + field, percent).apply(resource.with("blockCache.mode", mode));
  }

  static Change fraction(String field, int percent) {
    return resource -> resource.with(field, BigDecimal.valueOf(percent, 2).toPlainString());
  }

  /** A size that has to stand in some relation to the budget, or nearly all would be refused. */
  private static Change shareOfOffHeap(String field, int percent) {
    return resource ->
        resource.with(
            field, Resource.mib(Math.max(1, resource.mibOf(Resource.OFF_HEAP) * percent / 100)));
  }

  private static Arbitrary<Change> size(long leastMib, long mostMib, String field) {
    return Arbitraries.longs()
        .between(leastMib, mostMib)
        .map(mib -> resource -> resource.with(field, Resource.mib(mib)));
  }

  private static Arbitrary<Change> number(int least, int most, String field) {
    return Arbitraries.integers()
        .between(least, most)
        .map(number -> resource -> resource.with(field, number));
  }

  private static Arbitrary<Change> text(String field, String... values) {
    return Arbitraries.of(values).map(value -> resource -> resource.with(field, value));
  }
}
