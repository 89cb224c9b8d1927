package io.offheap.hbase.operator.hbase;

import java.io.IOException;

/**
 * Parses the body of one response while it arrives; used on one thread at a time.
 *
 * @param <T> the parsed value
 */
interface BodyReader<T> extends AutoCloseable {
  /** Parses the next bytes; fails if they are invalid. */
  void read(byte[] bytes) throws IOException;

  /** The parsed value, when the response is complete. */
  T end() throws IOException;

  @Override
  void close() throws IOException;

  /**
   * Creates the parser of a response.
   *
   * @param <T> the parsed value
   */
  interface Factory<T> {
    /** Creates the parser of one response. */
    BodyReader<T> begin() throws IOException;
  }
}
