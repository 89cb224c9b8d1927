package io.offheap.hbase.operator.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * A command without Kubernetes, with the format of the output and the exit status. A refusal is
 * printed to standard error as a table, and to standard output as JSON or YAML.
 */
abstract class OfflineTool implements Callable<Integer> {
  /** Exit status: success; for a comparison, no difference. */
  static final int DONE = 0;

  /** Exit status: a comparison found differences, as in {@code diff}. */
  static final int DIFFERENT = 1;

  /** Exit status: the resource or the command line is refused. */
  static final int REFUSED = 2;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} where left out.")
  private OutputFormat format = OutputFormat.table;

  @Spec private CommandSpec command;

  /**
   * The output of a tool.
   *
   * @param status the exit status
   * @param table text that ends with a line end
   * @param document the same content as an object for Jackson
   */
  record Output(int status, String table, Object document) {}

  /**
   * Runs the tool.
   *
   * @throws RefusedException if the input is invalid
   */
  abstract Output run() throws RefusedException;

  @Override
  public final Integer call() {
    var out = command.commandLine().getOut();
    try {
      var output = run();
      out.print(format.text(output.table(), output.document()));
      return output.status();
    } catch (RefusedException e) {
      var refusals = format == OutputFormat.table ? command.commandLine().getErr() : out;
      refusals.print(format.text(e.text(), e.document()));
      refusals.flush();
      return REFUSED;
    } finally {
      out.flush();
    }
  }
}
