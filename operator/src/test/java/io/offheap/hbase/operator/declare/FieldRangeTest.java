package io.offheap.hbase.operator.declare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.plan.PlanProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The range that a field's declaration has is the one that is checked. */
class FieldRangeTest {
  private static final String SPEC =
      """
      metadata: {name: hb}
      spec:
        zookeeper: {}
        storage: {managed: {}}
        regionServers:
          memory: {heap: 16Gi, offHeap: 16Gi}
          blockCache: {mode: File, file: {storage: {size: 100Gi}}}
      """;

  static Stream<GroupField> fields() {
    return GroupField.all().stream()
        .filter(it -> it.range().isPresent())
        // The plan bounds it further, by the size of a buffer: BufferPoolTest.
        .filter(it -> !it.path().equals("allocator.minimalAllocateSize"));
  }

  @ParameterizedTest
  @MethodSource("fields")
  void valueOutOfRangeIsRefused(GroupField field) {
    var range = field.range().orElseThrow();

    assertThat(problems(field, range.min())).isEmpty();
    assertThat(problems(field, range.max())).isEmpty();
    assertThat(problems(field, range.min() - 1))
        .singleElement()
        .satisfies(it -> assertThat(it).contains(" is out of range; must be from ", " to "));
    assertThat(problems(field, range.max() + 1)).hasSize(1);
  }

  @ParameterizedTest
  @MethodSource("fields")
  void partOfMibIsRefusedWhereWholeOnesAreMeant(GroupField field) {
    var range = field.range().orElseThrow();

    assertThat(problems(field, range.min() + 1))
        .hasSize(range.form() == FieldRange.Form.MIB ? 1 : 0);
  }

  @Test
  void messageHasBothNeighbours() {
    assertThat(GroupField.rangeOf("memory.heap").problem((30L << 30) + 1))
        .hasValue("32212254721 bytes is not a whole number of MiB; must be 30Gi or 30721Mi");
    assertThat(GroupField.rangeOf("memory.heap").problem(128 << 20))
        .hasValue("128Mi is out of range; must be from 256Mi to 4096Gi");
  }

  @Test
  void coresAreRoundedUp() {
    var cpu = GroupField.of("resources.limits.cpu");

    assertThat(problems(cpu, "1024")).isEmpty();
    assertThat(problems(cpu, "1024100m"))
        .containsExactly("1025 is out of range; must be from 1 to 1024");
    assertThat(problems(cpu, "0")).containsExactly("0 is out of range; must be from 1 to 1024");
  }

  @Test
  void nearestIsInRange() {
    var heap = GroupField.rangeOf("memory.heap");

    assertThat(heap.nearest(1)).isEqualTo(256L << 20);
    assertThat(heap.nearest(Long.MAX_VALUE)).isEqualTo(4L << 40);
    assertThat(heap.nearest((300L << 20) + 5)).isEqualTo(300L << 20);
    assertThat(GroupField.rangeOf("handlers").nearest(31)).isEqualTo(31);
  }

  private static List<String> problems(GroupField field, long value) {
    return problems(field, Long.toString(value));
  }

  /** The problems with a value that are about its range, in the plan and in all other checks. */
  private static List<String> problems(GroupField field, String value) {
    var resource = Serialization.unmarshal(SPEC, ObjectNode.class);
    var group = (ObjectNode) resource.at("/spec/regionServers");
    var names = field.path().split("\\.", -1);
    for (int i = 0; i < names.length - 1; i++) {
      group = group.withObjectProperty(names[i]);
    }
    var name = names[names.length - 1];
    if (field.type() == Integer.class) {
      group.put(name, Integer.parseInt(value));
    } else {
      group.put(name, value);
    }
    var cluster = Serialization.unmarshal(resource.toString(), HBaseCluster.class);
    var problems = new ArrayList<PlanProblem>(ClusterChecks.problems(cluster));
    if (new Plans().of(cluster, ObservedInputs.NOTHING) instanceof ClusterPlan.Refused refused) {
      problems.addAll(refused.problems());
    }
    return problems.stream()
        .filter(it -> it.field().equals("spec.regionServers." + field.path()))
        .map(PlanProblem::message)
        .filter(it -> it.contains("out of range") || it.contains("not a whole number of MiB"))
        .toList();
  }
}
