package io.offheap.hbase.operator.cli;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints the changes of a resource's plan with other values of fields. */
@Command(
    name = "what-if",
    mixinStandardHelpOptions = true,
    description = "Prints what would change in the plan of FILE, as diff does.",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:the plan would be the same",
      "1:the plan would differ",
      "2:the resource or the changed one is refused, or the command line is wrong"
    })
final class WhatIfCommand extends GroupTool {
  @Parameters(paramLabel = "FILE", description = "An HBaseCluster as YAML or JSON; - for stdin.")
  private String file;

  @Option(
      names = "--set",
      required = true,
      paramLabel = "FIELD=VALUE",
      description = {
        "A field and its value in YAML, such as spec.regionServers.memory.heap=20Gi; as often as"
            + " needed. [0] is the first of a list, [name] an entry of a map such as config;"
            + " without a value the field is left out."
      })
  private List<String> assignments;

  @Override
  Output run() throws RefusedException {
    var cluster = ClusterFile.read(file);
    var changed = cluster;
    for (String assignment : assignments) {
      changed = changed.with(Assignment.parse(assignment));
    }
    return difference(cluster, changed);
  }
}
