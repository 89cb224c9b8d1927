package io.offheap.hbase.operator.boot;

import io.offheap.hbase.operator.cli.CommandLineTools;

/** Entry point of the operator and of its offline tools. */
public final class Main {
  private Main() {}

  /** Runs the operator, or the offline tool that is named. */
  public static void main(String[] args) {
    System.exit(CommandLineTools.create().addSubcommand(new OperatorCommand()).execute(args));
  }
}
