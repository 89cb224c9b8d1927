package io.offheap.hbase.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Where the docs show a command with its output, a test compares the two: otherwise the output
 * stays as it was while the program changes.
 */
class DocsTranscriptsTest {
  private static final Path ROOT = Path.of("..");
  private static final String TESTS = "operator/src/test/java/io/offheap/hbase/operator/";
  private static final String COMMAND = "$ ";
  private static final String FENCE = "```";

  /** Pages all of whose transcripts a test runs. */
  private static final Map<String, String> BY_PAGE =
      Map.of(
          "README.md", TESTS + "it/ReadmeIT.java",
          "docs/admin-tools.md",
              "images/hbase/admin/src/test/java/io/offheap/hbase/admin/AdminPage.java",
          "docs/command-line.md", TESTS + "cli/TranscriptTest.java",
          "docs/plan.md", TESTS + "cli/TranscriptTest.java");

  /** Pages with a test for each section, which names the section's heading. */
  private static final Map<String, List<String>> BY_SECTION =
      Map.of(
          "docs/kubectl-plugin.md", List.of(TESTS + "it/PluginPageIT.java"),
          "docs/reading-status.md",
              List.of(TESTS + "it/ReadingStatusIT.java", TESTS + "it/ReadingTunedStatusIT.java"));

  /** A command with its output, in the section of a page. */
  private record Shown(String page, String heading) {
    private List<String> tests() {
      return BY_PAGE.containsKey(page)
          ? List.of(BY_PAGE.get(page))
          : BY_SECTION.getOrDefault(page, List.of());
    }

    boolean isCompared() {
      return tests().stream()
          .anyMatch(
              test ->
                  isIn(test, Path.of(page).getFileName().toString())
                      && (BY_PAGE.containsKey(page) || isIn(test, heading)));
    }

    private static boolean isIn(String test, String text) {
      return lines(ROOT.resolve(test)).anyMatch(it -> it.contains('"' + text + '"'));
    }
  }

  @Test
  void aTestComparesEachOutputThatTheDocsShow() throws IOException {
    var shown = new ArrayList<Shown>();
    for (var page : pages()) {
      shown.addAll(shownIn(page));
    }

    assertThat(shown)
        .as("commands with their output")
        .allSatisfy(it -> assertThat(it.isCompared()).as("a test compares %s", it).isTrue());
    assertThat(shown.stream().map(Shown::page).collect(Collectors.toSet()))
        .as("pages with transcripts")
        .isEqualTo(
            Stream.of(BY_PAGE, BY_SECTION)
                .flatMap(it -> it.keySet().stream())
                .collect(Collectors.toSet()));
  }

  private static List<String> pages() throws IOException {
    try (var docs = Files.walk(ROOT.resolve("docs"));
        var patches = Files.list(ROOT.resolve("patches"))) {
      return Stream.of(Stream.of(ROOT.resolve("README.md")), docs, patches)
          .flatMap(it -> it)
          .filter(it -> it.toString().endsWith(".md"))
          .map(it -> ROOT.relativize(it).toString())
          .sorted()
          .toList();
    }
  }

  /** The blocks in which a line follows a command that is none itself. */
  private static List<Shown> shownIn(String page) {
    var shown = new ArrayList<Shown>();
    var heading = "";
    boolean isBlock = false;
    boolean isAfterCommand = false;
    for (var line : lines(ROOT.resolve(page)).toList()) {
      boolean isCommand = line.strip().startsWith(COMMAND);
      if (line.strip().startsWith(FENCE)) {
        isBlock = !isBlock;
        isAfterCommand = false;
      } else if (!isBlock && line.startsWith("#")) {
        heading = line;
      } else if (isBlock && isAfterCommand && !isCommand) {
        shown.add(new Shown(page, heading));
        isAfterCommand = false;
      } else if (isBlock) {
        isAfterCommand = isCommand;
      }
    }
    return shown;
  }

  private static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
