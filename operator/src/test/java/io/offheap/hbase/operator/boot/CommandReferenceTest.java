package io.offheap.hbase.operator.boot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.cli.CommandLineTools;
import io.offheap.hbase.reference.CommandReference;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The docs have each command and option of the plugin and of the jar. */
class CommandReferenceTest {
  private static final Path PLUGIN = Path.of("src/plugin/kubectl-hbc");
  private static final Pattern COMMAND = Pattern.compile("(?m)^kubectl hbc (\\S+)");

  /** Options that the plugin itself adds. */
  private static final Set<String> ADDED = Set.of("--color");

  private static String plugin(String... arguments) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("bash", PLUGIN.toString()));
    command.addAll(List.of(arguments));
    var process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    var output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).isZero();
    return output;
  }

  private static List<String> commandsOfPlugin() throws IOException, InterruptedException {
    return COMMAND
        .matcher(plugin("help"))
        .results()
        .map(it -> it.group(1))
        .filter(it -> !it.equals("help"))
        .distinct()
        .toList();
  }

  @Test
  void docsHaveEachCommandOfPluginAndJar() throws IOException, InterruptedException {
    var page = new StringBuilder("## The plugin\n\n");
    for (var command : commandsOfPlugin()) {
      page.append("### kubectl hbc ")
          .append(command)
          .append("\n\n```text\n")
          .append(plugin("help", command))
          .append("```\n\n");
    }
    page.append("## The jar\n\n");
    var tools = CommandLineTools.create().addSubcommand(new OperatorCommand());
    page.append(CommandReference.of(tools, 3));

    CommandReference.check(Path.of("../docs/command-reference.md"), page.toString());
  }

  @Test
  void helpOfThePluginHasTheOptionsOfTheToolsThatItRuns() throws IOException, InterruptedException {
    var missing = new TreeSet<String>();
    for (var command : commandsOfPlugin()) {
      var tool = CommandLineTools.create().getSubcommands().get(command);
      if (tool != null) {
        var help = plugin("help", command);
        options(tool).stream()
            .filter(it -> it.stream().noneMatch(help::contains))
            .forEach(it -> missing.add(command + " " + it));
      }
    }

    assertThat(missing).isEmpty();
  }

  private static Set<List<String>> options(CommandLine tool) {
    return tool.getCommandSpec().options().stream()
        .filter(it -> !it.usageHelp() && !it.versionHelp())
        .map(it -> List.of(it.names()))
        .filter(it -> it.stream().noneMatch(ADDED::contains))
        .collect(Collectors.toSet());
  }

  @Test
  void anyCommandOfThePluginHasHelp() throws IOException, InterruptedException {
    assertThat(plugin("plan", "--help")).isEqualTo(plugin("help", "plan"));
    assertThat(plugin("top", "demo", "-h")).contains("--operator-namespace NAMESPACE");
    assertThat(plugin("help", "help")).contains("kubectl hbc help [COMMAND]");
  }
}
