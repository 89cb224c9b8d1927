package io.offheap.hbase.operator.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints what changes from one resource's plan to another's. */
@Command(
    name = "diff",
    mixinStandardHelpOptions = true,
    description = {
      "Prints each value that changes from the plan of OLD to the plan of NEW, and whether region"
          + " servers must restart for it; for all groups of region servers, unless one is named."
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:the plans are the same",
      "1:the plans differ",
      "2:a resource is refused, or the command line is wrong"
    })
final class DiffCommand extends GroupTool {
  @Parameters(
      index = "0",
      paramLabel = "OLD",
      description = "An HBaseCluster as YAML or JSON; - for stdin.")
  private String oldFile;

  @Parameters(index = "1", paramLabel = "NEW", description = "The HBaseCluster with changes.")
  private String newFile;

  @Override
  Output run() throws RefusedException {
    return difference(ClusterFile.read(oldFile), ClusterFile.read(newFile));
  }
}
