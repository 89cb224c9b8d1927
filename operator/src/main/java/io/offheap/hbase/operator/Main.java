package io.offheap.hbase.operator;

import io.offheap.hbase.operator.cli.CommandLineTools;

/** Entry point of the operator and of its offline tools. */
public final class Main {
  private Main() {}

  /** Runs the operator, or an offline tool where one is named. */
  public static void main(String[] args) {
    var exitStatus = CommandLineTools.run(args);
    if (exitStatus != 0) {
      System.exit(exitStatus);
    }
  }
}
