package io.offheap.hbase.operator.web;

import static io.offheap.hbase.operator.web.RunningWebhook.TOKEN;
import static io.offheap.hbase.operator.web.RunningWebhook.alert;
import static io.offheap.hbase.operator.web.RunningWebhook.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The webhook over TLS, with certificates as {@code kubectl create secret tls} mounts them. */
class AlertServerTlsTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(SelfSigned.Form.class)
  void alertComesOverTls(SelfSigned.Form form) throws Exception {
    var certificate = SelfSigned.create(form.algorithm());
    certificate.write(tls(), form);

    try (var webhook = start()) {
      var answer = post(webhook, certificate.trusted());

      assertThat(answer).isEqualTo(200);
      assertThat(webhook.looks).containsExactly(new ClusterName("prod", "orders"));
    }
  }

  @Test
  void onlyWhoTrustsTheCertificateSendsAnything() throws Exception {
    SelfSigned.create("EC").write(tls(), SelfSigned.Form.EC_PKCS8);

    try (var webhook = start()) {
      assertThatThrownBy(() -> post(webhook, SSLContext.getDefault()))
          .isInstanceOf(SSLHandshakeException.class);
      assertThatThrownBy(() -> webhook.post(body(alert()))).as("no TLS at all").isNotNull();
      assertThat(webhook.looks).isEmpty();
    }
  }

  @Test
  void newCertificateIsUsedOnceItIsThere() throws Exception {
    var first = SelfSigned.create("EC");
    first.write(tls(), SelfSigned.Form.EC_PKCS8);
    try (var webhook = start()) {
      assertThat(post(webhook, first.trusted())).isEqualTo(200);

      var second = SelfSigned.create("RSA");
      Files.writeString(tls().resolve("tls.crt"), second.certificatePem());
      assertThat(post(webhook, first.trusted())).as("while the key is the old one").isEqualTo(200);
      Files.delete(tls().resolve("tls.key"));
      assertThat(post(webhook, first.trusted())).as("while there is none").isEqualTo(200);

      second.write(tls(), SelfSigned.Form.RSA_PKCS1);
      assertThat(post(webhook, second.trusted())).isEqualTo(200);
      assertThatThrownBy(() -> post(webhook, first.trusted())).isInstanceOf(SSLException.class);
    }
  }

  @Test
  void handshakeThatDoesNotEndIsHungUpOn() throws Exception {
    SelfSigned.create("EC").write(tls(), SelfSigned.Form.EC_PKCS8);

    try (var webhook = start(Duration.ofSeconds(2));
        var socket = webhook.begin("\u0016\u0003\u0001")) {
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void whatIsNoCertificateWithItsKeyIsRefusedAtTheStart() throws Exception {
    var one = SelfSigned.create("EC");
    var other = SelfSigned.create("EC");
    one.write(tls(), SelfSigned.Form.EC_PKCS8);

    Files.writeString(tls().resolve("tls.crt"), other.certificatePem());
    assertRefused("tls.key is not the key of the first certificate in tls.crt");
    Files.writeString(tls().resolve("tls.crt"), "");
    assertRefused("tls.crt has no certificate");
    one.write(tls(), SelfSigned.Form.EC_PKCS8);
    Files.writeString(tls().resolve("tls.key"), "-----BEGIN ENCRYPTED PRIVATE KEY-----");
    assertRefused("no PEM private key, or one that is encrypted");
    Files.writeString(
        tls().resolve("tls.key"),
        "-----BEGIN EC PRIVATE KEY-----\nMI==\n-----END EC PRIVATE KEY-----");
    assertRefused("a PEM private key whose content is damaged");
    Files.delete(tls().resolve("tls.key"));
    assertRefused("tls.key");
  }

  private void assertRefused(String reason) {
    assertThatThrownBy(this::start).isInstanceOf(IOException.class).hasMessageContaining(reason);
  }

  private Path tls() throws IOException {
    return Files.createDirectories(folder.resolve("tls"));
  }

  private RunningWebhook start() throws IOException {
    return start(RunningWebhook.AMPLE);
  }

  private RunningWebhook start(Duration exchange) throws IOException {
    return new RunningWebhook(folder, Optional.of(tls()), exchange);
  }

  /** With a client of its own, which resumes no session of another. */
  private static int post(RunningWebhook webhook, SSLContext trusted)
      throws IOException, InterruptedException, GeneralSecurityException {
    var request =
        HttpRequest.newBuilder(
                URI.create("https://localhost:" + webhook.port() + AlertHandler.PATH))
            .timeout(Duration.ofSeconds(30))
            .header("Content-Type", "application/json")
            .header("Authorization", "Bearer " + TOKEN)
            .POST(BodyPublishers.ofString(body(alert())))
            .build();
    return HttpClient.newBuilder()
        .sslContext(trusted)
        .build()
        .send(request, BodyHandlers.ofString())
        .statusCode();
  }
}
