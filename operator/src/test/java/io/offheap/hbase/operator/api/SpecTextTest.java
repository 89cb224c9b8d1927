package io.offheap.hbase.operator.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.ContextAttributes;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A spec in status, written and read as the operator's client does. */
class SpecTextTest {
  private static final String SPEC =
      """
      {image: {repository: ours/hbase, tag: '1'}, zookeeper: {external: {quorum: 'zk:2181'}},
       storage: {external: {rootDir: 'hdfs://ns/hbase'}},
       regionServers: {memory: {heap: 8Gi, offHeap: 4Gi}, config: {b: '1', a: '2'}}}
      """;

  private static final ContextAttributes STRICT =
      ContextAttributes.getEmpty().withSharedAttribute(SpecText.STRICT, true);

  private final KubernetesSerialization serialization = new KubernetesSerialization();

  @Test
  void storesSpecAsTextBesideImage() {
    var status = status("appliedSpec: " + SPEC);

    var written = serialization.convertValue(status, JsonNode.class).path("appliedSpec");

    assertThat(written.properties()).extracting(it -> it.getKey()).containsExactly("image", "json");
    assertThat(written.path("image").path("repository").asText()).isEqualTo("ours/hbase");
    assertThat(written.path("json").asText()).startsWith("{").doesNotContain("ours/hbase", "\n");
  }

  @Test
  void readsSpecAsWritten() {
    var status = status("appliedSpec: " + SPEC + ", lastGood: {spec: " + SPEC + "}");
    assertThat(status.appliedSpec().regionServers().config()).containsEntry("a", "2");

    var read = serialization.unmarshal(serialization.asYaml(status), HBaseClusterStatus.class);

    assertThat(read).isEqualTo(status);
  }

  /** The policy of the chart's allowedImages compares the fields, and cannot parse the text. */
  @Test
  void ignoresImageInText() {
    var forged =
        status(
            "appliedSpec: {image: {repository: ours/hbase}, json: '"
                + "{\"image\":{\"repository\":\"theirs/hbase\"},\"storage\":{}}'}");
    assertThat(forged.appliedSpec().image().repository()).isEqualTo("ours/hbase");

    var without = status("appliedSpec: {json: '{\"image\":{\"repository\":\"theirs/hbase\"}}'}");
    assertThat(without.appliedSpec().image()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "appliedSpec: {json: '{\"storage\":{\"managedHdfs\":{\"dataNodes\":3}}}'}",
        "appliedSpec: {json: '{\"storage\":{\"managed\":{\"dataNodes\":3}}}'}",
        "appliedSpec: {storage: {managedHdfs: {dataNodes: 3}}}",
      })
  void readsManagedHdfsByItsFormerNameToo(String fields) {
    assertThat(status(fields).appliedSpec().storage().managed().dataNodes()).isEqualTo(3);
  }

  @Test
  void textThatIsNotAnObjectIsNoSpec() {
    assertThat(status("appliedSpec: {json: 'no json'}").appliedSpec()).isNull();
    assertThat(status("appliedSpec: {json: '[1]'}").appliedSpec()).isNull();
  }

  /** What the operator itself has written must not count as none. */
  @ParameterizedTest
  @ValueSource(strings = {"no json", "[1]", "{\\\"rollout\\\": 1}"})
  void isAnErrorForAStrictReader(String text) {
    var strict = JsonMapper.builder().defaultAttributes(STRICT).build();

    assertThatThrownBy(
            () ->
                strict.readValue(
                    "{\"appliedSpec\": {\"json\": \"" + text + "\"}}", HBaseClusterStatus.class))
        .isInstanceOf(JsonProcessingException.class);
  }

  @Test
  void lastGoodSpecIsAppliedSpecWhereStatusRefersToIt() {
    var live = ", live: {generation: 1, workingSet: 7}";
    var same = status("appliedSpec: " + SPEC + live + ", lastGood: {applied: true}");
    assertThat(same.good().spec()).isEqualTo(same.appliedSpec());
    assertThat(same.good().live()).isEqualTo(same.live());

    var other = status("appliedSpec: " + SPEC + live + ", lastGood: {spec: " + SPEC + "}");
    assertThat(other.good().live()).isNull();
    assertThat(status("appliedSpec: " + SPEC).good()).isNull();
  }

  private HBaseClusterStatus status(String fields) {
    return serialization.unmarshal("---\n{" + fields + "}", HBaseClusterStatus.class);
  }
}
