package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.GIB;
import static io.offheap.hbase.operator.plan.DeclaredExample.regionServer;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.offheap.hbase.operator.plan.Declared.CacheMode;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Refused properties and options; each problem states what the value must be. */
class RefusedOverridesTest {
  private static final String NOT_XML =
      "has a control character or half a surrogate pair; must be printable text, tabs and"
          + " line ends";

  private static final String BUFFER_COUNT = "hbase.server.allocator.max.buffer.count";
  private static final String BUCKET_SIZE = "hbase.bucketcache.size";
  private static final String BUCKET_SIZES = "hbase.bucketcache.bucket.sizes";

  static Stream<Arguments> properties() {
    return Stream.of(
        arguments(
            "another root",
            regionServer().config("hbase.rootdir", "hdfs://other"),
            "config[hbase.rootdir]",
            "hbase.rootdir=hdfs://other is refused: spec.storage decides it"),
        arguments(
            "hedged reads",
            regionServer().config("dfs.client.hedged.read.threadpool.size", "10"),
            "config[dfs.client.hedged.read.threadpool.size]",
            "dfs.client.hedged.read.threadpool.size=10 is refused: hedged reads allocate each"
                + " block on the heap, not from the allocator's pool"),
        arguments(
            "HBase's heap memory tuner",
            regionServer().config("hfile.block.cache.size.max.range", "0.5"),
            "config[hfile.block.cache.size.max.range]",
            "hfile.block.cache.size.max.range=0.5 is refused: HBase's heap memory tuner would move"
                + " the shares of the heap that IHOP is derived from"),
        arguments(
            "no number",
            regionServer().config(BUFFER_COUNT, "many"),
            "config[" + BUFFER_COUNT + "]",
            BUFFER_COUNT + "=many must be a whole number, for example 1860"),
        arguments(
            "a number that would take a gigabyte to write out",
            regionServer().config(BUCKET_SIZE, "1e999999999"),
            "config[" + BUCKET_SIZE + "]",
            BUCKET_SIZE + "=1e999999999 must be a number, for example 27648"),
        arguments(
            "a bucket cache over 64 bits",
            regionServer().config(BUCKET_SIZE, "17592186072064"),
            "config[" + BUCKET_SIZE + "]",
            "bucket cache 17592186000000 MiB + allocator pool 118.1 MiB (1860 x 66560) + reserve"
                + " 1920 MiB must fit into spec.regionServers.memory.offHeap 30Gi, and a bucket of"
                + " each size into the cache; must be from 32 MiB to 28680 MiB"),
        arguments(
            "bucket sizes that HBase refuses",
            regionServer().config(BUCKET_SIZES, "5120,66000"),
            "config[" + BUCKET_SIZES + "]",
            "5120,66000 are not bucket sizes; must be multiples of 256 with commas between"),
        arguments(
            "bucket sizes without one for a block",
            regionServer().config(BUCKET_SIZES, "5120,9216"),
            "config[" + BUCKET_SIZES + "]",
            "a data block takes up to 66520 bytes and would not be cached; must have one size of at"
                + " least 66560"),
        arguments(
            "field and property",
            regionServer()
                .memstore("0.4")
                .config("hbase.regionserver.global.memstore.size", "0.45"),
            "config[hbase.regionserver.global.memstore.size]",
            "hbase.regionserver.global.memstore.size=0.45 contradicts"
                + " spec.regionServers.memstoreFraction, which is 0.4; declare it once"),
        arguments(
            "pool and count",
            regionServer().pool(2 * GIB).config(BUFFER_COUNT, "100"),
            "config[" + BUFFER_COUNT + "]",
            BUFFER_COUNT
                + "=100 contradicts spec.regionServers.allocator.poolSize, from which 32263"
                + " follows; change spec.regionServers.allocator.poolSize instead"),
        arguments(
            "handlers",
            regionServer().config("hbase.regionserver.handler.count", "9223372036854775807"),
            "config[hbase.regionserver.handler.count]",
            "hbase.regionserver.handler.count=9223372036854775807 contradicts"
                + " spec.regionServers.handlers, from which 30 follows; change"
                + " spec.regionServers.handlers instead"),
        arguments(
            "bucket cache in Lru",
            regionServer().mode(CacheMode.LRU).config(BUCKET_SIZE, "1024"),
            "config[" + BUCKET_SIZE + "]",
            BUCKET_SIZE
                + "=1024 must be left out: there is no bucket cache, because"
                + " spec.regionServers.blockCache.mode is Lru"),
        arguments(
            "a name with a space",
            regionServer().config("hbase.foo bar", "1"),
            "config",
            "'hbase.foo bar' is not a property; must be a name without spaces"),
        arguments(
            "a value that XML cannot hold",
            regionServer().config("hbase.foo", "a\u0001b"),
            "config[hbase.foo]",
            NOT_XML),
        arguments(
            "half a surrogate pair",
            regionServer().config("hbase.foo", "a\ud800b"),
            "config[hbase.foo]",
            NOT_XML),
        arguments(
            "a code point that is no character",
            regionServer().config("hbase.foo", "a\ufffeb"),
            "config[hbase.foo]",
            NOT_XML));
  }

  static Stream<Arguments> options() {
    return Stream.of(
        arguments(
            "another heap",
            regionServer().jvmOption("-Xmx40g"),
            "jvmOptions[Xmx]",
            "Xmx=40g contradicts spec.regionServers.memory.heap, from which 30g follows; change"
                + " spec.regionServers.memory.heap instead"),
        arguments(
            "another heap by its long name",
            regionServer().jvmOption("-XX:MaxHeapSize=40g"),
            "jvmOptions[Xmx]",
            "Xmx=40g contradicts spec.regionServers.memory.heap, from which 30g follows; change"
                + " spec.regionServers.memory.heap instead"),
        arguments(
            "an option that stops the JVM",
            regionServer().jvmOption("-XX:+PrintHeapAtGC"),
            "jvmOptions",
            "-XX:+PrintHeapAtGC stops a JDK 17, which has no such option; must be left out: GC is"
                + " logged by -Xlog"),
        arguments(
            "another collector",
            regionServer().jvmOption("-XX:+UseZGC"),
            "jvmOptions",
            "-XX:+UseZGC is another collector; must be left out: the plan is one for G1"),
        arguments(
            "no collector",
            regionServer().jvmOption("-XX:-UseG1GC"),
            "jvmOptions[UseG1GC]",
            "UseG1GC=false is refused; must be true: the plan is one for G1"),
        arguments(
            "a fixed young generation",
            regionServer().jvmOption("-Xmn2g"),
            "jvmOptions",
            "-Xmn2g fixes the young generation, which G1 must size; set -XX:G1NewSizePercent"),
        arguments(
            "more concurrent than parallel threads",
            regionServer().jvmOption("-XX:ConcGCThreads=17"),
            "jvmOptions[ConcGCThreads]",
            "ConcGCThreads 17 is over ParallelGCThreads 16, with which no JVM starts; must be at"
                + " most 16"),
        arguments(
            "one option twice",
            regionServer().jvmOption("-XX:SurvivorRatio=4").jvmOption("-XX:SurvivorRatio=5"),
            "jvmOptions",
            "SurvivorRatio is declared twice; declare it once"),
        arguments(
            "no number",
            regionServer().jvmOption("-XX:SurvivorRatio=four"),
            "jvmOptions[SurvivorRatio]",
            "SurvivorRatio=four must be a whole number, for example 8"),
        arguments(
            "out of range",
            regionServer().jvmOption("-XX:SurvivorRatio=0"),
            "jvmOptions[SurvivorRatio]",
            "SurvivorRatio=0 is out of range; must be from 1 to 64"),
        arguments(
            "regions too large for the heap",
            regionServer().heap(GIB).jvmOption("-XX:G1HeapRegionSize=32m"),
            "jvmOptions[G1HeapRegionSize]",
            "32m makes only 32 regions of the heap; must be smaller, for example 1m"),
        arguments(
            "two options in one entry",
            regionServer().jvmOption("-Da.b=c -Xmx40g"),
            "jvmOptions",
            "'-Da.b=c -Xmx40g' is not a JVM option; one option an entry, for example"
                + " -XX:Name=value"),
        arguments(
            "options from a file",
            regionServer().jvmOption("-XX:VMOptionsFile=/tmp/options"),
            "jvmOptions",
            "-XX:VMOptionsFile=/tmp/options hides options from the plan; must be one option an"
                + " entry"),
        arguments(
            "a stack that no thread can have",
            regionServer().jvmOption("-Xss100k"),
            "jvmOptions[Xss]",
            "-Xss100k is not a size from 136k to 1g; for example -Xss1m"),
        arguments(
            "a stack of letters",
            regionServer().jvmOption("-Xssfoo"),
            "jvmOptions[Xss]",
            "-Xssfoo is not a size from 136k to 1g; for example -Xss1m"),
        arguments(
            "an -X option that there is not",
            regionServer().jvmOption("-Xfoo"),
            "jvmOptions",
            "'-Xfoo' is not a JVM option; one option an entry, for example -XX:Name=value"),
        arguments(
            "jars of Hadoop that the image does not have",
            regionServer().jvmOption("-Dhbase.offheap.hadoop=stock"),
            "jvmOptions[hbase.offheap.hadoop]",
            "-Dhbase.offheap.hadoop=stock must be patched or published"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"properties", "options"})
  void refusesWithKeyAndReason(String why, DeclaredExample server, String field, String message) {
    server.assertRefused(why, field, message);
  }
}
