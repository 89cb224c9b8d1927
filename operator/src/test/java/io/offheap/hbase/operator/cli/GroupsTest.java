package io.offheap.hbase.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every tool plans for any group of region servers. */
class GroupsTest {
  private static final String FILE =
      Path.of("src", "test", "resources", "cli", "groups.yaml").toString();

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"plan FILE", "explain Xmx FILE", "render FILE", "diff FILE FILE"})
  void refusalOfUnknownGroupNamesExistingGroups(String line) {
    var run = CommandLineRun.of((line.replace("FILE", FILE) + " --group none").split(" "));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .contains("--group: 'none' is not a group of " + FILE)
        .contains("it has default, archive, fast, known");
  }

  @Test
  void plansAllGroupsWithoutOption() throws IOException {
    var table = CommandLineRun.of("plan", FILE).out();
    var all = json("plan", FILE);

    assertThat(table).contains("group default\n\nplan ", "group archive\n\nplan ");
    assertThat(all.get("groups"))
        .extracting(it -> it.get("name").asText())
        .containsExactly("archive", "fast", "known");
    for (JsonNode group : all.get("groups")) {
      var one = json("plan", FILE, "--group", group.get("name").asText());
      assertThat(one.has("groups")).isFalse();
      assertThat(one.has("name")).isFalse();
      assertThat(one.get("settings")).isEqualTo(group.get("settings"));
      assertThat(one.get("hash")).isEqualTo(group.get("hash"));
    }
    assertThat(json("plan", FILE, "--group", "default").get("hash")).isEqualTo(all.get("hash"));
  }

  @Test
  void printsSingleGroupWithoutHeading() throws IOException {
    assertThat(json("plan", Vectors.file("defaults")).fieldNames())
        .toIterable()
        .containsExactly("hash", "settings", "hbaseSite", "jvmOptions", "budget", "container");
    assertThat(CommandLineRun.of("plan", Vectors.file("defaults")).out()).startsWith("plan ");
    assertThat(
            json("diff", Vectors.file("defaults"), Vectors.file("hbase-21879-case-1")).fieldNames())
        .toIterable()
        .containsExactly("oldHash", "newHash", "changes", "restart");
  }

  @ParameterizedTest
  @CsvSource({
    "default, Xmx,                                   spec.regionServers.memory.workingSet",
    "default, Xmx,                                   spec.regionServers.memory.limit",
    "fast,    hbase.bucketcache.size,               "
        + " spec.regionServerGroups[1].memory.offHeapMemstore",
    "default, SurvivorRatio,                         spec.regionServers.g1.survivorSize",
    "archive, Xmx,                                   spec.regionServerGroups[0].memory",
    "archive, MaxGCPauseMillis,                      spec.regionServerGroups[0].disk",
    "archive, MaxTenuringThreshold,                  spec.regionServerGroups[0].jvmOptions[0]",
    "archive, SurvivorRatio,                         spec.regionServerGroups[0].jvmOptions[1]",
    "fast,    Xmx,                                   spec.regionServerGroups[1].memory.heap",
    "fast,    hbase.regionserver.global.memstore.size,"
        + " spec.regionServerGroups[1].memstoreFraction",
    "known,   SurvivorRatio,                         spec.regionServerGroups[2].profile",
    "known,   SurvivorRatio,                         spec.regionServerGroups[2].jvmOptions[0]",
  })
  void explainChangesFieldWhereGroupDeclaresIt(String group, String key, String field)
      throws IOException {
    var changes = json("explain", key, FILE, "--group", group).get("changes");

    assertThat(changes).extracting(it -> it.get("field").asText()).contains(field);
    for (JsonNode change : changes) {
      var assignment = change.get("field").asText() + "=" + change.get("to").asText();
      var run =
          CommandLineRun.of("what-if", FILE, "--set", assignment, "--group", group, "-o", "json");
      assertThat(run.status()).as(assignment).isEqualTo(1);
      assertThat(new ObjectMapper().readTree(run.out()).get("changes"))
          .filteredOn(row -> row.get("key").asText().equals(key))
          .as(assignment)
          .singleElement()
          .extracting(row -> row.path("newValue"))
          .isEqualTo(change.path("value"));
    }
  }

  @Test
  void explainsSizeOfCacheVolume() throws IOException {
    var file = folder.resolve("file.yaml");
    Files.writeString(
        file,
        Files.readString(Path.of(Vectors.file("defaults")))
            + "    blockCache: {mode: File, file: {storage: {size: 100Gi}}}\n");

    assertThat(json("explain", "hbase.bucketcache.size", file.toString()).get("changes"))
        .extracting(change -> change.get("field").asText())
        .contains(
            "spec.regionServers.blockCache.file.storage.size",
            "spec.regionServers.blockCache.bucketCacheSize");
  }

  @Test
  void explainChangesMemoryOfProfileAsWhole() throws IOException {
    var file = folder.resolve("file.yaml");
    var defaults = Files.readString(Path.of(Vectors.file("defaults")));
    Files.writeString(file, defaults.replaceAll("memory: .*", "profile: Xiaomi"));

    assertThat(json("explain", "Xmx", file.toString()).get("changes"))
        .anySatisfy(
            change -> {
              assertThat(change.get("field").asText()).isEqualTo("spec.regionServers.memory");
              assertThat(change.get("from").asText()).isEqualTo("{heap: 30Gi, offHeap: 30Gi}");
              assertThat(change.get("to").asText()).isEqualTo("{heap: 60Gi, offHeap: 30Gi}");
            })
        .extracting(change -> change.get("field").asText())
        .contains("spec.regionServers.profile");
  }

  @Test
  void diffReportsAddedAndRemovedGroup() throws IOException {
    var more = json("what-if", FILE, "--set", "spec.regionServerGroups[3]={name: new}");
    var less = json("what-if", FILE, "--set", "spec.regionServerGroups[0]=");
    var same = CommandLineRun.of("diff", FILE, FILE);

    assertThat(more.get("groups").get(3).get("state").asText()).isEqualTo("added");
    assertThat(more.get("groups").get(3).has("oldHash")).isFalse();
    assertThat(less.get("groups").get(0).get("state").asText()).isEqualTo("removed");
    assertThat(less.get("groups").get(0).has("newHash")).isFalse();
    assertThat(same.status()).isZero();
    assertThat(same.out()).contains("group known\n");
  }

  @Test
  void rendersFilesOfGroup() throws IOException {
    assertThat(CommandLineRun.of("render", FILE, "--group", "archive").out())
        .contains("-XX:MaxTenuringThreshold=2");
    assertThat(CommandLineRun.of("render", FILE).out()).contains("-XX:MaxTenuringThreshold=1");
  }

  private static JsonNode json(String... words) throws IOException {
    var line = new ArrayList<>(List.of(words));
    line.addAll(List.of("-o", "json"));
    var run = CommandLineRun.of(line.toArray(new String[0]));
    assertThat(run.err()).isEmpty();
    return new ObjectMapper().readTree(run.out());
  }
}
