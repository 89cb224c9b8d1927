package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.DeclaredExample.regionServer;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.plan.Declared.CacheMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Options that the image's JVM would stop at are refused before a pod runs. */
class JvmFlagsTest {
  private static final Pattern BASE_IMAGE =
      Pattern.compile("ARG BASE_IMAGE=eclipse-temurin:(\\d+)-jdk");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-XX:NoSuchFlag=1          | is not an option of a JDK 17",
        "-XX:MaxMetaspaceSiz=20m   | is not an option of a JDK 17; the nearest option is"
            + " -XX:MaxMetaspaceSize=1",
        "-XX:+UseFastUnorderedTime | is not an option of a JDK 17; the nearest option is"
            + " -XX:+UseFastUnorderedTimeStamps or -XX:-UseFastUnorderedTimeStamps",
        "-XX:+MaxMetaspaceSize     | takes a whole number from 0 to 18446744073709551615;"
            + " for example -XX:MaxMetaspaceSize=1",
        "-XX:MaxMetaspaceSize=x    | takes a whole number from 0 to 18446744073709551615;"
            + " for example -XX:MaxMetaspaceSize=1",
        "-XX:AlwaysPreTouch=1      | is a switch; must be -XX:+AlwaysPreTouch or"
            + " -XX:-AlwaysPreTouch",
        "-XX:+HeapDumpPath         | takes a text; for example -XX:HeapDumpPath=text",
        "-XX:MaxRAMPercentage=101  | is out of range; must be a number from 0 to 100",
        "-XX:MaxRAMPercentage=1e1  | takes a number from 0 to 100; for example"
            + " -XX:MaxRAMPercentage=1",
        "-XX:G1ReservePercent=51   | is out of range; must be a whole number from 0 to 50",
        "-XX:G1ReservePercent=-1   | is out of range; must be a whole number from 0 to 50",
        "-XX:+PrintInlining        | is diagnostic, and a JDK 17 stops at it;"
            + " must have -XX:+UnlockDiagnosticVMOptions beside it",
      })
  void refusesOptionThatStopsTheJvm(String option, String message) {
    assertThat(regionServer().jvmOption(option).problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.field()).startsWith("spec.regionServers.jvmOptions[");
              assertThat(problem.message()).startsWith(option.strip() + " " + message);
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-XX:MaxMetaspaceSize=0x1000000",
        "-XX:G1ReservePercent=20",
        "-XX:MaxRAMPercentage=50.5",
        "-XX:HeapDumpPath=/dumps",
        "-XX:G1MaxNewSizePercent=50",
        "-XX:+UseStringDeduplication",
        "-XX:StartFlightRecording=filename=/tmp/x.jfr",
      })
  void passesOnOptionThatTheJvmAccepts(String option) {
    assertThat(regionServer().jvmOption(option).plan().jvmOptions()).contains(option);
  }

  @Test
  void putsOptionAfterTheOneThatUnlocksIt() {
    assertThat(
            regionServer()
                .jvmOption("-XX:+PrintInlining")
                .jvmOption("-XX:+UnlockDiagnosticVMOptions")
                .plan()
                .jvmOptions())
        .containsSubsequence("-XX:+UnlockDiagnosticVMOptions", "-XX:+PrintInlining");
  }

  @Test
  void warnsOfImageWithAnotherVersion() {
    var plan = regionServer().imageJava(21).jvmOption("-XX:+ZGenerational").plan();

    assertThat(plan.jvmOptions()).contains("-XX:+ZGenerational");
    assertThat(plan.setting(Target.JVM, "ZGenerational").orElseThrow().sentence())
        .startsWith(
            "declared in spec.regionServers.jvmOptions[ZGenerational]; warning: is not an option"
                + " of a JDK 17")
        .endsWith("and the options of the image's JDK 21 are unknown");
  }

  @ParameterizedTest
  @EnumSource(CacheMode.class)
  void tableAcceptsDerivedOptions(CacheMode mode) {
    var options = new ArrayList<JvmOption>();
    regionServer().mode(mode).plan().jvmOptions().stream()
        .flatMap(option -> JvmOption.parse(option).stream())
        .forEach(options::add);

    assertThat(options)
        .hasSizeGreaterThan(15)
        .allSatisfy(
            option -> assertThat(JvmFlags.OF_THE_IMAGE.refusal(option, Map.of())).isEmpty());
  }

  @Test
  void tableIsForVersionOfImage() throws IOException {
    var dockerfile = Files.readString(Path.of("..", "images", "hbase", "Dockerfile"));
    var image = BASE_IMAGE.matcher(dockerfile);

    assertThat(image.find()).isTrue();
    assertThat(image.group(1)).isEqualTo(Integer.toString(JvmFlags.OF_THE_IMAGE.java()));
    assertThat(JvmFlags.OF_THE_IMAGE.byName()).hasSizeGreaterThan(800);
  }
}
