package io.offheap.hbase.operator.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints the memory plan of an {@code HBaseCluster}. */
@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    description = {
      "Prints the memory plan of an HBaseCluster, each value with its reason; of all its groups of"
          + " region servers, unless one is named."
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:there is a plan", "2:the resource is refused, or the command line is wrong"})
final class PlanCommand extends GroupTool {
  @Parameters(paramLabel = "FILE", description = "An HBaseCluster as YAML or JSON; - for stdin.")
  private String file;

  @Override
  Output run() throws RefusedException {
    var plans = plansOfAll(ClusterFile.read(file));
    return new Output(DONE, PlanTable.of(plans), PlanDocument.of(plans));
  }
}
