package io.offheap.hbase.operator.webhook;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A new certificate for localhost with its key. */
record SelfSigned(Certificate certificate, PrivateKey key) {
  /** What tools write keys as. */
  enum Form {
    RSA_PKCS8,
    RSA_PKCS1,
    EC_PKCS8,
    EC_SEC1,
    ED25519_PKCS8;

    String algorithm() {
      return name().substring(0, name().indexOf('_'));
    }
  }

  static SelfSigned create(String algorithm) throws GeneralSecurityException {
    var generator = KeyPairGenerator.getInstance(algorithm);
    if (algorithm.equals("EC")) {
      generator.initialize(new ECGenParameterSpec("secp256r1"));
    }
    var keys = generator.generateKeyPair();
    return new SelfSigned(X509.selfSigned(keys), keys.getPrivate());
  }

  /** Writes both as the files of a TLS secret. */
  void write(Path folder, Form form) throws IOException, GeneralSecurityException {
    Files.writeString(folder.resolve("tls.crt"), certificatePem());
    Files.writeString(
        folder.resolve("tls.key"),
        switch (form) {
          case RSA_PKCS8, EC_PKCS8, ED25519_PKCS8 -> pem("PRIVATE KEY", key.getEncoded());
          case RSA_PKCS1 -> pem("RSA PRIVATE KEY", pkcs1());
          // As openssl ecparam -genkey writes it.
          case EC_SEC1 -> pem("EC PARAMETERS", curve()) + pem("EC PRIVATE KEY", sec1());
        });
  }

  String certificatePem() throws GeneralSecurityException {
    return pem("CERTIFICATE", certificate.getEncoded());
  }

  /** What a client has that trusts this certificate alone. */
  SSLContext trusted() throws GeneralSecurityException, IOException {
    var store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    store.setCertificateEntry("webhook", certificate);
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    var context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  /** PKCS #8 of a long RSA key is 26 bytes and then this. */
  private byte[] pkcs1() {
    var pkcs8 = key.getEncoded();
    return Arrays.copyOfRange(pkcs8, 26, pkcs8.length);
  }

  private byte[] curve() {
    assertThat(((ECPrivateKey) key).getParams().toString()).contains("1.2.840.10045.3.1.7");
    return HexFormat.of().parseHex("06082a8648ce3d030107");
  }

  /** With the curve and the public key, both of which are optional. */
  private byte[] sec1() {
    var curve = curve();
    var certified = certificate.getPublicKey().getEncoded();
    var point = Arrays.copyOfRange(certified, certified.length - 68, certified.length);
    return ByteBuffer.allocate(121)
        .put(HexFormat.of().parseHex("30770201010420"))
        .put(fixed(((ECPrivateKey) key).getS()))
        .put(new byte[] {(byte) 0xa0, (byte) curve.length})
        .put(curve)
        .put(new byte[] {(byte) 0xa1, (byte) point.length})
        .put(point)
        .array();
  }

  private static byte[] fixed(BigInteger number) {
    return HexFormat.of().parseHex(String.format("%064x", number));
  }

  private static String pem(String type, byte[] content) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(
            type, Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(content), type);
  }
}
