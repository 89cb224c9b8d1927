package io.offheap.hbase.operator.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.Quantity;
import io.offheap.hbase.operator.declare.GroupField;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What holds for each field of the custom resource definition. */
class SchemaTest {
  private static final Pattern QUANTITY = Pattern.compile("quantity\\('([^']+)'\\)");
  private static final ObjectMapper JSON = new ObjectMapper();
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

  /**
   * A default in the schema would be stored as if it were declared. {@code kubectl explain} shows
   * these in the description.
   */
  @Test
  void eachDefaultOfGroupIsInItsDescription() throws IOException {
    var defaults = new TreeMap<String, String>();
    addDefaults("", JSON.valueToTree(RegionServersSpec.ofDefaults()), defaults);
    assertThat(defaults)
        .containsEntry(".replicas", "3")
        .containsEntry(".handlers", "30")
        .containsEntry(".disk", "SSD")
        .containsEntry(".load", "Normal")
        .containsEntry(".blockCache.mode", "OffHeap")
        .containsEntry(".resources.limits.cpu", "4")
        .hasSize(6);
    for (var group : List.of(".spec.regionServers", ".spec.regionServerGroups[]")) {
      var fields =
          fields().stream()
              .filter(it -> it.path().startsWith(group + "."))
              .collect(Collectors.toMap(it -> it.path().substring(group.length()), Field::schema));
      defaults.forEach(
          (path, value) ->
              assertThat(isDefaultOf(fields.get(path), value)).as(group + path).isTrue());
      assertThat(fields.entrySet().stream().filter(it -> it.getValue().has("default")))
          .extracting(Map.Entry::getKey)
          .containsOnly(".replicas");
    }
  }

  /** A rule of the API server for a quantity has the range that the operator checks. */
  @Test
  void rangesAreThoseOfTheOperator() throws IOException {
    var fields = fields().stream().collect(Collectors.toMap(Field::path, Field::schema));
    var bound = new ArrayList<String>();
    for (GroupField field : GroupField.all()) {
      if (field.range().isEmpty()) {
        continue;
      }
      var range = field.range().get();
      var path = ".spec.regionServers." + field.path();
      assertThat(fields).containsKey(path);
      var schema = fields.get(path);
      if (schema.path("type").asText().equals("integer")) {
        assertThat(schema.path("minimum").asLong()).as(path).isEqualTo(range.min());
        assertThat(schema.path("maximum").asLong()).as(path).isEqualTo(range.max());
        bound.add(field.path());
        continue;
      }
      var name = field.path().substring(field.path().lastIndexOf('.'));
      for (JsonNode rule : fields.get(parent(path)).path("x-kubernetes-validations")) {
        var literals = QUANTITY.matcher(rule.path("rule").asText()).results().toList();
        if (rule.path("fieldPath").asText().endsWith(name) && literals.size() == 2) {
          assertThat(literals)
              .extracting(it -> bytes(it.group(1)))
              .as(path)
              .containsExactly(range.min(), range.max());
          bound.add(field.path());
        }
      }
    }
    assertThat(bound)
        .containsExactly(
            "replicas",
            "memory.heap",
            "memory.offHeap",
            "memory.limit",
            "hfile.cellSize",
            "hfile.openFiles",
            "allocator.minimalAllocateSize",
            "handlers");
  }

  private static String parent(String path) {
    return path.substring(0, path.lastIndexOf('.'));
  }

  private static long bytes(String quantity) {
    return Quantity.getAmountInBytes(Quantity.parse(quantity)).longValueExact();
  }

  private static boolean isDefaultOf(JsonNode field, String value) {
    return field.has("default")
        ? field.get("default").asText().equals(value)
        : field.path("description").asText().endsWith(". Default: " + value + ".");
  }

  private static void addDefaults(String path, JsonNode tree, Map<String, String> defaults) {
    for (var it : tree.properties()) {
      if (it.getValue().isObject()) {
        addDefaults(path + "." + it.getKey(), it.getValue(), defaults);
      } else if (it.getValue().isValueNode()) {
        defaults.put(path + "." + it.getKey(), it.getValue().asText());
      }
    }
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
