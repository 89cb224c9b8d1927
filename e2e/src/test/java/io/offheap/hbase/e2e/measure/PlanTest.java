package io.offheap.hbase.e2e.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanTest {
  @TempDir private Path folder;

  @Test
  void desiredSurvivorSizeIsOfTheRatioThatApplies() throws IOException {
    assertThat(
            plan("""
                    {"key": "SurvivorRatio", "inputs": [
                      {"name": "regions", "value": 512},
                      {"name": "desired survivor size", "value": 3145728, "unit": "bytes"}]}
                    """)
                .desiredSurvivorBytes())
        .isEqualTo(3145728);
    assertThat(
            plan("""
                    {"key": "TargetSurvivorRatio"},
                    {"key": "SurvivorRatio", "inputs": [
                      {"name": "desired survivor size", "value": 3145728},
                      {"name": "desired survivor size", "value": 1048576}]}
                    """)
                .desiredSurvivorBytes())
        .isEqualTo(1048576);
  }

  @Test
  void settingsWithoutItAreRefused() throws IOException {
    var plan = plan("{\"key\": \"SurvivorRatio\"}");

    assertThatThrownBy(plan::desiredSurvivorBytes).hasMessage("no desired survivor size");
  }

  private Plan plan(String settings) throws IOException {
    var file = folder.resolve("plan.json");
    Files.writeString(file, "{\"settings\": [" + settings + "]}");
    return Plan.read(file);
  }
}
