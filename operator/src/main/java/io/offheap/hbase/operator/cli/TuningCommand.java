package io.offheap.hbase.operator.cli;

import io.offheap.hbase.operator.api.TuningStatus;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows what tuning did to an {@code HBaseCluster}, and what it waits for. */
@Command(
    name = "tuning",
    mixinStandardHelpOptions = true,
    description = {
      "Shows what tuning does with an HBaseCluster: values, a change on trial, a recommendation,"
          + " stopped rules, history.",
      "",
      "FILE has the resource as the API server returns it: kubectl get hbc NAME -o json. `kubectl"
          + " hbc tuning` does that."
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:it is shown", "2:the file or the command line is wrong"})
final class TuningCommand extends OfflineTool {
  @Parameters(paramLabel = "FILE", description = "An HBaseCluster, as YAML or JSON; - for stdin.")
  private String file;

  @Override
  Output run() throws RefusedException {
    var cluster = ObservedCluster.read(file);
    var tuning =
        Objects.requireNonNullElseGet(cluster.status().tuning(), () -> new TuningStatus(List.of()));
    var table = new TuningTable(cluster.cluster().getMetadata().getName());
    return new Output(DONE, table.text(tuning), tuning);
  }
}
