package io.offheap.hbase.operator.webhook;

import static io.offheap.hbase.operator.webhook.RunningWebhook.TOKEN;
import static io.offheap.hbase.operator.webhook.RunningWebhook.alert;
import static io.offheap.hbase.operator.webhook.RunningWebhook.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.offheap.hbase.operator.Slow;
import io.offheap.hbase.operator.log.LogCapture;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The webhook over TLS, with certificates as {@code kubectl create secret tls} mounts them. */
class AlertServerTlsTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(SelfSigned.Form.class)
  void acceptsAlertOverTls(SelfSigned.Form form) throws Exception {
    var certificate = SelfSigned.create(form.algorithm());
    certificate.write(tls(), form);

    try (var webhook = start()) {
      var response = post(webhook, certificate.trusted());

      assertThat(response).isEqualTo(200);
      assertThat(webhook.trigger).containsExactly(new ClusterName("prod", "orders"));
    }
  }

  @Test
  void clientThatDoesNotTrustCertificateSendsNothing() throws Exception {
    SelfSigned.create("EC").write(tls(), SelfSigned.Form.EC_PKCS8);

    try (var webhook = start()) {
      assertThatThrownBy(() -> post(webhook, SSLContext.getDefault()))
          .isInstanceOf(SSLHandshakeException.class);
      assertThatThrownBy(() -> webhook.post(body(alert()))).as("no TLS at all").isNotNull();
      assertThat(webhook.trigger).isEmpty();
    }
  }

  @Test
  void usesRenewedCertificate() throws Exception {
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
  @Slow
  void closesConnectionWithIncompleteHandshake() throws Exception {
    SelfSigned.create("EC").write(tls(), SelfSigned.Form.EC_PKCS8);

    try (var webhook = start(Duration.ofSeconds(2));
        var socket = webhook.begin("\u0016\u0003\u0001")) {
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void readsBothFilesFromOneVersionOfSecret() throws Exception {
    var first = SelfSigned.create("EC");
    var second = SelfSigned.create("EC");
    first.write(Files.createDirectories(tls().resolve("..1")), SelfSigned.Form.EC_PKCS8);
    second.write(Files.createDirectories(tls().resolve("..2")), SelfSigned.Form.EC_PKCS8);
    Files.createSymbolicLink(tls().resolve("..data"), Path.of("..1"));
    for (var file : List.of("tls.crt", "tls.key")) {
      Files.createSymbolicLink(tls().resolve(file), Path.of("..data", file));
    }
    try (var webhook = start();
        var log = LogCapture.of(WebhookTls.class)) {
      assertThat(post(webhook, first.trusted())).isEqualTo(200);

      // As the kubelet does it.
      Files.createSymbolicLink(tls().resolve("..data_tmp"), Path.of("..2"));
      Files.move(
          tls().resolve("..data_tmp"), tls().resolve("..data"), StandardCopyOption.ATOMIC_MOVE);

      assertThat(post(webhook, second.trusted())).isEqualTo(200);
      assertThat(log.lines())
          .singleElement(STRING)
          .startsWith("INFO event=WebhookCertificateRenew");
    }
  }

  @Test
  @Slow
  void keepsLastGoodPairAndLogsEachKindOfProblemOnce() throws Exception {
    var first = SelfSigned.create("EC");
    first.write(tls(), SelfSigned.Form.EC_PKCS8);
    var certificate = tls().resolve("tls.crt");
    var key = tls().resolve("tls.key");
    var good = Files.readString(certificate);
    var goodKey = Files.readString(key);
    try (var webhook = start();
        var log = LogCapture.of(WebhookTls.class)) {
      for (int i = 0; i < 2; i++) {
        // Half-written.
        Files.writeString(certificate, good.substring(0, good.length() / 2));
        assertThat(post(webhook, first.trusted())).isEqualTo(200);
        assertThat(post(webhook, first.trusted())).isEqualTo(200);
        Files.writeString(certificate, good);
        Files.writeString(key, goodKey.substring(0, goodKey.length() / 2));
        assertThat(post(webhook, first.trusted())).isEqualTo(200);
        Files.writeString(key, goodKey);
        Files.writeString(certificate, SelfSigned.create("EC").certificatePem());
        assertThat(post(webhook, first.trusted())).isEqualTo(200);
        Files.delete(certificate);
        assertThat(post(webhook, first.trusted())).isEqualTo(200);
        // Again, which is no news.
        Files.writeString(certificate, "");
        assertThat(post(webhook, first.trusted())).isEqualTo(200);
        Files.writeString(certificate, good);
        assertThat(post(webhook, first.trusted())).isEqualTo(200);
        assertThat(post(webhook, first.trusted())).isEqualTo(200);
      }

      var period =
          List.of(
              "WARN event=WebhookCertificateKept problem=CERTIFICATE",
              "WARN event=WebhookCertificateKept problem=KEY",
              "WARN event=WebhookCertificateKept problem=MISMATCH",
              "WARN event=WebhookCertificateKept problem=UNREADABLE",
              "INFO event=WebhookCertificateRestored");
      assertThat(log.lines().stream().map(AlertServerTlsTest::eventAndProblem))
          .containsExactlyElementsOf(Stream.concat(period.stream(), period.stream()).toList());
      assertThat(log.lines())
          .allSatisfy(it -> assertThat(it).contains("notAfter=2049-12-31T23:59:59Z"))
          .noneMatch(it -> it.contains(goodKey.lines().skip(1).findFirst().orElseThrow()));
    }
  }

  private static String eventAndProblem(String line) {
    return line.replaceAll(" (folder|notAfter)=\\S+| message=.*", "");
  }

  @Test
  @Slow
  void refusesInvalidCertificateOrKeyAtStart() throws Exception {
    var one = SelfSigned.create("EC");
    var other = SelfSigned.create("EC");
    one.write(tls(), SelfSigned.Form.EC_PKCS8);

    Files.writeString(tls().resolve("tls.crt"), other.certificatePem());
    assertRefused("tls.key must be the key of the first certificate in tls.crt");
    Files.writeString(tls().resolve("tls.crt"), SelfSigned.create("RSA").certificatePem());
    assertRefused("tls.key must be the key of the first certificate in tls.crt");
    Files.writeString(tls().resolve("tls.crt"), "");
    assertRefused("tls.crt must be a PEM certificate");
    Files.writeString(
        tls().resolve("tls.crt"), "-----BEGIN CERTIFICATE-----\nMI==\n-----END CERTIFICATE-----");
    assertRefused("tls.crt must be a PEM certificate");
    one.write(tls(), SelfSigned.Form.EC_PKCS8);
    Files.delete(tls().resolve("tls.key"));
    assertRefused("tls.key");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "no key",
        "-----BEGIN ENCRYPTED PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----",
        "-----BEGIN EC PRIVATE KEY-----\nMI==\n-----END EC PRIVATE KEY-----",
        "-----BEGIN RSA PRIVATE KEY-----\nMI==\n-----END RSA PRIVATE KEY-----",
        // openssl genpkey -algorithm ed25519 -aes256 -pass pass:secret-of-test
        """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAj+zbXaLd+4pAICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEJsmxFNfFAI5EXH0ibzB37AEQOYa
        Qv+OlXCq+yiQWXg8OJb1/wDqIyCRNCaM9ynJyi/pmUvPxtqKwTvcHCUV7D3kTgfh
        VQzbusTjIwOuL1MoJCE=
        -----END ENCRYPTED PRIVATE KEY-----
        """,
        // openssl ec -aes256 -passout pass:secret-of-test
        """
        -----BEGIN EC PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED
        DEK-Info: AES-256-CBC,DDEB78DDE8A76011341BA9CAB0B83B8E

        NRBwoBDmxJMvpfrunxX1XT8FwJyr2lqP96pIbjvH0npEJPeQdKT6kc04kCgX0++G
        bMercCBR97Ios0qXYvcyKmuHEK6+0aKrvEwEXMKdocXX2Zdu7EzFwX74mE2dQ54P
        WbdJV6bWj3kqSuiPM5sEBz80L7iju0QBaLd72ccFDmg=
        -----END EC PRIVATE KEY-----
        """
      })
  void refusesDamagedOrEncryptedKeyAtStart(String key) throws Exception {
    SelfSigned.create("EC").write(tls(), SelfSigned.Form.EC_PKCS8);
    Files.writeString(tls().resolve("tls.key"), key);

    assertRefused("tls.key must be a PEM private key (PKCS #8, PKCS #1 or SEC 1) that is not enc");
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
