package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.DeclaredExample.regionServer;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a person declares past the typed fields, where it does not break the plan. */
class OverridesTest {
  @ParameterizedTest
  @CsvSource({
    "hfile.block.cache.size, 0.15",
    "hbase.regionserver.global.memstore.size, 0.3",
    "hbase.bucketcache.size, 20480",
    "hbase.server.allocator.buffer.size, 133120",
    "hbase.server.allocator.max.buffer.count, 4000",
    "hbase.server.allocator.minimal.allocate.size, 0",
    "hbase.hregion.memstore.mslab.chunksize, 1048576",
    "hbase.foo, bar",
  })
  void takesPropertyAndMarksItDeclared(String key, String value) {
    var plan = regionServer().config(key, value).plan();

    assertThat(plan.hbaseSite()).containsEntry(key, value);
    assertThat(plan.setting(Target.HBASE_SITE, key))
        .get()
        .extracting(Setting::provenance)
        .isEqualTo(Provenance.DECLARED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-XX:SurvivorRatio=4",
        "-XX:G1OldCSetRegionThresholdPercent=2",
        "-XX:G1HeapRegionSize=16m",
        "-XX:-ExitOnOutOfMemoryError",
        "-XX:+AlwaysPreTouch",
        "-XX:HeapDumpPath=/dumps",
        "-Xss2m",
        "-Xint",
        "-Xlog:gc:file=/logs/gc.log",
        "-Xloggc:/logs/gc.log",
        "-Da.property=a=b",
        "-Da.switch=true",
        "-Dnodots=value",
        "-Dnodots=false",
        "-Dnodots",
        "-javaagent:/agent.jar=port=1",
        "--add-opens=java.base/java.nio=ALL-UNNAMED",
        "-ea",
      })
  void passesOptionToJvmUnchanged(String option) {
    var plan = regionServer().jvmOption(option).plan();

    assertThat(plan.jvmOptions()).containsOnlyOnce(option);
    assertThat(plan.settings())
        .filteredOn(setting -> option.equals(JvmOption.text(setting.name(), setting.text())))
        .extracting(Setting::provenance)
        .containsExactly(Provenance.DECLARED);
  }

  @ParameterizedTest
  @CsvSource({"-Xmx30720m, -Xmx30g", "-XX:MaxHeapSize=30G, -Xmx30g", "-Xms30g, -Xms30g"})
  void permitsRepetitionOfDerivedValue(String option, String rendered) {
    assertThat(regionServer().jvmOption(option).plan().jvmOptions()).containsOnlyOnce(rendered);
  }

  @Test
  void derivesOtherValuesFromOverride() {
    var plan =
        regionServer()
            .config("hfile.block.cache.size", "0.2")
            .jvmOption("-XX:ParallelGCThreads=8")
            .jvmOption("-XX:G1HeapRegionSize=2m")
            .plan();

    assertThat(plan.jvmOptions())
        .contains("-XX:InitiatingHeapOccupancyPercent=75", "-XX:ConcGCThreads=2");
    assertThat(plan.hbaseSite()).containsEntry("hbase.hregion.memstore.mslab.chunksize", "1047552");
  }

  @Test
  void reasonOfOverrideNamesDerivedValue() {
    var setting =
        regionServer()
            .jvmOption("-XX:G1NewSizePercent=4")
            .plan()
            .setting(Target.JVM, "G1NewSizePercent");

    assertThat(setting)
        .get()
        .extracting(Setting::sentence)
        .isEqualTo(
            "declared in spec.regionServers.jvmOptions[G1NewSizePercent]; derived would be 2:"
                + " spec.regionServers.load Normal (Normal 2, Heavy 5)");
  }
}
