package io.offheap.hbase.operator.webhook;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Locale;

/**
 * The valid tokens, one a line of a file. The file is read for each request, so that a change of
 * its secret applies at once; with two lines, a sender can change its token later.
 */
final class BearerTokens {
  private static final String SCHEME = "bearer ";
  private static final int SHORTEST = 16;
  private static final int LARGEST_FILE = 16 * 1024;

  private final Path file;

  /**
   * Reads the tokens of a file.
   *
   * @throws IOException if there is none, or one that is too short; the message names the file
   */
  BearerTokens(Path file) throws IOException {
    this.file = file;
    read();
  }

  /**
   * Whether a request with this header is authenticated. The time does not depend on how much of a
   * token matches.
   *
   * @param authorization the header; null if there is none
   * @throws IOException if no token can be read
   */
  boolean accept(String authorization) throws IOException {
    var tokens = read();
    if (authorization == null || !authorization.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
      return false;
    }
    var given = digest(authorization.substring(SCHEME.length()).strip());
    boolean isValid = false;
    for (var token : tokens) {
      isValid |= MessageDigest.isEqual(digest(token), given);
    }
    return isValid;
  }

  private List<String> read() throws IOException {
    if (Files.size(file) > LARGEST_FILE) {
      throw new IOException(
          file + " is over " + LARGEST_FILE + " bytes; must have one token a line");
    }
    var tokens =
        Files.readString(file, ISO_8859_1)
            .lines()
            .map(String::strip)
            .filter(line -> !line.isEmpty())
            .toList();
    if (tokens.isEmpty() || tokens.stream().anyMatch(token -> token.length() < SHORTEST)) {
      throw new IOException(
          file
              + " has no token, or one under "
              + SHORTEST
              + " letters; must have one token a line");
    }
    return tokens;
  }

  private static byte[] digest(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(ISO_8859_1));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("each JVM has it", e);
    }
  }
}
