package io.offheap.hbase.operator.webhook;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import io.offheap.hbase.operator.log.LogLine;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import javax.net.ssl.X509ExtendedKeyManager;
import nl.altindag.ssl.SSLFactory;
import nl.altindag.ssl.pem.util.PemUtils;
import nl.altindag.ssl.util.KeyManagerUtils;
import nl.altindag.ssl.util.SSLFactoryUtils;
import org.bouncycastle.util.io.pem.PemReader;
import org.bouncycastle.util.io.pem.PemWriter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS with the certificate and the key of a TLS secret, {@code tls.crt} and {@code tls.key}, as the
 * kubelet mounts them. The files are read at each connection, before its handshake: a renewed
 * certificate is in use from the next connection on. While the files hold no certificate with its
 * key, the last good pair stays in use, and each kind of problem is logged once.
 *
 * <p>A handshake at the moment of a change may fail; its client retries.
 *
 * <p>The library, ayza with Bouncy Castle, parses certificates and keys, makes the key manager, and
 * replaces it in the TLS context that is in use. This class has only what version 10.0.0 of it
 * lacks:
 *
 * <ul>
 *   <li>When to reload: {@link SSLFactoryUtils#reload} does it when it is called, and nothing
 *       watches files.
 *   <li>Whether the key is that of the certificate ({@link #belongTogether}): the library and the
 *       JDK's key store accept any pair, and every handshake with a wrong one fails.
 *   <li>Parameters before an EC key ({@link #withoutParameters}): the library refuses a file with a
 *       block that is neither a certificate nor a key.
 *   <li>An error that names the file and what it must be, in place of the parser's exception.
 * </ul>
 */
final class WebhookTls extends HttpsConfigurator {
  private static final Logger LOG = LoggerFactory.getLogger(WebhookTls.class);
  private static final String ALIAS = "webhook";

  private final Path folder;
  private final SSLFactory factory;
  private final Set<Problem> reported = EnumSet.noneOf(Problem.class);
  private Identity current;

  /** The last refused content: any client can connect, so the content is parsed only once. */
  private Pem refused;

  /** Why the files are refused. */
  private enum Problem {
    UNREADABLE("tls.crt and tls.key must be readable files"),
    CERTIFICATE("tls.crt must be a PEM certificate, followed by those of its issuers"),
    KEY("tls.key must be a PEM private key (PKCS #8, PKCS #1 or SEC 1) that is not encrypted"),
    MISMATCH("tls.key must be the key of the first certificate in tls.crt");

    private final String text;

    Problem(String text) {
      this.text = text;
    }
  }

  /** The files are no certificate with its key. */
  private static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Problem problem;

    RefusedException(Problem problem, Throwable cause) {
      super(problem.text + (cause == null ? "" : ": " + root(cause)), cause);
      this.problem = problem;
    }

    private static Throwable root(Throwable failure) {
      var root = failure;
      while (root.getCause() != null && root.getCause() != root) {
        root = root.getCause();
      }
      return root;
    }
  }

  private record Pem(String certificates, String key) {}

  private record Identity(Pem pem, X509ExtendedKeyManager manager, Instant notAfter) {}

  private WebhookTls(Path folder, Identity first, SSLFactory factory) {
    super(factory.getSslContext());
    this.folder = folder;
    this.current = first;
    this.factory = factory;
  }

  /**
   * Reads the files of a folder.
   *
   * @throws IOException if they are no certificate with its key; the message names the file and
   *     what it must be
   */
  static WebhookTls of(Path folder) throws IOException {
    try {
      var first = identity(pem(folder));
      var factory =
          SSLFactory.builder()
              .withSwappableIdentityMaterial()
              .withIdentityMaterial(first.manager())
              .build();
      return new WebhookTls(folder, first, factory);
    } catch (RefusedException e) {
      throw new IOException("The webhook's certificate in " + folder + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void configure(HttpsParameters connection) {
    renew();
    super.configure(connection);
  }

  private synchronized void renew() {
    try {
      var pem = pem(folder);
      if (pem.equals(refused)) {
        return;
      }
      refused = pem;
      if (!pem.equals(current.pem())) {
        var next = identity(pem);
        SSLFactoryUtils.reload(
            factory, SSLFactory.builder().withIdentityMaterial(next.manager()).build());
        current = next;
        LOG.info("{}", line("WebhookCertificateRenewed"));
      } else if (!reported.isEmpty()) {
        LOG.info("{}", line("WebhookCertificateRestored"));
      }
      refused = null;
      reported.clear();
    } catch (RefusedException e) {
      if (reported.add(e.problem)) {
        LOG.warn(
            "{}",
            line("WebhookCertificateKept")
                .with("problem", e.problem)
                .with("message", e.getMessage()));
      }
    }
  }

  private LogLine line(String event) {
    return LogLine.of(event).with("folder", folder).with("notAfter", current.notAfter());
  }

  private static Pem pem(Path folder) throws RefusedException {
    try {
      // The kubelet replaces both files at once, by this link.
      var link = folder.resolve("..data");
      var files = Files.exists(link) ? link.toRealPath() : folder;
      return new Pem(
          Files.readString(files.resolve("tls.crt"), ISO_8859_1),
          Files.readString(files.resolve("tls.key"), ISO_8859_1));
    } catch (IOException e) {
      throw new RefusedException(Problem.UNREADABLE, e);
    }
  }

  private static Identity identity(Pem pem) throws RefusedException {
    var chain = certificates(pem.certificates());
    try {
      var manager =
          KeyManagerUtils.createKeyManager(
              ALIAS, key(pem.key()), chain.toArray(X509Certificate[]::new));
      // The JDK's own form of the key, whatever parsed it.
      if (!belongTogether(manager.getPrivateKey(ALIAS), chain.get(0).getPublicKey())) {
        throw new RefusedException(Problem.MISMATCH, null);
      }
      return new Identity(pem, manager, chain.get(0).getNotAfter().toInstant());
    } catch (GeneralSecurityException | RuntimeException e) {
      throw new RefusedException(Problem.MISMATCH, e);
    }
  }

  /** The library and its parsers throw unchecked exceptions of many kinds for damaged input. */
  private static List<X509Certificate> certificates(String pem) throws RefusedException {
    try {
      return PemUtils.parseCertificate(pem);
    } catch (RuntimeException e) {
      throw new RefusedException(Problem.CERTIFICATE, e);
    }
  }

  private static PrivateKey key(String pem) throws RefusedException {
    try {
      return PemUtils.parsePrivateKey(withoutParameters(pem));
    } catch (IOException | RuntimeException e) {
      throw new RefusedException(Problem.KEY, e);
    }
  }

  /** openssl ecparam -genkey writes the parameters before the key; ayza refuses them. */
  private static String withoutParameters(String pem) throws IOException {
    var rest = new StringWriter();
    try (var reader = new PemReader(new StringReader(pem));
        var writer = new PemWriter(rest)) {
      for (var block = reader.readPemObject(); block != null; block = reader.readPemObject()) {
        if (!block.getType().equals("EC PARAMETERS")) {
          writer.writeObject(block);
        }
      }
    }
    return rest.toString();
  }

  /** The library extracts no public key from Ed25519 keys, nor from SEC 1 keys without one. */
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
}
