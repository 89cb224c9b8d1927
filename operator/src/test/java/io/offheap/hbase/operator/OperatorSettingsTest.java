package io.offheap.hbase.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OperatorSettingsTest {

  @Test
  void everythingHasADefault() {
    assertThat(OperatorSettings.of(Map.of()))
        .isEqualTo(new OperatorSettings(Set.of(), "hbase-offheap/hbase:0.1.0", 8080));
  }

  @Test
  void valuesComeFromTheEnvironment() {
    var environment =
        Map.of(
            "WATCH_NAMESPACES", "one, two ,,three",
            "HBASE_IMAGE", "localhost:5000/hbase/hbase:2.6.4-1",
            "HTTP_PORT", "0");

    assertThat(OperatorSettings.of(environment))
        .isEqualTo(
            new OperatorSettings(
                Set.of("one", "two", "three"), "localhost:5000/hbase/hbase:2.6.4-1", 0));
  }

  /** As the chart passes it on for all namespaces. */
  @ParameterizedTest
  @ValueSource(strings = {"", " ", ","})
  void noNamespaceMeansAll(String namespaces) {
    assertThat(OperatorSettings.of(Map.of("WATCH_NAMESPACES", namespaces)).watchNamespaces())
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "hbase", "localhost:5000/hbase", "hbase:", "hbase :1", "hbase:1 "})
  void imageWithoutATagIsRefusedByName(String image) {
    assertThatThrownBy(() -> OperatorSettings.of(Map.of("HBASE_IMAGE", image)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("HBASE_IMAGE is '" + image + "'; repository:tag is right");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "65536", "99999999999", "http", "80 ", "0x50"})
  void portOutOfRangeIsRefusedByName(String port) {
    assertThatThrownBy(() -> OperatorSettings.of(Map.of("HTTP_PORT", port)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("HTTP_PORT is '" + port + "'; 0 to 65535 is right");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "8080", "65535"})
  void portInRangeIsTaken(String port) {
    assertThat(OperatorSettings.of(Map.of("HTTP_PORT", port)).httpPort())
        .isEqualTo(Integer.parseInt(port));
  }
}
