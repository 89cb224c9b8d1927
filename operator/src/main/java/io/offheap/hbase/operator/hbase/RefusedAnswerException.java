package io.offheap.hbase.operator.hbase;

import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * An answer of a cluster's server is not taken: it is over a bound, or cannot be read. The message
 * says which server, what it sent and what the bound is; it is shown in the cluster's conditions.
 * HBase's client does not ask again at once.
 */
public final class RefusedAnswerException extends DoNotRetryIOException {
  private static final long serialVersionUID = 1;
  private static final int LONGEST = 300;

  /** HBase's client makes exceptions that a server names by a public constructor. */
  private RefusedAnswerException(String message) {
    super(line(message));
  }

  /** What is wrong, where it is not what one server sent. */
  static RefusedAnswerException saying(String message) {
    return new RefusedAnswerException(message);
  }

  /**
   * What a server sent.
   *
   * @param server {@code host:port}
   * @param what the rest of a sentence that begins with the server; may have text of the server's
   */
  static RefusedAnswerException of(String server, String what) {
    return new RefusedAnswerException(server + " " + what);
  }

  /** The refusal that a failure comes from, as it was first made. */
  static Optional<RefusedAnswerException> in(Throwable failure) {
    Optional<RefusedAnswerException> found = Optional.empty();
    int depth = 0;
    for (var cause = failure; cause != null && depth < 32; cause = cause.getCause()) {
      if (cause instanceof RefusedAnswerException refused) {
        found = Optional.of(refused);
      }
      depth++;
    }
    return found;
  }

  /** {@code host:port} of the server, or what else the message begins with. */
  String server() {
    return getMessage().split(" ", 2)[0];
  }

  /** One short line, whatever a server put into it. */
  static String line(String text) {
    return text.substring(0, Math.min(LONGEST, text.length())).replaceAll("[^ -~]+", " ");
  }
}
