package io.offheap.hbase.operator.plan;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A JVM stops at an option that the table refuses, and starts with others. */
class JvmFlagsIT {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "-XX:NoSuchFlag=1",
        "-XX:+MaxMetaspaceSize",
        "-XX:MaxMetaspaceSize=x",
        "-XX:MaxMetaspaceSize=64m",
        "-XX:MaxMetaspaceSize=0x4000000",
        "-XX:MaxMetaspaceSize=0x10000k",
        "-XX:MaxMetaspaceSize=64mm",
        "-XX:MaxMetaspaceSize=+67108864",
        "-XX:MaxMetaspaceSize=0067108864",
        "-XX:MaxMetaspaceSize=99999999999999999999",
        "-XX:G1ReservePercent=51",
        "-XX:G1ReservePercent=-1",
        "-XX:G1ReservePercent=20",
        "-XX:MaxRAMPercentage=50.5",
        "-XX:MaxRAMPercentage=1e1",
        "-XX:MaxRAMPercentage=.5",
        "-XX:MaxRAMPercentage=NaN",
        "-XX:MaxRAMPercentage=101",
        "-XX:+PrintInlining",
        "-XX:+HeapDumpPath",
        "-XX:HeapDumpPath=/dumps",
        "-XX:+UseFastAccessorMethods",
        "-XX:G1MaxNewSizePercent=50",
        "-XX:MinHeapDeltaBytes=1t",
      })
  void tableAgreesWithTheJvm(String text) throws IOException, InterruptedException {
    var option = JvmOption.parse(text).orElseThrow();

    boolean refused = JvmFlags.OF_THE_IMAGE.refusal(option, Map.of()).isPresent();

    var jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UnlockExperimentalVMOptions",
                text,
                "-version")
            .redirectErrorStream(true)
            .start();
    var output = new String(jvm.getInputStream().readAllBytes(), UTF_8);
    assertThat(jvm.waitFor() != 0).as("refused by the JVM: %s", output).isEqualTo(refused);
  }
}
