package io.offheap.hbase.operator.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What holds for each field of the custom resource definition. */
class SchemaTest {
  private static final Path CRD = Path.of("../crds/hbaseclusters.hbase.offheap.io-v1.yml");

  @Test
  void everyFieldHasDescription() throws IOException {
    assertThat(fields()).hasSizeGreaterThan(400);
    assertThat(fields().stream().filter(it -> it.schema().path("description").asText().isEmpty()))
        .extracting(Field::path)
        .isEmpty();
  }

  /** Floating-point numbers are not the same in each language and library. */
  @Test
  void noFieldIsFloatingPointNumber() throws IOException {
    assertThat(fields().stream().filter(it -> it.schema().path("type").asText().equals("number")))
        .extracting(Field::path)
        .isEmpty();
  }

  private record Field(String path, JsonNode schema) {}

  private static List<Field> fields() throws IOException {
    var fields = new ArrayList<Field>();
    for (JsonNode version : new YAMLMapper().readTree(CRD.toFile()).at("/spec/versions")) {
      var schema = version.at("/schema/openAPIV3Schema");
      fields.add(new Field("", schema));
      add("", schema, fields);
    }
    return fields;
  }

  private static void add(String path, JsonNode schema, List<Field> fields) {
    schema
        .path("properties")
        .properties()
        .forEach(
            it -> {
              var name = path + "." + it.getKey();
              fields.add(new Field(name, it.getValue()));
              add(name, it.getValue(), fields);
            });
    if (schema.has("items")) {
      add(path + "[]", schema.get("items"), fields);
    }
  }
}
