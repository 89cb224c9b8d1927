package io.offheap.hbase.operator.cli;

import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;

/** Output and exit status of a command. */
record CommandLineRun(int status, String out, String err) {
  static CommandLineRun of(String... args) {
    return withInput(new byte[0], args);
  }

  /**
   * With a standard input. The process's own is the channel by which the build controls the tests:
   * a command that reads and closes it, as for the file {@code -}, ends all of them.
   */
  static CommandLineRun withInput(byte[] input, String... args) {
    var out = new StringWriter();
    var err = new StringWriter();
    var channel = System.in;
    System.setIn(new ByteArrayInputStream(input));
    try {
      int status =
          CommandLineTools.create()
              .setOut(new PrintWriter(out))
              .setErr(new PrintWriter(err))
              .execute(args);
      return new CommandLineRun(status, out.toString(), err.toString());
    } finally {
      System.setIn(channel);
    }
  }
}
