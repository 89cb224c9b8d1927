package io.offheap.hbase.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.offheap.hbase.operator.plan.Target;
import io.offheap.hbase.operator.render.OnlineKeys;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** JSON and YAML of {@code diff}. */
class DiffCommandTest {
  private static final String CASE_1 = Vectors.file("hbase-21879-case-1");
  private static final String CASE_2 = Vectors.file("hbase-21879-case-2");

  @Test
  void jsonHasEachChangeOnce() throws Exception {
    var run = CommandLineRun.of("diff", CASE_1, CASE_2, "-o", "json");

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).isEmpty();
    var diff = new ObjectMapper().readTree(run.out());
    var one = Vectors.plan("hbase-21879-case-1");
    var other = Vectors.plan("hbase-21879-case-2");
    assertThat(diff.get("oldHash").asText()).isEqualTo(one.hash());
    assertThat(diff.get("newHash").asText()).isEqualTo(other.hash());
    assertThat(diff.get("restart").asBoolean()).isTrue();
    assertThat(diff.get("changes"))
        .isNotEmpty()
        .doesNotHaveDuplicates()
        .allSatisfy(
            change -> {
              var target = Target.of(change.get("target").asText());
              var key = change.get("key").asText();
              assertThat(one.setting(target, key).map(setting -> setting.text()).orElse(""))
                  .isEqualTo(change.path("oldValue").asText())
                  .isNotEqualTo(change.path("newValue").asText());
              assertThat(other.setting(target, key).map(setting -> setting.text()).orElse(""))
                  .isEqualTo(change.path("newValue").asText());
            });
  }

  @Test
  void addedInOneDirectionIsRemovedInTheOther() throws Exception {
    var there = CommandLineRun.of("diff", CASE_1, CASE_2, "-o", "json");
    var back = CommandLineRun.of("diff", CASE_2, CASE_1, "-o", "json");

    assertThat(new ObjectMapper().readTree(there.out()).get("changes"))
        .filteredOn(change -> change.get("key").asText().equals("hbase.bucketcache.size"))
        .singleElement()
        .satisfies(
            change -> {
              assertThat(change.has("oldValue")).isFalse();
              assertThat(change.get("newValue").asText()).isEqualTo("36864");
            });
    assertThat(new ObjectMapper().readTree(back.out()).get("changes"))
        .filteredOn(change -> change.get("key").asText().equals("hbase.bucketcache.size"))
        .singleElement()
        .satisfies(
            change -> {
              assertThat(change.get("oldValue").asText()).isEqualTo("36864");
              assertThat(change.has("newValue")).isFalse();
            });
  }

  @Test
  void yamlEqualsJson() throws Exception {
    var json = CommandLineRun.of("diff", CASE_1, CASE_2, "-o", "json");
    var yaml = CommandLineRun.of("diff", CASE_1, CASE_2, "-o", "yaml");

    assertThat(new YAMLMapper().readTree(yaml.out()))
        .isEqualTo(new ObjectMapper().readTree(json.out()));
  }

  @Test
  void planDerivesNoOnlineKey() throws Exception {
    for (var plan :
        List.of(Vectors.plan("hbase-21879-case-1"), Vectors.plan("hbase-21879-case-2"))) {
      assertThat(OnlineKeys.online(plan).settings()).isEmpty();
      assertThat(OnlineKeys.atStart(plan)).isEqualTo(plan);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"diff", "diff a.yaml", "diff a.yaml b.yaml c.yaml", "diff --set a=b c d"})
  void invalidCommandLineIsNotADifference(String line) {
    var run = CommandLineRun.of(line.split(" "));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("Usage:").doesNotContain("\tat ");
  }

  @Test
  void documentNamesRefusedFile() throws Exception {
    var run = CommandLineRun.of("diff", CASE_1, "none.yaml", "-o", "json");

    assertThat(run.status()).isEqualTo(2);
    assertThat(new ObjectMapper().readTree(run.out()).get("refused").asText())
        .isEqualTo("none.yaml");
  }
}
