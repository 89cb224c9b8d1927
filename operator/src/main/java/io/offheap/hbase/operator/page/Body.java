package io.offheap.hbase.operator.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A response body with its media type and entity tag. */
final class Body {
  private final String type;
  private final byte[] content;
  private final String etag;

  private Body(String type, byte[] content, String etag) {
    this.type = type;
    this.content = content;
    this.etag = etag;
  }

  static Body of(String type, String text) {
    return of(type, text.getBytes(UTF_8));
  }

  /**
   * A body with the digest of its content as entity tag.
   *
   * @param type media type
   * @param content must not be changed afterwards
   */
  static Body of(String type, byte[] content) {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(content);
      return new Body(type, content, '"' + HexFormat.of().formatHex(digest, 0, 12) + '"');
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  String type() {
    return type;
  }

  /** The entity tag, with quotation marks. */
  String etag() {
    return etag;
  }

  int length() {
    return content.length;
  }

  void writeTo(OutputStream stream) throws IOException {
    stream.write(content);
  }
}
