package io.offheap.hbase.operator.web;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A certificate and its key from the files of a TLS secret, {@code tls.crt} and {@code tls.key}.
 * They are read for each handshake, so that a new certificate is used once the kubelet has brought
 * it. While they do not fit each other, the last pair that did is used.
 */
final class ServerCertificate extends X509ExtendedKeyManager {
  private static final Logger LOG = LoggerFactory.getLogger(ServerCertificate.class);

  private final Path folder;
  private Pair current;

  /** A handshake that has begun ends with the pair that it began with. */
  private Pair before;

  private String warning = "";

  private record Pem(String certificates, String key) {}

  private record Pair(String alias, Pem pem, List<X509Certificate> chain, PrivateKey key) {}

  /**
   * The pair in a folder.
   *
   * @throws IOException if a file cannot be read
   * @throws GeneralSecurityException if they are no certificate and the key that belongs to it
   */
  ServerCertificate(Path folder) throws IOException, GeneralSecurityException {
    this.folder = folder;
    this.current = pair(0, pem());
    this.before = current;
  }

  /** What a server needs to show this certificate. */
  SSLContext context() throws GeneralSecurityException {
    var context = SSLContext.getInstance("TLS");
    context.init(new KeyManager[] {this}, null, null);
    return context;
  }

  private Pem pem() throws IOException {
    return new Pem(
        Files.readString(folder.resolve("tls.crt"), ISO_8859_1),
        Files.readString(folder.resolve("tls.key"), ISO_8859_1));
  }

  private Pair pair(int count, Pem pem) throws GeneralSecurityException {
    var chain =
        CertificateFactory.getInstance("X.509")
            .generateCertificates(new ByteArrayInputStream(pem.certificates().getBytes(ISO_8859_1)))
            .stream()
            .map(X509Certificate.class::cast)
            .toList();
    if (chain.isEmpty()) {
      throw new GeneralSecurityException(folder + "/tls.crt has no certificate");
    }
    var key = PrivateKeys.read(pem.key());
    if (!belongTogether(key, chain.get(0).getPublicKey())) {
      throw new GeneralSecurityException(
          folder + "/tls.key is not the key of the first certificate in tls.crt");
    }
    return new Pair(Integer.toString(count), pem, chain, key);
  }

  private static boolean belongTogether(PrivateKey key, PublicKey certified)
      throws GeneralSecurityException {
    if (!key.getAlgorithm().equals(certified.getAlgorithm())) {
      return false;
    }
    var signature =
        Signature.getInstance(
            switch (key.getAlgorithm()) {
              case "RSA" -> "SHA256withRSA";
              case "EC" -> "SHA256withECDSA";
              default -> key.getAlgorithm();
            });
    signature.initSign(key);
    signature.update(new byte[] {1});
    var signed = signature.sign();
    signature.initVerify(certified);
    signature.update(new byte[] {1});
    return signature.verify(signed);
  }

  private synchronized Pair latest() {
    try {
      var pem = pem();
      if (!pem.equals(current.pem())) {
        var next = pair(Integer.parseInt(current.alias()) + 1, pem);
        before = current;
        current = next;
        warning = "";
        LOG.info("The webhook has a new certificate, to {}", next.chain().get(0).getNotAfter());
      }
    } catch (IOException | GeneralSecurityException e) {
      // Once, as anybody can begin a handshake.
      if (!e.toString().equals(warning)) {
        warning = e.toString();
        LOG.warn("The webhook keeps its certificate: {}", warning);
      }
    }
    return current;
  }

  private synchronized Pair of(String alias) {
    return before.alias().equals(alias) ? before : current;
  }

  @Override
  public String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
    var pair = latest();
    return pair.key().getAlgorithm().equals(keyType) ? pair.alias() : null;
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return of(alias).chain().toArray(X509Certificate[]::new);
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return of(alias).key();
  }

  @Override
  public String[] getServerAliases(String keyType, Principal[] issuers) {
    return new String[] {latest().alias()};
  }

  @Override
  public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
    return chooseEngineServerAlias(keyType, issuers, null);
  }

  @Override
  public String[] getClientAliases(String keyType, Principal[] issuers) {
    return new String[0];
  }

  @Override
  public String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
    return null;
  }
}
