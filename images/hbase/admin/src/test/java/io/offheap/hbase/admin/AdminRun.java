package io.offheap.hbase.admin;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.apache.hadoop.conf.Configuration;

/**
 * A command that has ended.
 *
 * @param status its exit code
 * @param out what it printed
 * @param error what it printed of errors
 */
record AdminRun(int status, String out, String error) {
  /** Runs a command with the configuration of a container. */
  static AdminRun of(Configuration configuration, String... args) {
    var out = new StringWriter();
    var error = new StringWriter();
    int status =
        AdminTool.create(configuration)
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(error))
            .execute(args);
    return new AdminRun(status, out.toString(), error.toString());
  }
}
