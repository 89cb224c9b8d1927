package io.offheap.hbase.operator.declare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseClusterSpec;
import io.offheap.hbase.operator.api.RegionServersSpec;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Which fields a region server group inherits from the default group, its profile and defaults. */
class InheritanceTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** New fields of the type are covered without a change of this test. */
  static Stream<Field> fields() {
    return fields("", RegionServersSpec.class).filter(it -> !it.path().equals("/replicas"));
  }

  @ParameterizedTest
  @MethodSource("fields")
  void inheritsEveryFieldButReplicas(Field field) {
    assertThat(group(field.declared(), JSON.createObjectNode()).at(field.path()))
        .isEqualTo(field.value());
  }

  @ParameterizedTest
  @MethodSource("fields")
  void declaredFieldOfGroupWins(Field field) {
    assertThat(group(JSON.createObjectNode(), field.declared()).at(field.path()))
        .isEqualTo(field.value());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "replicas: 7                                   | {}                             | /replicas"
            + "                    | 3",
        "memory: {heap: 1Gi, offHeap: 2Gi}             | memory: {limit: 9Gi}           | /memory  "
            + "                    | {\"limit\":\"9Gi\"}",
        "resources: {limits: {cpu: 8}, requests: {cpu: 6}} | resources: {limits: {cpu: 2}} |"
            + " /resources/requests/cpu  |",
        "resources: {limits: {cpu: 8}, requests: {cpu: 6}} | handlers: 9                |"
            + " /resources/requests/cpu      | 6",
        "resources: {limits: {cpu: 8}, requests: {cpu: 6, ephemeral-storage: 1Gi}} | resources:"
            + " {limits: {cpu: 2}} | /resources/requests | {\"ephemeral-storage\":\"1Gi\"}",
        "resources: {requests: {cpu: 3}}               | resources: {limits: {cpu: 2}, requests:"
            + " {cpu: 1}} | /resources/requests/cpu | 1",
        "blockCache: {mode: File, bucketCacheSize: 8Gi}| blockCache: {mode: OffHeap}    |"
            + " /blockCache/bucketCacheSize  |",
        "blockCache: {mode: File, bucketCacheSize: 8Gi}| blockCache: {mode: File}       |"
            + " /blockCache/bucketCacheSize  | 8Gi",
        "blockCache: {bucketCacheSize: 8Gi}            | blockCache: {mode: OffHeap}    |"
            + " /blockCache/bucketCacheSize  | 8Gi",
        "blockCache: {mode: File, file: {path: /a, persistent: false}} | blockCache: {file: {path:"
            + " /b}} | /blockCache/file | {\"path\":\"/b\"}",
        "hfile: {blockSize: 8Ki, cellSize: 9}          | hfile: {cellSize: 5}           | /hfile   "
            + "                    | {\"blockSize\":\"8Ki\",\"cellSize\":5}",
        "config: {a: one, b: two}                      | config: {b: other}             | /config/a"
            + "                    | one",
        "config: {a: one, b: two}                      | config: {b: other}             | /config/b"
            + "                    | other",
        "jvmOptions: [-Xss1m, -Da=1]                   | jvmOptions: [-Da=2, -Db=3]     |"
            + " /jvmOptions                  | [\"-Xss1m\",\"-Da=2\",\"-Db=3\"]",
        "jvmOptions: [-Da=1]                           | jvmOptions: [-Da=2, -Da=3]     |"
            + " /jvmOptions                  | [\"-Da=2\",\"-Da=3\"]",
        "podTemplate: {metadata: {labels: {a: one, b: two}}} | podTemplate: {metadata: {labels: {b:"
            + " other}}} | /podTemplate/metadata/labels | {\"a\":\"one\",\"b\":\"other\"}",
        "podTemplate: {spec: {volumes: [{name: a, emptyDir: {}}, {name: b}]}} | podTemplate: {spec:"
            + " {volumes: [{name: a, configMap: {name: c}}]}} | /podTemplate/spec/volumes |"
            + " [{\"configMap\":{\"name\":\"c\"},\"name\":\"a\"},{\"name\":\"b\"}]",
        "podTemplate: {spec: {tolerations: [{key: a}]}} | podTemplate: {spec: {tolerations: [{key:"
            + " b}]}} | /podTemplate/spec/tolerations | [{\"key\":\"b\"}]",
        "profile: Xiaomi                               | {}                             |"
            + " /resources/limits/cpu                      | 24",
        "profile: Xiaomi                               | resources: {limits: {cpu: 6}}             "
            + "          | /resources/limits/cpu                      | 6",
        "profile: Xiaomi, resources: {limits: {cpu: 6}}                     | profile: HBase-21879 "
            + "          | /resources/limits/cpu                      | 6",
        "profile: Xiaomi                               | profile: Offheap-Read-Path     |"
            + " /resources/limits/cpu                      | 8",
        "{}                                            | {}                             |"
            + " /resources/limits/cpu                      | 4",
      })
  void mergesAsDocumented(String base, String own, String path, String expected) {
    var value = group(yaml(base), yaml(own)).at(path);

    assertThat(value.isValueNode() ? value.asText() : value.toString())
        .isEqualTo(expected == null ? "" : expected);
  }

  @Test
  void defaultGroupKeepsReplicas() {
    assertThat(spec(yaml("replicas: 7"), yaml("{}")))
        .extracting(it -> ServerGroups.of(it).get(0).spec().replicas())
        .isEqualTo(7);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                          | {}",
        "replicas: 7                 | {}",
        "{}                          | replicas: 0",
        "replicas: 1                 | replicas: 9",
        "profile: Xiaomi             | profile: HBase-21879",
        "profile: HBase-21879        | replicas: 2",
        "profile: Offheap-Read-Path  | profile: Xiaomi",
      })
  void replicasAreThoseOfTheGroups(String base, String own) {
    var spec = spec(yaml(base), yaml(own));

    assertThat(List.copyOf(ServerGroups.replicas(spec).entrySet()))
        .isEqualTo(
            ServerGroups.of(spec).stream()
                .map(it -> Map.entry(it.name(), it.spec().replicas()))
                .toList());
  }

  private static JsonNode group(ObjectNode base, ObjectNode own) {
    return JSON.valueToTree(ServerGroups.of(spec(base, own)).get(1).spec());
  }

  /** Parsed as by the Kubernetes client. */
  private static HBaseClusterSpec spec(ObjectNode base, ObjectNode own) {
    var spec = JSON.createObjectNode();
    spec.set("regionServers", base);
    spec.putArray("regionServerGroups").add(own.put("name", "other"));
    return Serialization.unmarshal(spec.toString(), HBaseClusterSpec.class);
  }

  private static ObjectNode yaml(String fields) {
    return Serialization.unmarshal(
        "---\n" + (fields.startsWith("{") ? fields : "{" + fields + "}"), ObjectNode.class);
  }

  private static Stream<Field> fields(String path, Class<?> type) {
    return Arrays.stream(type.getRecordComponents())
        .flatMap(
            it ->
                it.getType().isRecord()
                    ? fields(path + "/" + name(it), it.getType())
                    : Stream.of(new Field(path + "/" + name(it), value(it))));
  }

  private static String name(RecordComponent field) {
    var name = field.getAccessor().getAnnotation(JsonProperty.class);
    return name == null ? field.getName() : name.value();
  }

  private static JsonNode value(RecordComponent field) {
    var type = field.getType();
    Object value =
        type.isEnum()
            ? type.getEnumConstants()[0]
            : Map.of(
                    String.class,
                    "text",
                    Integer.class,
                    17,
                    Double.class,
                    0.25,
                    Boolean.class,
                    true,
                    Quantity.class,
                    "17Mi",
                    Map.class,
                    Map.of("key", "text"),
                    List.class,
                    List.of("-Da=1"),
                    JsonNode.class,
                    Map.of("metadata", Map.of("labels", Map.of("team", "a"))))
                .get(type);
    assertThat(value).as("a value of %s, the type of %s", type, field).isNotNull();
    return JSON.valueToTree(value);
  }

  /** A field with a value. */
  record Field(String path, JsonNode value) {
    /** A group that declares nothing else. */
    ObjectNode declared() {
      var names = path.substring(1).split("/", -1);
      var group = JSON.createObjectNode();
      var parent = group;
      for (int i = 0; i < names.length - 1; i++) {
        parent = parent.putObject(names[i]);
      }
      parent.set(names[names.length - 1], value);
      return group;
    }

    @Override
    public String toString() {
      return path;
    }
  }
}
