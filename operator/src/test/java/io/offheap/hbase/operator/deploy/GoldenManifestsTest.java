package io.offheap.hbase.operator.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapProjection;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeProjection;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.declare.ObservedInputs;
import io.offheap.hbase.operator.declare.Plans;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * All objects of a resource, to the byte: {@code examples/<name>.yaml} or {@code
 * manifests/in-<name>.yaml} in, {@code manifests/out-<name>.yaml} out. Keys are sorted, so that
 * only content differs.
 */
class GoldenManifestsTest {
  private static final Path FOLDER = Path.of("src/test/resources/manifests");
  private static final Path EXAMPLES = Path.of("..", "examples");
  private static final List<String> KINDS =
      List.of("ConfigMap", "Service", "NetworkPolicy", "PodDisruptionBudget", "StatefulSet");

  /** The input with the config map of its plans. In all it would repeat each change of a plan. */
  private static final String PLANNED = "in-groups.yaml";

  private static final OperatorPods OPERATOR =
      new OperatorPods("hbase-offheap", Map.of("app.kubernetes.io/name", "operator"));

  /** The mapper of the operator's client. */
  private static final KubernetesSerialization WRITTEN = KeptFields.serialization();

  private static final YAMLMapper YAML =
      YAMLMapper.builder()
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
          .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
          .enable(YAMLGenerator.Feature.LITERAL_BLOCK_STYLE)
          .disable(YAMLGenerator.Feature.SPLIT_LINES)
          .build();

  static List<Path> inputs() throws IOException {
    try (var files = Files.list(FOLDER)) {
      return Stream.concat(
              Stream.of("demo", "external", "pod-templates", "small")
                  .map(it -> EXAMPLES.resolve(it + ".yaml")),
              files.filter(it -> it.getFileName().toString().startsWith("in-")).sorted())
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("inputs")
  void objectsEqualGoldenFile(Path input) throws IOException {
    var golden = golden(input);
    var text = new StringBuilder();
    for (HasMetadata object : objects(input)) {
      text.append(
          YAML.writeValueAsString(
              YAML.readValue(WRITTEN.asJson(object), new TypeReference<Map<String, Object>>() {})));
    }

    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(golden, text);
    }
    assertThat(golden)
        .withFailMessage("%s is missing; run again with -Dgolden.update=true", golden)
        .exists();
    assertThat(text.toString())
        .as("%s; if the change is intended, run again with -Dgolden.update=true", golden)
        .isEqualTo(Files.readString(golden));
  }

  /** A golden file without its input would never be compared. */
  @Test
  void everyGoldenFileHasAnInput() throws IOException {
    var goldens = inputs().stream().map(GoldenManifestsTest::golden).collect(Collectors.toSet());
    try (var files = Files.list(FOLDER)) {
      assertThat(files.filter(it -> it.getFileName().toString().startsWith("out-")))
          .containsExactlyInAnyOrderElementsOf(goldens);
    }
  }

  /** References between the objects, which a golden file does not check. */
  @ParameterizedTest
  @MethodSource("inputs")
  void objectsReferToEachOther(Path input) throws IOException {
    var cluster = cluster(input);
    var objects = objects(input);
    assertThat(objects).extracting(HasMetadata::getKind).containsAll(KINDS);
    assertThat(objects)
        .allSatisfy(it -> assertThat(it.getMetadata().getNamespace()).isEqualTo("golden"))
        .extracting(it -> it.getKind() + " " + it.getMetadata().getName())
        .doesNotHaveDuplicates();
    var maps = names(objects, ConfigMap.class);
    var external = cluster.getSpec().storage().external();
    if (external != null) {
      external.configMapRefs().forEach(it -> maps.add(it.name()));
    }
    var services = names(objects, Service.class);
    for (StatefulSet set : of(objects, StatefulSet.class).toList()) {
      var name = set.getMetadata().getName();
      var pod = set.getSpec().getTemplate();
      assertThat(services).as(name).contains(set.getSpec().getServiceName());
      assertThat(pod.getSpec().getVolumes().stream().flatMap(GoldenManifestsTest::configMaps))
          .as(name)
          .isNotEmpty();
      assertThat(maps)
          .as(name)
          .containsAll(
              pod.getSpec().getVolumes().stream()
                  .flatMap(GoldenManifestsTest::configMaps)
                  .toList());
      assertThat(pod.getMetadata().getLabels().entrySet())
          .as(name)
          .containsAll(set.getSpec().getSelector().getMatchLabels().entrySet());
      assertThat(pod.getSpec().getContainers())
          .as(name)
          .isNotEmpty()
          .allSatisfy(
              it -> assertThat(memory(it.getResources().getRequests())).isEqualTo(memory(it)));
      assertThat(of(objects, PodDisruptionBudget.class))
          .as("a budget that selects %s", name)
          .anyMatch(
              it ->
                  pod.getMetadata()
                      .getLabels()
                      .entrySet()
                      .containsAll(it.getSpec().getSelector().getMatchLabels().entrySet()));
    }
  }

  /** The limit of a region server's container is the plan's, and more than its heap. */
  @ParameterizedTest
  @MethodSource("inputs")
  void regionServersHaveTheMemoryOfTheirPlan(Path input) throws IOException {
    var cluster = cluster(input);
    var sets =
        of(objects(input), StatefulSet.class)
            .collect(Collectors.toMap(it -> it.getMetadata().getName(), it -> it));
    for (var group : plans(cluster).groups()) {
      var set = sets.get(ClusterModel.name(cluster, group.group()));
      assertThat(set.getSpec().getReplicas()).isEqualTo(group.group().spec().replicas());
      assertThat(set.getSpec().getTemplate().getSpec().getContainers())
          .anySatisfy(it -> assertThat(memory(it)).isEqualTo(group.plan().containerMemoryBytes()));
      var declared = group.group().spec().memory();
      assertThat(group.plan().containerMemoryBytes())
          .isGreaterThan(bytes(declared.heap()) + bytes(declared.offHeap()));
    }
  }

  private static Path golden(Path input) {
    var name = input.getFileName().toString().replaceFirst("^in-", "");
    return FOLDER.resolve("out-" + name);
  }

  private static HBaseCluster cluster(Path input) throws IOException {
    var cluster = Serialization.unmarshal(Files.readString(input), HBaseCluster.class);
    cluster.getMetadata().setNamespace("golden");
    cluster.getMetadata().setUid("00000000-0000-0000-0000-000000000000");
    return cluster;
  }

  private static ClusterPlan.Planned plans(HBaseCluster cluster) {
    return (ClusterPlan.Planned) new Plans().of(cluster, ObservedInputs.NOTHING);
  }

  private static List<HasMetadata> objects(Path input) throws IOException {
    var cluster = cluster(input);
    var groups =
        plans(cluster).groups().stream()
            .map(it -> new GroupModel(it, "hbase:golden", "0", it.group().spec().replicas()))
            .toList();
    var image = new ClusterModel.Image("hbase:golden", Optional.empty(), List.of());
    var model =
        ClusterModel.of(cluster, groups, image, role -> "hbase:golden")
            .reachedBy(Optional.of(OPERATOR));
    var objects = new ArrayList<HasMetadata>();
    List.of(
            new ConfigMaps(),
            new Services(),
            new NetworkPolicies(),
            new PodDisruptionBudgets(),
            new StatefulSets())
        .forEach(it -> objects.addAll(it.desired(model)));
    objects.add(RememberedMap.of(cluster, "{}"));
    if (input.endsWith(PLANNED)) {
      objects.add(PlanMap.of(cluster, plans(cluster).groups()));
    }
    return objects;
  }

  private static <R> Stream<R> of(List<HasMetadata> objects, Class<R> kind) {
    return objects.stream().filter(kind::isInstance).map(kind::cast);
  }

  private static Stream<String> configMaps(Volume volume) {
    var projected =
        Optional.ofNullable(volume.getProjected()).stream()
            .flatMap(it -> it.getSources().stream())
            .map(VolumeProjection::getConfigMap)
            .filter(Objects::nonNull)
            .map(ConfigMapProjection::getName);
    return Stream.concat(
        projected, Optional.ofNullable(volume.getConfigMap()).map(it -> it.getName()).stream());
  }

  private static Set<String> names(List<HasMetadata> objects, Class<? extends HasMetadata> kind) {
    return of(objects, kind)
        .map(it -> it.getMetadata().getName())
        .collect(Collectors.toCollection(HashSet::new));
  }

  private static long memory(Container container) {
    return memory(container.getResources().getLimits());
  }

  private static long memory(Map<String, Quantity> resources) {
    return bytes(resources.get("memory"));
  }

  private static long bytes(Quantity quantity) {
    return Quantity.getAmountInBytes(quantity).longValueExact();
  }
}
