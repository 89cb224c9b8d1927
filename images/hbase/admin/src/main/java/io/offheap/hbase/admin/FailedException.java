package io.offheap.hbase.admin;

/** An expected failure of HBase's that the tool finds out itself; the message is for people. */
final class FailedException extends Exception {
  private static final long serialVersionUID = 1;

  FailedException(String message) {
    super(message);
  }
}
