package io.offheap.hbase.operator.hbase;

import java.io.IOException;

/** Why a response is refused. The message is the rest of a sentence that begins with the server. */
final class InvalidResponseException extends IOException {
  private static final long serialVersionUID = 1;

  InvalidResponseException(String what) {
    super(what);
  }
}
