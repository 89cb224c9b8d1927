package io.offheap.hbase.operator.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script that converts resources from before the first release. */
class ConvertTest {
  private static final Path SCRIPT = Path.of("..", "crds", "convert-v1alpha1");
  private static final Path FOLDER = Path.of("src", "test", "resources");
  private static final Path OLD = FOLDER.resolve("convert/old.jsonl");
  private static final Path NEW = FOLDER.resolve("convert/new.jsonl");

  private static final JsonMapper STRICT =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  @TempDir private Path folder;

  @Test
  void convertsEachOldField() throws IOException, InterruptedException {
    assertThat(convert(OLD)).isEqualTo(Files.readAllLines(NEW));
  }

  @Test
  void resultHasKnownFieldsOnly() throws IOException, InterruptedException {
    for (String line : convert(OLD)) {
      JsonNode thing = STRICT.readTree(line);
      if (thing.path("kind").asText().equals("HBaseCluster")) {
        assertThat(STRICT.treeToValue(thing.get("spec"), HBaseClusterSpec.class)).isNotNull();
        if (thing.has("status")) {
          assertThat(STRICT.treeToValue(thing.get("status"), HBaseClusterStatus.class)).isNotNull();
        }
      }
    }
  }

  @Test
  void keepsPresentForm() throws IOException, InterruptedException {
    for (Path file : List.of(NEW, FOLDER.resolve("recorded/resources.jsonl"))) {
      assertThat(convert(file)).isEqualTo(Files.readAllLines(file));
    }
  }

  /** The output of {@code kubectl get -o json} is one object of many lines. */
  @Test
  void convertsSingleObject() throws IOException, InterruptedException {
    var file = folder.resolve("one.json");
    Files.writeString(
        file,
        STRICT
            .writerWithDefaultPrettyPrinter()
            .writeValueAsString(STRICT.readTree(Files.readAllLines(OLD).get(0))));

    assertThat(STRICT.readTree(String.join("\n", convert(file))))
        .isEqualTo(STRICT.readTree(Files.readAllLines(NEW).get(0)));
  }

  /** Each resource is replaced twice, so the version of the first time would be outdated. */
  @Test
  void leavesOutResourceVersionOfClustersAlone() throws IOException, InterruptedException {
    var file = folder.resolve("versions.jsonl");
    var of = "\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"7\"}}";
    Files.write(file, List.of("{\"kind\":\"HBaseCluster\"," + of, "{\"kind\":\"Pod\"," + of));

    assertThat(convert(file))
        .containsExactly(
            "{\"kind\":\"HBaseCluster\",\"metadata\":{\"name\":\"a\"}}", "{\"kind\":\"Pod\"," + of);
  }

  private List<String> convert(Path input) throws IOException, InterruptedException {
    var output = folder.resolve("output");
    var script =
        new ProcessBuilder("python3", SCRIPT.toString())
            .redirectInput(input.toFile())
            .redirectOutput(output.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertThat(script.waitFor()).isZero();
    return Files.readAllLines(output);
  }
}
