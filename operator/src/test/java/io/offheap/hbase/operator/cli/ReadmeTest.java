package io.offheap.hbase.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What the README shows is what the command prints. */
class ReadmeTest {
  private static final Path README = Path.of("..", "README.md");

  @Test
  void showsThePlanThatTheCommandPrints() throws IOException {
    var golden = Files.readString(Vectors.FOLDER.resolve("external.txt"));

    assertThat(Files.readString(README)).contains("```\n" + golden.stripTrailing() + "\n```");
  }

  @Test
  void showsTheRefusalThatTheCommandPrints() throws IOException {
    var demo = Files.readString(Path.of("..", "examples", "demo.yaml"));
    var impossible = Files.createTempFile("impossible", ".yaml");
    Files.writeString(impossible, demo.replace("offHeap: 512Mi", "offHeap: 64Mi"));

    var run = CommandLineRun.of("plan", impossible.toString());

    var refusal = run.err().lines().skip(1).findFirst().orElseThrow().strip();
    var shown = Files.readString(README).replaceAll("\\s+", " ");
    assertThat(shown).contains(refusal.replaceAll("\\s+", " "));
  }
}
