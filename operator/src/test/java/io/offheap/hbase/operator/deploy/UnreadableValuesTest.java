package io.offheap.hbase.operator.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import io.fabric8.kubernetes.api.model.DefaultKubernetesResourceList;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.ClusterChecks;
import io.offheap.hbase.operator.plan.PlanProblem;
import java.io.ByteArrayInputStream;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A resource with values that cannot be read makes no list of all resources unreadable. */
class UnreadableValuesTest {
  private static final String CLUSTER =
      """
      {"apiVersion": "hbase.offheap.io/v1alpha1", "kind": "HBaseCluster",
       "metadata": {"name": "hb", "namespace": "ns"},
       "spec": {"zookeeper": {"managed": {}}, "storage": {"managed": {}},
                "regionServers": {"memory": {"heap": "1Gi", "offHeap": "512Mi"}%s}%s},
       "status": {"observedGeneration": 1%s}}
      """;

  private final KubernetesSerialization serialization = KeptFields.serialization();

  private HBaseCluster cluster(String servers, String spec, String status) {
    return serialization.unmarshal(CLUSTER.formatted(servers, spec, status), HBaseCluster.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'readyServers': 9999999999",
        "'replicas': -9999999999",
        "'groups': [{'name': 'a'}, {'name': 'b', 'desiredServers': 9999999999}]",
        "'regionServers': [{'pod': 'hb-regionserver-0', 'state': 'Later'}]",
        "'rollout': {'finished': [{'pod': 'a', 'regions': 9999999999}]}",
        "'rollout': {'canary': {'samples': [{'restarts': 9999999999}]}}",
        "'rollout': {'servers': [{'pod': 'a', 'regions': 'a b'}]}",
        "'rollout': {'servers': [{'pod': 'a', 'regions': [['a']]}]}",
        "'rollout': {'servers': [{'pod': 'a', 'regions': {}}]}",
        "'lastRollout': {'servers': [{'regions': 9999999999}]}",
        "'tuning': {'groups': [{'name': '', 'trials': 9999999999}]}",
        "'tuning': {'groups': [{'values': [null]}]}",
        "'live': {'generation': 99999999999999999999}",
        "'appliedSpec': {'storage': {'managedHdfs': 1}, 'regionServers': 2}",
        "'proven': {'group': ''}",
        "'memoryPlan': 'text'",
      })
  void fieldOfStatusIsLeftOut(String field) {
    var read = cluster("", "", ", " + field.replace('\'', '"'));

    assertThat(read.getStatus().observedGeneration()).isEqualTo(1);
    assertThat(ClusterChecks.problems(read)).isEmpty();
    var without = cluster("", "", "");
    assertThat(read.getStatus()).isEqualTo(without.getStatus());
    assertThat(read.getSpec()).isEqualTo(without.getSpec());
  }

  /** By the operator's own mapper, which replaces properties of its own. */
  @Test
  void joinedNamesOfRegionsAreReadAndCopied() {
    var rollout = ", 'rollout': {'servers': [{'pod': 'a', 'regions': ['a b', 'c']}]}";

    var read = cluster("", "", rollout.replace('\'', '"'));

    assertThat(read.getStatus().rollout().servers().get(0).regions())
        .containsExactly("a", "b", "c");
    assertThat(serialization.clone(read).getStatus()).isEqualTo(read.getStatus());
  }

  @Test
  void statusThatIsNoneIsLeftOut() {
    var text = CLUSTER.formatted("", "", "").replace("{\"observedGeneration\": 1}", "\"text\"");

    assertThat(serialization.unmarshal(text, HBaseCluster.class).getSpec()).isNotNull();
  }

  /** What is left of the spec must not be applied; each copy is refused too. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "profile: 'Later' | '' | spec.regionServers.profile: \"Later\"",
        "handlers: 9999999999 | '' | spec.regionServers.handlers: 9999999999",
        "blockCache: {mode: 'Later'} | '' | spec.regionServers.blockCache.mode: \"Later\"",
        "jvmOptions: [1, {}] | '' | spec.regionServers.jvmOptions[1]: an object",
        "'' | regionServerGroups: [{name: 'a'}, {name: 'b', load: 'Later'}]"
            + " | spec.regionServerGroups[1].load: \"Later\"",
        "'' | tuning: {mode: 'Later'} | spec.tuning.mode: \"Later\"",
        "'' | rollout: 7 | spec.rollout: 7",
      })
  void valueOfSpecIsRefused(String servers, String spec, String problem) {
    var read = cluster(json(servers), json(spec), "");

    var expected =
        problem + " cannot be read; must be a value that this version of the operator accepts";
    assertThat(ClusterChecks.problems(read))
        .extracting(PlanProblem::toString)
        .containsExactly(expected);
    assertThat(ClusterChecks.problems(serialization.clone(read)))
        .extracting(PlanProblem::toString)
        .containsExactly(expected);
    assertThat(read.getSpec().storage()).isNotNull();
    assertThat(read.getSpec().regionServers().memory()).isNotNull();
  }

  private static String json(String fields) {
    var quoted = fields == null ? "" : fields.replaceAll("(\\w+):", "\"$1\":").replace('\'', '"');
    return quoted.isEmpty() ? "" : ", " + quoted;
  }

  /** The operator's client copies the resource, and drops long annotations from each copy. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4, 16, 17, 1000})
  void reportsSomeOfManyValues(int many) {
    var value = "\\u0001".repeat(200);
    var groups =
        IntStream.range(0, many)
            .mapToObj(it -> "{\"name\": \"g%d\", \"load\": \"%s\"}".formatted(it, value))
            .collect(Collectors.joining(", "));

    var read = cluster("", ", \"regionServerGroups\": [" + groups + "]", "");

    var problems = ClusterChecks.problems(read);
    assertThat(problems).hasSizeBetween(1, 4);
    assertThat(problems.get(0).field()).isEqualTo("spec.regionServerGroups[0].load");
    assertThat(ClusterChecks.problems(serialization.clone(read))).isEqualTo(problems);
  }

  @Test
  void othersOfAListAreRead() {
    var bad = CLUSTER.formatted(", \"profile\": \"Later\"", "", ", \"readyServers\": 9999999999");
    var text =
        "{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [%s, %s]}"
            .formatted(bad, CLUSTER.formatted("", "", "").replace("\"hb\"", "\"other\""));

    DefaultKubernetesResourceList<HBaseCluster> list =
        serialization.unmarshal(
            new ByteArrayInputStream(text.getBytes(UTF_8)), new TypeReference<>() {});

    assertThat(list.getItems())
        .extracting(it -> it.getMetadata().getName())
        .containsExactly("hb", "other");
  }

  /** Earlier definitions have no pattern; such a text is refused by the name of its field. */
  @ParameterizedTest
  @ValueSource(strings = {"", "1e3k", "x", " ", "1Ki1Ki"})
  void quantityThatIsNoneIsItsText(String text) {
    var read = cluster(", \"memstoreFraction\": \"" + text + "\"", "", "");

    var quantity = read.getSpec().regionServers().memstoreFraction();
    assertThat(Objects.toString(quantity)).isEqualTo(text);
    var copy = serialization.clone(read).getSpec().regionServers().memstoreFraction();
    assertThat(Objects.toString(copy)).isEqualTo(text);
  }
}
