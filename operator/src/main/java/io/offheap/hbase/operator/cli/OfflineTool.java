package io.offheap.hbase.operator.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * What all tools have in common: the format of the output, and the exit status. A refusal goes to
 * standard error for people, and to standard output for programs, which read that anyway.
 */
abstract class OfflineTool implements Callable<Integer> {
  /** Exit status: done, and for a comparison that nothing differs. */
  static final int DONE = 0;

  /** Exit status of a comparison that found differences, as {@code diff} has it. */
  static final int DIFFERENT = 1;

  /** Exit status: nothing was done, because of the resource or the command line. */
  static final int REFUSED = 2;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} where left out.")
  private OutputFormat format = OutputFormat.table;

  @Spec private CommandSpec command;

  /**
   * What a tool found out.
   *
   * @param status the exit status
   * @param forPeople text that ends with a line's end
   * @param forPrograms the same as an object that Jackson can write
   */
  record Answer(int status, String forPeople, Object forPrograms) {}

  /**
   * Does the tool's work.
   *
   * @throws RefusedException if what was given is wrong
   */
  abstract Answer answer() throws RefusedException;

  @Override
  public final Integer call() {
    var out = command.commandLine().getOut();
    try {
      var answer = answer();
      out.print(format.text(answer.forPeople(), answer.forPrograms()));
      return answer.status();
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
