package io.offheap.hbase.operator.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The offline tools, as sub-commands. */
@Command(
    name = "hbase-offheap-operator",
    description = "Tuned off-heap HBase.",
    mixinStandardHelpOptions = true,
    subcommands = {
      PlanCommand.class,
      ExplainCommand.class,
      DiffCommand.class,
      WhatIfCommand.class,
      RenderCommand.class,
      CheckCommand.class,
      StatusCommand.class,
      TopCommand.class,
      TuningCommand.class,
      RedactCommand.class
    })
public final class CommandLineTools {
  private CommandLineTools() {}

  /** The command line; the operator itself is added to it by its own entry point. */
  public static CommandLine create() {
    var tools = new CommandLine(new CommandLineTools());
    // An internal error must not have the exit status 1 of a diff.
    tools.setExecutionExceptionHandler(
        (exception, command, parsed) -> {
          command.getErr().println("internal error: " + exception);
          command.getErr().flush();
          return OfflineTool.REFUSED;
        });
    // explain has arguments such as -Xmx, which are names here.
    tools.getSubcommands().get("explain").setUnmatchedOptionsArePositionalParams(true);
    return tools;
  }

  /** Runs the named tool and returns its exit status. */
  public static int run(String... args) {
    return create().execute(args);
  }
}
