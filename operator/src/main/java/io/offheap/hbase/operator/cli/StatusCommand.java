package io.offheap.hbase.operator.cli;

import java.time.Clock;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the status of an {@code HBaseCluster} on one screen. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = {
      "Shows an HBaseCluster's status on one screen: region servers, plan, rollout, tuning,"
          + " conditions, events.",
      "",
      "FILE has the resource as the API server returns it, and optionally its events:"
          + " kubectl get hbc NAME -o json; kubectl get events -o json. `kubectl hbc status` does"
          + " both."
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:the status is shown", "2:the file or the command line is wrong"})
final class StatusCommand extends OfflineTool {
  @Parameters(
      paramLabel = "FILE",
      description = "An HBaseCluster, and lists of events, as YAML or JSON; - for stdin.")
  private String file;

  @Option(names = "--color", description = "Colours, for a terminal.")
  private boolean color;

  @Override
  Output run() throws RefusedException {
    var cluster = ObservedCluster.read(file);
    var screen = new StatusScreen(color, Clock.systemUTC().instant());
    return new Output(DONE, screen.text(cluster), cluster.summary());
  }
}
