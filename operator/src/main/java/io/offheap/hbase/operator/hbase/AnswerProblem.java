package io.offheap.hbase.operator.hbase;

import java.io.IOException;

/** Why an answer is not taken: the rest of a sentence that begins with its server. */
final class AnswerProblem extends IOException {
  private static final long serialVersionUID = 1;

  AnswerProblem(String what) {
    super(what);
  }
}
