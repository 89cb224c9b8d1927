package io.offheap.hbase.operator.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.declare.ObservedInputs;
import io.offheap.hbase.operator.declare.Plans;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The README's table of the small cluster against the requests of its pods. */
class SmallClusterTest {
  private static final Path README = Path.of("..", "README.md");
  private static final Path SMALL = Path.of("..", "examples", "small.yaml");
  private static final long MIB = 1L << 20;

  @Test
  void podsRequestTheTablesValues() throws IOException {
    var model = model();
    var memory = requests(model, "memory");
    var cpu = requests(model, "cpu");

    assertThat(row("Pod"))
        .containsExactlyElementsOf(
            and(model.roles().stream().map(it -> it.role().text()).toList(), "Sum"));
    assertThat(row("Memory, MiB"))
        .containsExactlyElementsOf(
            and(memory.stream().map(SmallClusterTest::mebibytes).toList(), mebibytes(sum(memory))));
    assertThat(row("CPU request"))
        .containsExactlyElementsOf(
            and(cpu.stream().map(SmallClusterTest::millicores).toList(), millicores(sum(cpu))));
  }

  private static ClusterModel model() throws IOException {
    var cluster = Serialization.unmarshal(Files.readString(SMALL), HBaseCluster.class);
    cluster.getMetadata().setNamespace("default");
    var plans = (ClusterPlan.Planned) new Plans().of(cluster, ObservedInputs.NOTHING);
    var image = new ClusterModel.Image("hbase", Optional.empty(), List.of());
    var groups =
        plans.groups().stream()
            .map(it -> new GroupModel(it, "hbase", "", it.group().spec().replicas()))
            .toList();
    return ClusterModel.of(cluster, groups, image, role -> "hbase");
  }

  /** The requests of each pod, in the order of their start. */
  private static List<BigDecimal> requests(ClusterModel model, String resource) {
    assertThat(model.roles())
        .allSatisfy(it -> assertThat(it.replicas()).as(it.name()).isEqualTo(1));
    return model.roles().stream()
        .map(it -> PodTemplates.of(model, it).getSpec().getContainers().stream())
        .map(
            containers ->
                sum(
                    containers
                        .map(it -> it.getResources().getRequests().get(resource))
                        .map(Quantity::getNumericalAmount)
                        .toList()))
        .toList();
  }

  private static BigDecimal sum(List<BigDecimal> amounts) {
    return amounts.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  private static String mebibytes(BigDecimal bytes) {
    return bytes.divide(BigDecimal.valueOf(MIB)).toBigIntegerExact().toString();
  }

  private static String millicores(BigDecimal cores) {
    return cores.movePointRight(3).toBigIntegerExact() + "m";
  }

  private static List<String> and(List<String> cells, String last) {
    var all = new ArrayList<>(cells);
    all.add(last);
    return all;
  }

  /** The other cells of the only row with this first cell. */
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
}
