package io.offheap.hbase.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatusCommandTest {
  private static final Path ROLLOUT = Path.of("src/test/resources/cli/status/rollout.yaml");
  private static final Instant NOW = Instant.parse("2026-11-24T12:05:00Z");

  @TempDir private Path folder;

  private static String screen(Path file, boolean color) throws RefusedException {
    return new StatusScreen(color, NOW).text(ObservedCluster.read(file.toString()));
  }

  @Test
  void showsRolloutOnOneScreen() throws Exception {
    assertThat(screen(ROLLOUT, false))
        .isEqualTo(
            """
            shop/demo  not ready  region servers 2/3
            plan e3c4d129d4: heap 1g, off-heap 576m, container 2076Mi
            the operator has not read this version of the spec yet

            REGION SERVER                        STATE       REGIONS  PLAN
            demo-regionserver-0                  Outdated          9  28f50296b3
            demo-regionserver-1                  Draining          4  28f50296b3
            demo-regionserver-2                  Serving           8  e3c4d129d4

            Rollout  since 5m  [##########....................] 1 of 3 region servers
              demo-regionserver-1: Drain for 10s
              waits: its regions are being moved away

            Tuning
              group default: a window is filled
                hbase.server.allocator.max.buffer.count = 620  (PoolTooSmall)
                waits for approval: {G1MixedGCCountTarget=64} by MixedTooLong; kubectl hbc tuning demo approve a1b2, or dismiss a1b2

            CONDITION       STATUS   WHY
            Ready           False    WaitingForRegionServers: ready pods: demo-regionserver 2/3
            Planned         True     Planned

            AGO      EVENT                MESSAGE
            2m       CanaryEnded          demo-regionserver-2 is no worse
            60s      HeldBack             two lines and \\u001b[31m a colour
            """);
  }

  @Test
  void escapesControlCharacters() throws Exception {
    var colored = screen(ROLLOUT, true);

    assertThat(colored).contains("\u001b[1mshop/demo\u001b[0m", "\\u001b[31m a colour");
    assertThat(colored.lines().filter(it -> it.contains("HeldBack")))
        .singleElement()
        .asString()
        .startsWith("\u001b[33m")
        .endsWith("\u001b[0m");
  }

  @Test
  void resourceWithoutStatusHasNoConditions() throws Exception {
    var file = folder.resolve("new.yaml");
    Files.writeString(
        file,
        """
        apiVersion: hbase.offheap.io/v1alpha1
        kind: HBaseCluster
        metadata: {name: demo, namespace: shop, generation: 1}
        """);

    assertThat(screen(file, false))
        .contains("shop/demo  not ready", "none: no operator has read this resource")
        .doesNotContain("REGION SERVER", "Rollout", "Tuning", "EVENT");
  }

  @Test
  void documentHasSameContent() throws IOException {
    var out = new StringWriter();
    int status =
        CommandLineTools.create()
            .setOut(new PrintWriter(out))
            .execute("status", ROLLOUT.toString(), "-o", "json");

    var summary = JsonMapper.builder().build().readTree(out.toString());
    assertThat(status).isZero();
    assertThat(summary.path("name").asText()).isEqualTo("demo");
    assertThat(summary.path("planHash").asText()).isEqualTo("e3c4d129d4");
    assertThat(summary.path("regionServers").findValuesAsText("state"))
        .isEqualTo(List.of("Outdated", "Draining", "Serving"));
    assertThat(summary.path("rollout").path("waitingFor").asText()).contains("moved away");
  }

  @Test
  void refusesFileWithoutCluster() {
    var err = new StringWriter();
    int status =
        CommandLineTools.create()
            .setErr(new PrintWriter(err))
            .execute("status", "src/test/resources/cli/none.yaml");

    assertThat(status).isEqualTo(2);
    assertThat(err.toString()).contains("there is no such file");
  }
}
