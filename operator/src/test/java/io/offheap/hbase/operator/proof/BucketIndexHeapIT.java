package io.offheap.hbase.operator.proof;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.offheap.hbase.operator.plan.BucketIndex;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@link BucketIndex} covers the heap of a real bucket cache with a small margin. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("verify")
class BucketIndexHeapIT {
  private static final long MIB = 1L << 20;

  @TempDir Path directory;

  @ParameterizedTest(name = "{0}, heap of {1} MiB")
  @CsvSource({
    "offheap, 1024, +UseCompressedOops",
    "persistent-file, 32736, +UseCompressedOops",
    "offheap, 32737, -UseCompressedOops",
    "persistent-file, 65536, -UseCompressedOops"
  })
  void cachedBlockTakesPlannedHeap(String engine, long heapMib, String pointers) throws Exception {
    var measured = measure(engine, pointers);
    long index = measured.get(0);
    long locks = measured.get(1);

    assertThat(BucketIndex.bytesPerBlock(heapMib * MIB))
        .as("index, measured %s", measured)
        .isGreaterThanOrEqualTo(index)
        .isCloseTo(index, withinPercentage(10));
    assertThat(lockBytesPerBlock(heapMib * MIB))
        .as("locks, measured %s", measured)
        .isGreaterThanOrEqualTo(locks)
        .isCloseTo(locks, withinPercentage(10));
  }

  /** A JVM decides about compressed pointers at its start; a heap of this size stands for any. */
  @ParameterizedTest(name = "heap of {0} MiB")
  @CsvSource({"1024, true", "32736, true", "32737, false", "65536, false"})
  void pointersAreCompressedAsPlanned(long heapMib, boolean compressed) throws Exception {
    var flags = java(List.of("-Xmx" + heapMib + "m", "-XX:+PrintFlagsFinal", "-version"));

    assertThat(flags).containsPattern("UseCompressedOops +=\\s+" + compressed);
    assertThat(BucketIndex.bytesPerBlock(heapMib * MIB))
        .isEqualTo(BucketIndex.bytesPerBlock(compressed ? MIB : 1024 * 1024 * MIB));
  }

  private List<Long> measure(String engine, String pointers) throws Exception {
    var output =
        java(
            List.of(
                "-Xms512m",
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:" + pointers,
                "-cp",
                System.getProperty("java.class.path"),
                BucketIndexMeasurement.class.getName(),
                directory.toString(),
                engine));
    var last = output.lines().filter(line -> line.matches("\\d+ \\d+")).toList();
    assertThat(last).as(output).hasSize(1);
    return Arrays.stream(last.get(0).split(" ")).map(Long::valueOf).toList();
  }

  private static String java(List<String> arguments) throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(arguments);
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  /**
   * The locks of published HBase, which the Javadoc of {@link BucketIndex} states and no plan
   * counts.
   */
  private static long lockBytesPerBlock(long heapBytes) {
    return BucketIndex.bytesPerBlock(heapBytes) == BucketIndex.bytesPerBlock(1 << 30) ? 248 : 344;
  }
}
