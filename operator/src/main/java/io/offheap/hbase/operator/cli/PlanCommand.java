package io.offheap.hbase.operator.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints the memory plan of an {@code HBaseCluster}. */
@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    description = "Prints the memory plan of an HBaseCluster, each value with its reason.",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:there is a plan", "2:the resource is refused, or the command line is wrong"})
final class PlanCommand extends OfflineTool {
  @Parameters(paramLabel = "FILE", description = "An HBaseCluster as YAML or JSON; - for stdin.")
  private String file;

  @Override
  Answer answer() throws RefusedException {
    var plan = ClusterFile.read(file).plan();
    return new Answer(DONE, PlanTable.of(plan), PlanDocument.of(plan));
  }
}
