package io.offheap.hbase.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.declare.Declarations;
import io.offheap.hbase.operator.declare.Live;
import io.offheap.hbase.operator.deploy.ClusterModel;
import io.offheap.hbase.operator.deploy.GroupModel;
import io.offheap.hbase.operator.deploy.RoleModel;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the README shows is what the examples and the planner give. */
class ReadmeTest {
  private static final Path README = Path.of("..", "README.md");
  private static final Path EXAMPLES = Path.of("..", "examples");
  private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
  private static final Pattern TRANSCRIPT =
      Pattern.compile("<!-- transcript -->(.*?)<!-- /transcript -->", Pattern.DOTALL);
  private static final Pattern OFF_HEAP = Pattern.compile("\"offHeap\":\"(\\w+)\"");
  private static final Pattern HASH = Pattern.compile("\\b[0-9a-f]{10}\\b");
  private static final long MIB = 1L << 20;

  @Test
  void theTranscriptHasThePlansOfTheDemoBeforeAndAfterTheChange() throws Exception {
    var transcript = only(TRANSCRIPT);
    var offHeap = OFF_HEAP.matcher(transcript);
    assertThat(offHeap.find()).as("a changed size in %s", transcript).isTrue();
    var demo = ClusterFile.read(EXAMPLES.resolve("demo.yaml").toString());
    var changed = demo.with(Assignment.of("spec.regionServers.memory.offHeap", offHeap.group(1)));

    var hashes = HASH.matcher(transcript).results().map(it -> it.group()).distinct().toList();

    assertThat(hashes).containsExactly(demo.plan().hash(), changed.plan().hash());
  }

  @Test
  void theSmallClusterIsTheExample() throws IOException {
    assertThat(Files.readString(EXAMPLES.resolve("small.yaml"))).endsWith(only(YAML));
  }

  @Test
  void theSmallClusterRequestsWhatTheTableShows() throws IOException {
    var roles = roles("small.yaml");

    assertThat(row("Pod")).containsExactlyElementsOf(and(names(roles), "Sum"));
    assertThat(row("Memory, MiB"))
        .containsExactlyElementsOf(
            and(
                roles.stream().map(it -> mebibytes(it.memoryBytes())).toList(),
                mebibytes(roles.stream().mapToLong(RoleModel::memoryBytes).sum())));
    assertThat(row("CPU request"))
        .containsExactlyElementsOf(
            and(
                roles.stream().map(it -> it.cpuRequest().toString()).toList(),
                millicores(
                    roles.stream()
                        .map(it -> it.cpuRequest().getNumericalAmount())
                        .reduce(BigDecimal.ZERO, BigDecimal::add))));
  }

  /** One pod each, in the order in which they start. */
  private static List<RoleModel> roles(String example) throws IOException {
    var cluster =
        Serialization.unmarshal(Files.readString(EXAMPLES.resolve(example)), HBaseCluster.class);
    cluster.getMetadata().setNamespace("default");
    var plans = (ClusterPlan.Planned) Declarations.plans(cluster, Live.NOTHING);
    var image = new ClusterModel.Image("hbase", Optional.empty(), List.of());
    var groups =
        plans.groups().stream()
            .map(it -> new GroupModel(it, "hbase", "", it.group().spec().replicas()))
            .toList();
    var roles = ClusterModel.of(cluster, groups, image, "hbase").roles();
    assertThat(roles).allSatisfy(it -> assertThat(it.replicas()).as(it.name()).isEqualTo(1));
    return roles;
  }

  private static List<String> names(List<RoleModel> roles) {
    return roles.stream().map(it -> it.role().text()).toList();
  }

  private static String mebibytes(long bytes) {
    assertThat(bytes % MIB).isZero();
    return Long.toString(bytes / MIB);
  }

  private static String millicores(BigDecimal cores) {
    return new Quantity(cores.movePointRight(3).toBigIntegerExact().toString(), "m").toString();
  }

  private static List<String> and(List<String> cells, String last) {
    var all = new ArrayList<>(cells);
    all.add(last);
    return all;
  }

  /** The other cells of the only row that starts with one. */
  private static List<String> row(String first) throws IOException {
    var rows =
        Files.readString(README)
            .lines()
            .filter(line -> line.startsWith("| " + first + " | "))
            .map(line -> line.substring(0, line.length() - " |".length()))
            .map(line -> Arrays.asList(line.split(" \\| ", -1)))
            .toList();
    assertThat(rows).as("rows '%s'", first).hasSize(1);
    return rows.get(0).subList(1, rows.get(0).size());
  }

  private static String only(Pattern pattern) throws IOException {
    var found = pattern.matcher(Files.readString(README)).results().toList();
    assertThat(found).as("%s in the README", pattern).hasSize(1);
    return found.get(0).group(1);
  }
}
