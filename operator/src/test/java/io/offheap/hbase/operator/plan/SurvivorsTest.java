package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.MIB;
import static io.offheap.hbase.operator.plan.DeclaredExample.regionServer;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The talk's server: 30 GiB, 960 regions of 32 MiB. */
class SurvivorsTest {
  @ParameterizedTest(name = "{0} MiB of age 1 at {1} %: SurvivorRatio {2}")
  @CsvSource({
    // 2 regions of survivors hold 32 MiB
    " 0, 1, 8",
    "32, 1, 8",
    "33, 1, 4",
    // the talk's 51 to 56 MB of age 1: its SurvivorRatio 4 holds 48 MiB at 1 %, 3 holds 48
    "48, 1, 4",
    "54, 1, 2",
    // at its NewSizePercent of 4, G1's default ratio holds them
    "54, 4, 8",
  })
  void ratioIsLargestUpTo8ThatHoldsSurvivors(long mib, int newPercent, String ratio) {
    var server =
        regionServer().survivors(mib * MIB).jvmOption("-XX:G1NewSizePercent=" + newPercent);

    assertThat(server.plan().setting(Target.JVM, "SurvivorRatio").orElseThrow().text())
        .isEqualTo(ratio);
  }

  @Test
  void refusalNamesLargestPossibleSurvivorSize() {
    regionServer()
        .survivors(1024 * MIB)
        .assertRefused(
            "too many survivors",
            "g1.survivorSize",
            "1Gi is over 304Mi, all that 2 % of 960 regions of 32 MiB hold;"
                + " needs spec.regionServers.jvmOptions[G1NewSizePercent] of at least 7");
  }
}
