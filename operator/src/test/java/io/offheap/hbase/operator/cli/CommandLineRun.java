package io.offheap.hbase.operator.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/** Output and exit status of a command. */
record CommandLineRun(int status, String out, String err) {
  static CommandLineRun of(String... args) {
    var out = new StringWriter();
    var err = new StringWriter();
    int status =
        CommandLineTools.create()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(args);
    return new CommandLineRun(status, out.toString(), err.toString());
  }
}
