package io.offheap.hbase.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole output of the tools: golden transcripts, and the examples of the manuals. */
class TranscriptTest {
  private static final Path GOLDEN = Path.of("src", "test", "resources", "cli");

  @TempDir private Path folder;

  static List<Path> transcripts() throws IOException {
    try (var files = Files.list(GOLDEN)) {
      return files.filter(path -> path.toString().endsWith(".console")).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("transcripts")
  void toolsPrintTheirTranscripts(Path transcript) throws IOException {
    var lines = Files.readAllLines(transcript);

    check(transcript, lines, new Transcript(folder).replay(lines));
  }

  @ParameterizedTest
  @ValueSource(strings = {"command-line.md", "plan.md"})
  void manualQuotesOutputOfTools(String manual) throws IOException {
    var file = Path.of("..", "docs", manual);
    var lines = Files.readAllLines(file);
    var terminal = new Transcript(folder);
    var replayed = new ArrayList<String>();
    int end = 0;
    for (int start = next(lines, "```console", 0); start >= 0; ) {
      replayed.addAll(lines.subList(end, start + 1));
      end = next(lines, "```", start + 1);
      replayed.addAll(terminal.replay(lines.subList(start + 1, end)));
      start = next(lines, "```console", end + 1);
    }
    replayed.addAll(lines.subList(end, lines.size()));

    assertThat(end).as("end of the last example in %s", file).isPositive();
    check(file, lines, replayed);
  }

  private static int next(List<String> lines, String line, int from) {
    int index = lines.subList(from, lines.size()).indexOf(line);
    return index < 0 ? -1 : from + index;
  }

  private static void check(Path file, List<String> lines, List<String> replayed)
      throws IOException {
    if (Boolean.getBoolean("golden.update")) {
      Files.write(file, replayed);
      return;
    }
    assertThat(lines)
        .as("%s; where the change is meant, run again with -Dgolden.update=true", file)
        .containsExactlyElementsOf(replayed);
  }
}
