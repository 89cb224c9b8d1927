package io.offheap.hbase.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class TuningCommandTest {
  private static final String RECORDED = "src/test/resources/cli/status/";

  private static String print(String... arguments) {
    var out = new StringWriter();
    assertThat(CommandLineTools.create().setOut(new PrintWriter(out)).execute(arguments)).isZero();
    return out.toString();
  }

  @Test
  void showsEachGroupWithItsHistory() {
    assertThat(print("tuning", RECORDED + "tuning.yaml"))
        .isEqualTo(
            """
            group default: waits for approval
            changes tried: 2, restarts in 24 hours: 1, last change: 2026-11-24T11:00:00Z

            TUNED VALUE                              SET TO  RULE
            hbase.server.allocator.max.buffer.count  620     PoolTooSmall

            waits for approval: G1MixedGCCountTarget=64 by MixedTooLong since 2026-11-24T12:00:00Z
              mixed collections take 210 ms, over 200 ms
              demo-regionserver-1: 210 ms
              kubectl hbc tuning demo approve a1b2
              kubectl hbc tuning demo dismiss a1b2

            STOPPED OR SUSPECTED BY  SINCE                 WHAT
            YoungTooLong             2026-11-24T09:00:00Z  the disk \\u001b[31m
            PrematurePromotion       2026-11-24T09:30:00Z  not felt by clients: SurvivorRatio=5
            MixedBackToBack          2026-11-24T09:40:00Z  dismissed: G1NewSizePercent=4

            AT                    EVENT    RULE          VALUES                                       WHY
            2026-11-24T10:00:00Z  Applied  PoolTooSmall  hbase.server.allocator.max.buffer.count=620  heap share 0.4
            2026-11-24T11:00:00Z  Kept     PoolTooSmall  -                                            heap share fell to 0.0

            group large: tries a change
            changes tried: 1, restarts in 24 hours: 0, last change: -

            on trial: a=1, b=2 by PoolTooSmall, Watching since 2026-11-24T12:01:00Z

            no history
            """);
  }

  @Test
  void documentIsThatOfTheStatus() throws IOException {
    var tuning =
        JsonMapper.builder()
            .build()
            .readTree(print("tuning", RECORDED + "tuning.yaml", "-o", "json"));

    assertThat(tuning.at("/groups/0/recommendation/id").asText()).isEqualTo("a1b2");
    assertThat(tuning.at("/groups/0/history/1/event").asText()).isEqualTo("Kept");
  }

  @Test
  void resourceWithoutTuningHasASentence() {
    assertThat(print("tuning", "../examples/demo.yaml")).startsWith("tuning has done nothing here");
  }
}
