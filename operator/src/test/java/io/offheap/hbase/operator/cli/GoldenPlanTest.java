package io.offheap.hbase.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The whole plan of each vector, as {@code plan} prints it: {@code plans/<vector>.yaml} in, {@code
 * plans/<vector>.txt} out. {@link DerivationTableTest} asserts the numbers that must never change
 * with a golden file.
 */
class GoldenPlanTest {
  private static final Path EXAMPLES = Path.of("..", "examples");

  static List<Path> resources() throws IOException {
    try (var vectors = Files.list(Vectors.FOLDER);
        var examples = Files.list(EXAMPLES)) {
      return Stream.concat(vectors, examples)
          .filter(path -> path.toString().endsWith(".yaml"))
          .filter(GoldenPlanTest::isCluster)
          .sorted()
          .toList();
    }
  }

  private static boolean isCluster(Path path) {
    try {
      return Files.readString(path).contains("kind: HBaseCluster");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @MethodSource("resources")
  void planEqualsGoldenFile(Path resource) throws IOException {
    var golden = Vectors.FOLDER.resolve(resource.getFileName().toString().replace(".yaml", ".txt"));

    var run = CommandLineRun.of("plan", resource.toString());

    assertThat(run.err()).isEmpty();
    assertThat(run.status()).isZero();
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(golden, run.out());
    }
    assertThat(golden)
        .withFailMessage("%s is missing; run again with -Dgolden.update=true", golden)
        .exists();
    assertThat(run.out())
        .as("%s; where the change is meant, run again with -Dgolden.update=true", golden)
        .isEqualTo(Files.readString(golden));
  }
}
