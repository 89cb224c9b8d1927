package io.offheap.hbase.operator.cli;

import java.util.ArrayList;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Prints the memory plan of an {@code HBaseCluster}. */
@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    description = {
      "Prints the memory plan of an HBaseCluster, each value with its reason; of all its groups of"
          + " region servers, unless one is named. With a working set or a hit ratio it names the"
          + " mode of the block cache that suits the load."
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:there is a plan", "2:the resource is refused, or the command line is wrong"})
final class PlanCommand extends GroupTool {
  @Parameters(paramLabel = "FILE", description = "An HBaseCluster as YAML or JSON; - for stdin.")
  private String file;

  @Mixin private LoadOptions load = new LoadOptions();

  @Override
  Output run() throws RefusedException {
    var plans = new ArrayList<AdvisedPlan>();
    for (var plan : plansOfAll(ClusterFile.read(file))) {
      plans.add(new AdvisedPlan(plan, load.advice(plan)));
    }
    return new Output(DONE, PlanTable.of(plans), PlanDocument.of(plans));
  }
}
