package io.offheap.hbase.operator.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.offheap.hbase.operator.declare.Declarations;
import io.offheap.hbase.operator.plan.PlanProblem;
import io.offheap.hbase.operator.plan.PlanResult;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the memory plan of an {@code HBaseCluster}. */
@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    description = "Prints the memory plan of an HBaseCluster, each value with its reason.",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:there is a plan", "2:the resource is refused, or the command line is wrong"})
final class PlanCommand implements Callable<Integer> {
  private static final int REFUSED = 2;

  @Parameters(paramLabel = "FILE", description = "An HBaseCluster as YAML or JSON; - for stdin.")
  private String file;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} where left out.")
  private Format format = Format.table;

  @Spec private CommandSpec command;

  enum Format {
    table,
    json,
    yaml
  }

  @Override
  public Integer call() throws JsonProcessingException {
    PlanResult result;
    try {
      result = Declarations.plan(ClusterFile.read(file));
    } catch (ClusterFile.InvalidException e) {
      result = new PlanResult.Refused(List.of(e.problem()));
    }
    return print(result);
  }

  private int print(PlanResult result) throws JsonProcessingException {
    var out = command.commandLine().getOut();
    if (format != Format.table) {
      out.print(structured(result));
    } else if (result instanceof PlanResult.Planned planned) {
      out.print(PlanTable.of(planned.plan()));
    } else if (result instanceof PlanResult.Refused refused) {
      printProblems(command.commandLine().getErr(), refused.problems());
    }
    out.flush();
    return result instanceof PlanResult.Planned ? 0 : REFUSED;
  }

  private String structured(PlanResult result) throws JsonProcessingException {
    var mapper = format == Format.json ? new ObjectMapper() : new ObjectMapper(new YAMLFactory());
    var text =
        mapper
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(SerializationFeature.WRITE_ENUMS_USING_TO_STRING)
            .writeValueAsString(PlanDocument.of(result));
    return text.endsWith("\n") ? text : text + "\n";
  }

  private void printProblems(PrintWriter err, List<PlanProblem> problems) {
    err.println(file + " is refused:");
    problems.forEach(problem -> err.println("  " + problem));
    err.flush();
  }
}
