package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.MIB;
import static io.offheap.hbase.operator.plan.DeclaredBuilder.regionServer;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.plan.Declared.CacheMode;
import io.offheap.hbase.operator.plan.Declared.Load;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A JVM, started with exactly a plan's options, runs with the values that the plan says. */
class JvmStartsTest {
  private static final Pattern FLAG = Pattern.compile("\\s*\\w+ (\\w+) += (\\S*).*");

  static Stream<DeclaredBuilder> servers() {
    return Stream.of(
        small(256),
        small(256).cores(1),
        small(300).load(Load.HEAVY),
        small(512).cores(2),
        small(512).mode(CacheMode.LRU),
        small(512).mode(CacheMode.DISABLED),
        small(777).memstore("0.3"),
        small(1024).load(Load.HEAVY).cores(3),
        small(1024).jvmOption("-XX:SurvivorRatio=4").jvmOption("-XX:G1NewSizePercent=4"),
        small(1024).jvmOption("-XX:G1HeapRegionSize=8m"),
        small(1021).jvmOption("-XX:G1HeapRegionSize=8m"),
        small(1024)
            .jvmOption("-XX:ParallelGCThreads=3")
            .jvmOption("-XX:ConcGCThreads=3")
            .jvmOption("-XX:-ParallelRefProcEnabled")
            .jvmOption("-Dproperty=true")
            .jvmOption("--add-opens=java.base/java.nio=ALL-UNNAMED"));
  }

  private static DeclaredBuilder small(long heapMib) {
    return regionServer().heap(heapMib * MIB).offHeap(512 * MIB).cores(4);
  }

  @ParameterizedTest
  @MethodSource("servers")
  void withTheOptionsOfThePlan(DeclaredBuilder server) throws Exception {
    var plan = server.plan();

    var flags = java(plan.jvmOptions());

    for (var flag :
        List.of(
            "G1NewSizePercent",
            "G1OldCSetRegionThresholdPercent",
            "G1MixedGCCountTarget",
            "G1UseAdaptiveIHOP",
            "InitiatingHeapOccupancyPercent",
            "MaxGCPauseMillis",
            "MaxTenuringThreshold",
            "SurvivorRatio",
            "ParallelGCThreads",
            "ConcGCThreads",
            "ParallelRefProcEnabled")) {
      assertThat(flags).containsEntry(flag, value(plan, flag));
    }
    assertThat(flags)
        .containsEntry("G1HeapRegionSize", bytes(plan, "G1HeapRegionSize"))
        .containsEntry("MaxDirectMemorySize", bytes(plan, "MaxDirectMemorySize"))
        .containsEntry("MaxHeapSize", Long.toString(server.budget("heap")));
  }

  private static String value(MemoryPlan plan, String key) {
    return plan.setting(Target.JVM, key).orElseThrow().value();
  }

  private static String bytes(MemoryPlan plan, String key) {
    return Long.toString(Bytes.parseJvm(value(plan, key)));
  }

  /** Starts a JVM and returns the flags that it came to run with. */
  private static Map<String, String> java(List<String> options)
      throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add("-XX:+PrintFlagsFinal");
    command.add("-version");
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as("%s%n%s", command, output).isZero();

    var flags = new HashMap<String, String>();
    output
        .lines()
        .map(FLAG::matcher)
        .filter(match -> match.matches())
        .forEach(match -> flags.put(match.group(1), match.group(2)));
    return flags;
  }
}
