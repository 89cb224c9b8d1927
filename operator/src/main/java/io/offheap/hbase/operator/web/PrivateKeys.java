package io.offheap.hbase.operator.web;

import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Reads private keys in the three forms that tools write: PKCS #8, PKCS #1 (RSA) and SEC 1 (EC).
 * The JDK knows the first alone; the other two are its content without the name of the algorithm.
 */
final class PrivateKeys {
  private static final Pattern PEM =
      Pattern.compile(
          "-----BEGIN (RSA |EC |)PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END \\1PRIVATE KEY-----");

  private static final byte[] VERSION_0 = HexFormat.of().parseHex("020100");

  /** rsaEncryption, without parameters. */
  private static final byte[] RSA = HexFormat.of().parseHex("06092a864886f70d0101010500");

  /** id-ecPublicKey; its parameter is the curve. */
  private static final byte[] EC = HexFormat.of().parseHex("06072a8648ce3d0201");

  private static final int SEQUENCE = 0x30;
  private static final int OCTETS = 0x04;
  private static final int CURVE = 0xa0;

  private PrivateKeys() {}

  /**
   * The first private key in a PEM text.
   *
   * @throws GeneralSecurityException if there is none; a key that is encrypted is none
   */
  static PrivateKey read(String pem) throws GeneralSecurityException {
    var found = PEM.matcher(pem);
    if (!found.find()) {
      throw new InvalidKeySpecException("no PEM private key, or one that is encrypted");
    }
    try {
      var content = Base64.getMimeDecoder().decode(found.group(2));
      return switch (found.group(1)) {
        case "RSA " -> key("RSA", pkcs8(RSA, content));
        case "EC " -> key("EC", pkcs8(join(EC, curve(content)), content));
        default -> any(content);
      };
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new InvalidKeySpecException("a PEM private key whose content is damaged", e);
    }
  }

  private static PrivateKey any(byte[] pkcs8) throws GeneralSecurityException {
    for (var algorithm : List.of("RSA", "EC", "EdDSA")) {
      try {
        return key(algorithm, pkcs8);
      } catch (InvalidKeySpecException e) {
        // The content says which it is, and each factory refuses what is not its own.
      }
    }
    throw new InvalidKeySpecException("a private key that is neither RSA, EC nor EdDSA");
  }

  private static PrivateKey key(String algorithm, byte[] pkcs8) throws GeneralSecurityException {
    return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
  }

  private static byte[] pkcs8(byte[] algorithm, byte[] content) {
    return der(SEQUENCE, join(VERSION_0, der(SEQUENCE, algorithm), der(OCTETS, content)));
  }

  /** The object identifier of the curve in ECPrivateKey (RFC 5915), as it stands there. */
  private static byte[] curve(byte[] ecPrivateKey) throws InvalidKeySpecException {
    int at = content(ecPrivateKey, 0);
    while (at < ecPrivateKey.length) {
      int from = content(ecPrivateKey, at);
      int to = from + length(ecPrivateKey, at);
      if ((ecPrivateKey[at] & 0xff) == CURVE) {
        return Arrays.copyOfRange(ecPrivateKey, from, to);
      }
      at = to;
    }
    throw new InvalidKeySpecException("an EC private key that does not name its curve");
  }

  /** Where the content of the element begins that begins here. */
  private static int content(byte[] der, int at) {
    int first = der[at + 1] & 0xff;
    return at + 2 + (first < 0x80 ? 0 : first - 0x80);
  }

  private static int length(byte[] der, int at) {
    int first = der[at + 1] & 0xff;
    if (first < 0x80) {
      return first;
    }
    int length = 0;
    for (int i = at + 2; i < content(der, at); i++) {
      length = (length << 8) | (der[i] & 0xff);
    }
    if (length < 0 || length > der.length) {
      throw new IndexOutOfBoundsException(length);
    }
    return length;
  }

  private static byte[] der(int tag, byte[] content) {
    int size = content.length;
    // The shortest form alone is right; no key has 64 KiB.
    var length =
        size < 0x80
            ? new byte[] {(byte) size}
            : size < 0x100
                ? new byte[] {(byte) 0x81, (byte) size}
                : new byte[] {(byte) 0x82, (byte) (size >> 8), (byte) size};
    return join(new byte[] {(byte) tag}, length, content);
  }

  private static byte[] join(byte[]... parts) {
    var all = new ByteArrayOutputStream();
    for (var part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
