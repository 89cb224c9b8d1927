package io.offheap.hbase.operator.property;

import io.offheap.hbase.operator.plan.BudgetItem;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Target;
import java.util.Locale;
import java.util.Optional;

/** A plan's values as numbers, worked out without the planner's own code. */
record PlanFigures(MemoryPlan plan) {
  private static final long MIB = 1L << 20;

  /** {@code ByteBufferArray} makes whole buffers of this size. */
  private static final long ARRAY_UNIT = 4 * MIB;

  static PlanFigures of(MemoryPlan plan) {
    return new PlanFigures(plan);
  }

  String site(String key) {
    return find(Target.HBASE_SITE, key).orElseThrow(() -> new AssertionError("no " + key));
  }

  String jvm(String key) {
    return find(Target.JVM, key).orElseThrow(() -> new AssertionError("no " + key));
  }

  private Optional<String> find(Target target, String key) {
    return plan.setting(target, key).map(Setting::text);
  }

  long siteNumber(String key) {
    return Long.parseLong(site(key));
  }

  long jvmNumber(String key) {
    return Long.parseLong(jvm(key));
  }

  /** G1 keeps ten percent of the heap free where no option says otherwise. */
  long reservePercent() {
    return find(Target.JVM, "G1ReservePercent").map(Long::valueOf).orElse(10L);
  }

  long jvmBytes(String key) {
    return bytes(jvm(key));
  }

  /** Bytes of a size as {@code java} takes it. */
  static long bytes(String text) {
    int last = text.length() - 1;
    int shift = 10 * (1 + "kmgt".indexOf(text.toLowerCase(Locale.ROOT).charAt(last)));
    return Long.parseLong(shift == 0 ? text : text.substring(0, last)) << shift;
  }

  long budget(String item) {
    return plan.budget().stream()
        .filter(part -> part.item().equals(item))
        .mapToLong(BudgetItem::bytes)
        .sum();
  }

  long poolBytes() {
    return siteNumber("hbase.server.allocator.buffer.size")
        * siteNumber("hbase.server.allocator.max.buffer.count");
  }

  /** Bytes of a block for each checksum: HBase's own, where a plan has none. */
  long bytesPerChecksum() {
    return find(Target.HBASE_SITE, "hbase.hstore.bytes.per.checksum")
        .map(Long::valueOf)
        .orElse(16_384L);
  }

  /** MiB of the bucket cache; 0 where there is none. */
  double bucketCacheMib() {
    return find(Target.HBASE_SITE, "hbase.bucketcache.size").map(Double::valueOf).orElse(0.0);
  }

  /** What the RAM buffer takes of the direct memory: none where it is off, or before no file. */
  long ramBufferBytes() {
    boolean on =
        find(Target.HBASE_SITE, "hbase.bucketcache.rambuffer.enable")
            .filter("true"::equals)
            .isPresent();
    boolean isFile =
        find(Target.HBASE_SITE, "hbase.bucketcache.ioengine")
            .filter(engine -> engine.startsWith("file:"))
            .isPresent();
    return on && isFile
        ? (siteNumber("hbase.bucketcache.rambuffer.size") * MIB + ARRAY_UNIT - 1)
            / ARRAY_UNIT
            * ARRAY_UNIT
        : 0;
  }

  /** What the bucket cache takes of the direct memory: none where it is kept in a file. */
  long directBucketCacheBytes() {
    boolean direct =
        find(Target.HBASE_SITE, "hbase.bucketcache.ioengine").filter("offheap"::equals).isPresent();
    return direct ? (long) Math.ceil(bucketCacheMib() * MIB / ARRAY_UNIT) * ARRAY_UNIT : 0;
  }

  long offHeapMemstoreBytes() {
    return find(Target.HBASE_SITE, "hbase.regionserver.offheap.global.memstore.size")
        .map(mib -> Long.parseLong(mib) * MIB)
        .orElse(0L);
  }
}
