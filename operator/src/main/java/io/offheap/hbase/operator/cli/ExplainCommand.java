package io.offheap.hbase.operator.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints the reason for a value of a plan, and the fields that would change it. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    description = {
      "Prints one value of the plan of FILE, its reason, and what would change it; of the default"
          + " group of region servers, unless another is named."
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:the plan has the value",
      "2:the plan has no such value, the resource is refused, or the command line is wrong"
    })
final class ExplainCommand extends GroupTool {
  @Parameters(
      index = "0",
      paramLabel = "KEY",
      description = {
        "A property of hbase-site.xml, a JVM option with or without its -XX: or -D, or memory, that"
            + " of the container."
      })
  private String key;

  @Parameters(
      index = "1",
      paramLabel = "FILE",
      description = "An HBaseCluster as YAML or JSON; - for stdin.")
  private String file;

  @Override
  Output run() throws RefusedException {
    var cluster = ClusterFile.read(file);
    var groupPlan = planOfOne(cluster);
    var plan = groupPlan.plan();
    var setting = KeyNames.find(plan, key);
    if (setting.isEmpty()) {
      throw new RefusedException(
          key,
          "KEY",
          "the plan of "
              + file
              + " has no such value; nearest are "
              + String.join(", ", KeyNames.nearest(plan, key)));
    }
    var explanation = Explanation.of(cluster, groupPlan, setting.get());
    return new Output(DONE, ExplanationTable.of(explanation), explanation);
  }
}
