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

  /** The command line; the operator itself is added to it by its own entry point. */
  public static CommandLine create() {
    return new CommandLine(new CommandLineTools());
  }

  /** Runs the named tool and returns its exit status. */
  public static int run(String... args) {
    return create().execute(args);
  }
}
