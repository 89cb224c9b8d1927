package io.offheap.hbase.operator.hbase;

import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * A response of a cluster's server is refused: it is over a limit, or cannot be parsed. The message
 * has the server, what it sent and the limit; it is shown in the cluster's conditions. HBase's
 * client does not retry at once.
 */
public final class RefusedResponseException extends DoNotRetryIOException {
  private static final long serialVersionUID = 1;
  private static final int LONGEST = 300;

  private final String server;

  /**
   * Private: HBase's client instantiates exceptions that a server names by a public constructor.
   */
  private RefusedResponseException(String server, String message) {
    super(line(message));
    this.server = line(server);
  }

  /** With a whole message, if the cause is not the response of one server. */
  static RefusedResponseException withMessage(String message) {
    return new RefusedResponseException("", message);
  }

  /**
   * With what a server sent.
   *
   * @param server {@code host:port}
   * @param what the rest of a sentence that begins with the server; may contain the server's text
   */
  static RefusedResponseException of(String server, String what) {
    return new RefusedResponseException(server, server + " " + what);
  }

  /** The refusal that caused a failure, as first thrown. */
  static Optional<RefusedResponseException> in(Throwable failure) {
    Optional<RefusedResponseException> found = Optional.empty();
    int depth = 0;
    for (var cause = failure; cause != null && depth < 32; cause = cause.getCause()) {
      if (cause instanceof RefusedResponseException refused) {
        found = Optional.of(refused);
      }
      depth++;
    }
    return found;
  }

  /** {@code host:port} of the server; empty if the cause is not the response of one. */
  String server() {
    return server;
  }

  /** One short line, whatever text a server sent. */
  static String line(String text) {
    return text.substring(0, Math.min(LONGEST, text.length())).replaceAll("[^ -~]+", " ");
  }
}
