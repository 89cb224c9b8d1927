package io.offheap.hbase.operator.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The offline tools, one sub-command each. */
@Command(
    name = "hbase-offheap-operator",
    description = "Tuned off-heap HBase.",
    mixinStandardHelpOptions = true,
    subcommands = PlanCommand.class)
public final class CommandLineTools {
  private CommandLineTools() {}

  /** Runs the named tool and returns its exit status. */
  public static int run(String... args) {
    return new CommandLine(new CommandLineTools()).execute(args);
  }
}
