package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus.RegionServer.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The README's transcript with what the real kubectl prints, on a real API server. The pods are
 * simulated and HBase is a model, so the seconds and regions in messages, which the README has of a
 * run on kind, are compared by their places alone.
 */
@ExtendWith(ApiServer.class)
class ReadmeIT {
  private static final Path README = Path.of("..", "README.md");
  private static final String NAME = "demo";
  private static final String BEGIN = "<!-- transcript -->";
  private static final String END = "<!-- /transcript -->";
  private static final String COMMAND = "$ kubectl ";
  private static final String FENCE = "```";
  private static final String LEFT_OUT = "  ...";
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");
  private static final Pattern AGE = Pattern.compile(" (\\d+[smh])+$");
  private static final Pattern FIGURE = Pattern.compile("(?<= )\\d+(\\.\\d+)?(?=[ ,]|$)");

  private record Step(String command, List<String> lines) {}

  @Test
  void kubectlPrintsTheTranscript(ApiServer.Running server, TestInfo test) throws IOException {
    var kubectl = Tool.kubectl(server);
    var steps = steps();
    assertThat(steps).as("commands in the README's transcript").isNotEmpty();
    try (var namespace = WatchedNamespace.start(server, test)) {
      for (var step : steps) {
        var arguments = words(step.command());
        arguments.addAll(List.of("--namespace", namespace.name()));

        check(step, kubectl.run(arguments).orThrow());

        await("what is declared runs").atMost(LONG).until(() -> isDone(namespace.get(NAME)));
        namespace.awaitQuiet();
      }
    }
  }

  private static List<Step> steps() throws IOException {
    var lines = Files.readAllLines(README);
    assertThat(lines).contains(BEGIN, END);
    var steps = new ArrayList<Step>();
    for (var line : lines.subList(lines.indexOf(BEGIN) + 1, lines.indexOf(END))) {
      if (line.startsWith(COMMAND)) {
        steps.add(new Step(line.substring(COMMAND.length()), new ArrayList<>()));
      } else if (!line.startsWith(FENCE)) {
        steps.get(steps.size() - 1).lines().add(line);
      }
    }
    return steps;
  }

  /** As a shell has them in the project's root, which is the folder above the tests'. */
  private static List<String> words(String command) {
    var words = new ArrayList<String>();
    var match = WORD.matcher(command);
    while (match.find()) {
      var word = match.group(1) == null ? match.group(2) : match.group(1);
      words.add(word.startsWith("examples/") ? Path.of("..", word).toString() : word);
    }
    return words;
  }

  /** Where the README leaves lines out, the others are among those printed, in whatever order. */
  private static void check(Step step, String output) {
    var printed = output.lines().map(ReadmeIT::withoutFigures).toList();
    var shown =
        step.lines().stream()
            .filter(it -> !it.equals(LEFT_OUT))
            .map(ReadmeIT::withoutFigures)
            .toList();
    var of = assertThat(printed).as("the README's '%s'", step.command());
    if (step.lines().contains(LEFT_OUT)) {
      // Events of the same second have no order.
      of.startsWith(shown.get(0)).containsAll(shown);
    } else {
      of.containsExactlyElementsOf(shown);
    }
  }

  private static String withoutFigures(String line) {
    var text = AGE.matcher(line.stripTrailing()).replaceAll(" AGE");
    return line.startsWith(NAME) ? text : FIGURE.matcher(text).replaceAll("N");
  }

  private static boolean isDone(HBaseCluster cluster) {
    var status = cluster.getStatus();
    return status != null
        && cluster.getMetadata().getGeneration().equals(status.observedGeneration())
        && status.lastGood() != null
        && status.rollout() == null
        && Clusters.condition(cluster, "Progressing").orElse("").startsWith("False Idle")
        && Clusters.condition(cluster, "Ready").orElse("").startsWith("True")
        && status.regionServers().stream()
            .allMatch(
                it ->
                    it.state() == State.Serving
                        && it.planHash().equals(status.memoryPlan().hash()));
  }
}
