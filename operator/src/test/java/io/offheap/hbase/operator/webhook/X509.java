package io.offheap.hbase.operator.webhook;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Makes certificates of {@code localhost} that are signed with their own key: RFC 5280, in DER. The
 * JDK can only do so with keytool, which takes a JVM for each.
 */
final class X509 {
  private static final int INTEGER = 0x02;
  private static final int BIT_STRING = 0x03;
  private static final int OCTET_STRING = 0x04;
  private static final int UTF8_STRING = 0x0c;
  private static final int UTC_TIME = 0x17;
  private static final int SEQUENCE = 0x30;
  private static final int SET = 0x31;
  private static final int DNS_NAME = 0x82;
  private static final int VERSION = 0xa0;
  private static final int EXTENSIONS = 0xa3;

  private static final byte[] COMMON_NAME = hex("0603550403");
  private static final byte[] SUBJECT_ALTERNATIVE_NAME = hex("0603551d11");
  private static final byte[] NO_UNUSED_BITS = {0};

  private X509() {}

  static Certificate selfSigned(KeyPair keys) throws GeneralSecurityException {
    var algorithm = algorithm(keys);
    var name = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, text(UTF8_STRING, "localhost"))));
    var validity = der(SEQUENCE, text(UTC_TIME, "200101000000Z"), text(UTC_TIME, "491231235959Z"));
    var alternativeName = der(SEQUENCE, text(DNS_NAME, "localhost"));
    var extension = der(SEQUENCE, SUBJECT_ALTERNATIVE_NAME, der(OCTET_STRING, alternativeName));
    var toBeSigned =
        der(
            SEQUENCE,
            der(VERSION, der(INTEGER, new byte[] {2})),
            der(INTEGER, serialNumber()),
            algorithm,
            name,
            validity,
            name,
            keys.getPublic().getEncoded(),
            der(EXTENSIONS, der(SEQUENCE, extension)));
    var signed =
        der(
            SEQUENCE,
            toBeSigned,
            algorithm,
            der(BIT_STRING, NO_UNUSED_BITS, sign(keys, toBeSigned)));
    return CertificateFactory.getInstance("X.509")
        .generateCertificate(new ByteArrayInputStream(signed));
  }

  private static byte[] serialNumber() {
    return BigInteger.valueOf(ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE))
        .toByteArray();
  }

  /** With SHA-256, but for Ed25519, which has a hash of its own. */
  private static byte[] algorithm(KeyPair keys) {
    return switch (keys.getPublic().getAlgorithm()) {
      case "RSA" -> hex("300d06092a864886f70d01010b0500");
      case "EC" -> hex("300a06082a8648ce3d040302");
      case "EdDSA" -> hex("300506032b6570");
      default -> throw new IllegalArgumentException(keys.getPublic().getAlgorithm());
    };
  }

  private static byte[] sign(KeyPair keys, byte[] content) throws GeneralSecurityException {
    var signature =
        Signature.getInstance(
            switch (keys.getPublic().getAlgorithm()) {
              case "RSA" -> "SHA256withRSA";
              case "EC" -> "SHA256withECDSA";
              default -> "EdDSA";
            });
    signature.initSign(keys.getPrivate());
    signature.update(content);
    return signature.sign();
  }

  private static byte[] text(int tag, String text) {
    return der(tag, text.getBytes(US_ASCII));
  }

  /** Tag, length and content. */
  private static byte[] der(int tag, byte[]... parts) {
    var content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    var all = new ByteArrayOutputStream();
    all.write(tag);
    if (content.size() < 128) {
      all.write(content.size());
    } else {
      var length = BigInteger.valueOf(content.size()).toByteArray();
      int from = length[0] == 0 ? 1 : 0;
      all.write(0x80 | (length.length - from));
      all.write(length, from, length.length - from);
    }
    all.writeBytes(content.toByteArray());
    return all.toByteArray();
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }
}
