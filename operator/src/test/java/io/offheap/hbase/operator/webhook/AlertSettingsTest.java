package io.offheap.hbase.operator.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AlertSettingsTest {
  private static final String TOKEN = "/etc/webhook/token/token";

  @Test
  void hasNoWebhookWithoutToken() {
    assertThat(AlertSettings.of(Map.of())).isEmpty();
    assertThat(AlertSettings.of(Map.of("WEBHOOK_TOKEN_FILE", "", "WEBHOOK_PORT", "1"))).isEmpty();
  }

  @Test
  void portDefaultDependsOnTls() {
    var plain = AlertSettings.of(Map.of("WEBHOOK_TOKEN_FILE", TOKEN)).orElseThrow();
    var tls =
        AlertSettings.of(Map.of("WEBHOOK_TOKEN_FILE", TOKEN, "WEBHOOK_TLS_FOLDER", "/etc/tls"))
            .orElseThrow();
    var declared =
        AlertSettings.of(Map.of("WEBHOOK_TOKEN_FILE", TOKEN, "WEBHOOK_PORT", "9443")).orElseThrow();

    assertThat(plain.port()).isEqualTo(8081);
    assertThat(plain.tokenFile()).isEqualTo(Path.of(TOKEN));
    assertThat(plain.tlsFolder()).isEmpty();
    assertThat(tls.port()).isEqualTo(8443);
    assertThat(tls.tlsFolder()).hasValue(Path.of("/etc/tls"));
    assertThat(declared.port()).isEqualTo(9443);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "-1", "65536", "123456", "80 "})
  void refusesInvalidPort(String port) {
    var environment = Map.of("WEBHOOK_TOKEN_FILE", TOKEN, "WEBHOOK_PORT", port);

    assertThatThrownBy(() -> AlertSettings.of(environment))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("WEBHOOK_PORT is '" + port + "'");
  }
}
