package io.offheap.hbase.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.api.BlockCacheSpec;
import io.offheap.hbase.operator.api.HFileSpec;
import io.offheap.hbase.operator.plan.JvmOption;
import io.offheap.hbase.operator.plan.Kind;
import io.offheap.hbase.operator.plan.Target;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/**
 * The registered defaults of options, and the options that stop a JVM, are those of this JDK 17.
 */
class JvmDefaultsIT {
  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

  @ParameterizedTest
  @CsvSource({
    "1, 512m", "2, 1g", "3, 3g", "4, 4g", "8, 5g", "9, 8g", "16, 9g", "24, 16g", "32, 17g"
  })
  void equalsDefaultOfJvm(int cores, String heap) throws Exception {
    var flags = flags("-XX:ActiveProcessorCount=" + cores, "-Xmx" + heap, "-XX:+UseG1GC");
    var running = running(cores, bytes(heap), OptionalLong.empty());

    for (String name :
        List.of(
            "MaxGCPauseMillis",
            "G1UseAdaptiveIHOP",
            "InitiatingHeapOccupancyPercent",
            "G1HeapRegionSize",
            "G1NewSizePercent",
            "SurvivorRatio",
            "MaxTenuringThreshold",
            "G1MixedGCCountTarget",
            "G1OldCSetRegionThresholdPercent",
            "G1ReservePercent",
            "G1HeapWastePercent",
            "ParallelGCThreads",
            "ConcGCThreads",
            "ParallelRefProcEnabled")) {
      var value = option(name, running).orElseThrow();
      var bytes = Kind.JVM_SIZE.read(value).map(String::valueOf).orElse(value);
      assertThat(flags).as("%s, %d cores, heap %s", name, cores, heap).containsEntry(name, bytes);
    }
  }

  @Test
  void oneCoreSelectsSerialCollector() throws Exception {
    for (int cores : new int[] {1, 2}) {
      assertThat(flags("-XX:ActiveProcessorCount=" + cores, "-XX:MaxRAM=4g"))
          .containsEntry(
              "UseG1GC",
              option("UseG1GC", running(cores, 1L << 30, OptionalLong.of(4L << 30))).get());
    }
  }

  @Test
  void defaultHeapIsQuarterOfMemory() throws Exception {
    var flags = flags("-XX:MaxRAM=8g", "-XX:ActiveProcessorCount=4");

    assertThat(flags)
        .containsEntry("MaxHeapSize", Long.toString(2L << 30))
        .containsEntry(
            "InitialHeapSize",
            Long.toString(
                bytes(option("Xms", running(4, 2L << 30, OptionalLong.of(8L << 30))).get())));
    assertThat(new BigDecimal(flags.get("MaxRAMPercentage")))
        .isEqualByComparingTo(
            option("MaxRAMPercentage", running(4, 2L << 30, OptionalLong.empty())).get());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "+UseParNewGC",
        "+CMSParallelRemarkEnabled",
        "CMSInitiatingOccupancyFraction=70",
        "+UseCMSInitiatingOccupancyOnly",
        "+PrintGCDateStamps",
        "+PrintGCCause",
        "+PrintGCApplicationConcurrentTime",
        "+PrintReferenceGC",
        "+PrintPromotionFailure",
        "+UseGCLogFileRotation",
        "NumberOfGCLogFiles=5",
        "GCLogFileSize=10m",
        "MaxPermSize=1m",
        "+AggressiveOpts",
        "+UseParallelOldGC",
        "+G1SummarizeRSetStats",
        "G1LogLevel=finest",
        "+UseCGroupMemoryLimitForHeap",
        "+PrintGCDetails",
        "+AlwaysPreTouch",
        "+UseNUMA",
        "+ExplicitGCInvokesConcurrent",
        "+PerfDisableSharedMem"
      })
  void refusesOptionsThatStopTheJvm(String flag) throws Exception {
    var process =
        new ProcessBuilder(JAVA.toString(), "-XX:" + flag, "-version")
            .redirectErrorStream(true)
            .start();
    process.getInputStream().readAllBytes();

    assertThat(JvmOption.isRemoved(flag.replaceAll("^\\+|=.*", "")))
        .isEqualTo(process.waitFor() != 0);
  }

  private static Optional<String> option(String name, RunningConfiguration running) {
    Function<String, Optional<String>> others = other -> option(other, running);
    return running.ownDefault(Target.JVM, name, others);
  }

  private static RunningConfiguration running(int cores, long heap, OptionalLong limit) {
    var machine = new Machine();
    // An empty command with the options of the machine.
    var command =
        CommandLine.Model.CommandSpec.create()
            .addMixin("machine", CommandLine.Model.CommandSpec.forAnnotatedObject(machine));
    new CommandLine(command).parseArgs("--cores", Integer.toString(cores));
    var mode = new BlockCacheSpec(BlockCacheSpec.Mode.Lru, null, null, null);
    var blocks = new HFileSpec(null, null, null, null, null);
    return new RunningConfiguration(heap, heap, limit, mode, blocks, 30, 0, false, machine);
  }

  private static Map<String, String> flags(String... options)
      throws IOException, InterruptedException {
    var line = new ArrayList<>(List.of(JAVA.toString()));
    line.addAll(List.of(options));
    line.addAll(List.of("-XX:+UnlockExperimentalVMOptions", "-XX:+PrintFlagsFinal", "-version"));
    var process = new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    return output
        .lines()
        .map(String::strip)
        .map(it -> it.split("\\s+"))
        .filter(it -> it.length > 3 && it[2].equals("="))
        .collect(Collectors.toMap(it -> it[1], it -> it[3], (one, other) -> one));
  }

  private static long bytes(String size) {
    return Kind.JVM_SIZE.read(size).orElseThrow();
  }
}
