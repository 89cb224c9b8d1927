package io.offheap.hbase.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.plan.BudgetItem;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code docs/derivation.md} shows the values that the planner derives. */
class DerivationDocTest {
  private static final Path DOC = Path.of("..", "docs", "derivation.md");
  private static final Path EXAMPLE = Path.of("..", "examples", "external.yaml");
  private static final String WORKED_EXAMPLE = "The worked example";
  private static final String MODES = "The five cache modes";
  private static final String NOT_IN_THE_PLAN = "-";

  private static final Pattern ROW = Pattern.compile("\\| `([^`]+)` \\| (.+) \\|");
  private static final Pattern DECLARED = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

  /** A class that a row names as its proof, with the method where it names one. */
  private static final Pattern TEST = Pattern.compile("`(\\w+(?:Test|IT))(?:\\.(\\w+))?`");

  @Test
  void docQuotesExampleFile() throws IOException {
    var declared = DECLARED.matcher(section(WORKED_EXAMPLE));

    assertThat(declared.find()).isTrue();
    assertThat(Files.readString(EXAMPLE)).contains(declared.group(1));
  }

  @Test
  void docShowsEveryValueOfExamplePlan() throws Exception {
    var shown = new LinkedHashMap<String, String>();
    rows(WORKED_EXAMPLE).forEach((key, cells) -> shown.put(key, cells.get(0)));

    assertThat(shown).containsExactlyInAnyOrderEntriesOf(values(example().plan()));
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = ';',
      value = {
        "0; {mode: OffHeap}",
        "1; {mode: File, bucketCacheSize: 100Gi}",
        "2; {mode: Lru}",
        "3; {mode: MetaOnly}",
        "4; {mode: Disabled}",
      })
  void docShowsValuesOfEachMode(int column, String blockCache) throws Exception {
    var mode = Assignment.of("spec.regionServers.blockCache", blockCache);
    var values = values(example().with(mode).plan());

    var shown = rows(MODES);

    assertThat(shown).isNotEmpty();
    shown.forEach(
        (key, cells) ->
            assertThat(cells.get(column))
                .as(key)
                .isEqualTo(values.getOrDefault(key, NOT_IN_THE_PLAN)));
  }

  @Test
  void docNamesExistingTests() throws IOException {
    try (var files = Files.walk(Path.of("src", "test", "java"))) {
      var tests =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .collect(Collectors.toMap(file -> name(file), file -> file));
      var named = TEST.matcher(Files.readString(DOC)).results().toList();

      assertThat(named).isNotEmpty();
      for (var test : named) {
        assertThat(tests).containsKey(test.group(1));
        if (test.group(2) != null) {
          assertThat(Files.readString(tests.get(test.group(1))))
              .as(test.group(1))
              .contains(" " + test.group(2) + "(");
        }
      }
    }
  }

  private static String name(Path file) {
    return file.getFileName().toString().replace(".java", "");
  }

  private static ClusterFile example() throws RefusedException {
    return ClusterFile.read(EXAMPLE.toString());
  }

  /** Settings as they are rendered, and the parts of the container's memory in bytes. */
  private static Map<String, String> values(MemoryPlan plan) {
    var values = new LinkedHashMap<String, String>();
    for (Setting setting : plan.settings()) {
      values.put(setting.name(), setting.text());
    }
    for (BudgetItem item : plan.budget()) {
      if (item.bytes() > 0) {
        values.put(item.item(), String.format(Locale.ROOT, "%,d", item.bytes()));
      }
    }
    assertThat(values).containsKey(plan.setting(Target.CONTAINER, "memory").orElseThrow().name());
    return values;
  }

  /** The other cells of each row of a section's tables that starts with a key. */
  private static Map<String, List<String>> rows(String heading) throws IOException {
    var rows = new LinkedHashMap<String, List<String>>();
    section(heading)
        .lines()
        .map(ROW::matcher)
        .filter(row -> row.matches())
        .forEach(
            row ->
                assertThat(rows.put(row.group(1), cells(row.group(2))))
                    .as("%s is shown once", row.group(1))
                    .isNull());
    return rows;
  }

  private static List<String> cells(String row) {
    return Arrays.stream(row.split(" \\| ", -1)).map(cell -> cell.replace("`", "")).toList();
  }

  private static String section(String heading) throws IOException {
    var doc = Files.readString(DOC);
    int start = doc.indexOf("\n## " + heading + "\n");
    assertThat(start).as("section '%s'", heading).isNotNegative();
    int end = doc.indexOf("\n## ", start + 1);
    return doc.substring(start, end < 0 ? doc.length() : end);
  }
}
