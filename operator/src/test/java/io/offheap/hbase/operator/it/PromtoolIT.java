package io.offheap.hbase.operator.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.tune.Metric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The chart's alerts, scrape configuration and dashboard, with the real promtool. */
class PromtoolIT {
  private static final Path CHART = Chart.FOLDER.toAbsolutePath().normalize();
  static final Path RULES = CHART.resolve("alerts").resolve("hbase-offheap.rules.yaml");
  private static final Path SCRAPE = CHART.resolve("alerts").resolve("scrape-config.yaml");
  private static final Path DASHBOARD = CHART.resolve("dashboards").resolve("hbase-offheap.json");
  private static final Path TESTS = CHART.resolve("ci").resolve("alerts");
  private static final Path RUNBOOK = Path.of("..", "docs", "runbook.md");

  /** Prefixes of region servers' metrics; the operator's own metrics are not filtered. */
  private static final Pattern REGION_SERVER_METRIC =
      Pattern.compile("\\b(?:observer|server|jvm_metrics)_[a-z0-9_]+");

  /** The pattern by which ImageIT, which requests them from real servers, finds them too. */
  private static final Pattern SERVER_METRIC =
      Pattern.compile(
          "(observer|server|jvm_metrics|assignment_manager|fs_namesystem|datanode|zookeeper)_[a-z0-9_]+");

  static final Pattern BY = Pattern.compile("by \\(([a-z, ]*?([a-z]+))\\)");
  private static final Pattern RESULT =
      Pattern.compile("Unit Testing: {2}(\\w+)\\.test\\.yaml\\s+(SUCCESS|FAILED:)");

  private static final ObjectMapper YAML = new YAMLMapper();
  private static MonitoringTools tools;

  @TempDir private Path folder;

  @BeforeAll
  static void fetch() throws IOException {
    tools = MonitoringTools.fetch();
  }

  static Stream<JsonNode> alerts() throws IOException {
    return stream(YAML.readTree(RULES.toFile()).path("groups"))
        .flatMap(group -> stream(group.path("rules")));
  }

  static Stream<String> alertNames() throws IOException {
    return alerts().map(alert -> alert.path("alert").asText());
  }

  private static Stream<JsonNode> stream(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }

  @Test
  void rulesAreValid() throws IOException {
    assertThat(tools.promtool(folder, "check", "rules", RULES.toString()).orThrow())
        .contains("SUCCESS: " + alerts().count() + " rules found");
  }

  @Test
  void alertsFireExactlyWhenExpected() throws IOException {
    assertThat(results(tools, folder, RULES)).isEqualTo(everyAlert("SUCCESS"));
  }

  @ParameterizedTest
  @MethodSource("alertNames")
  void alertHasTestsOfFiringAndRestart(String alert) {
    assertThat(TESTS.resolve(alert + ".test.yaml"))
        .content()
        .contains("value: 1", "exp_samples: []", "restart");
  }

  /**
   * promtool's results of each alert's unit tests, from one process. Each test gets only the rules
   * of its own alert: promtool evaluates all given rules at each minute of days.
   */
  static Map<String, String> results(MonitoringTools tools, Path folder, Path rules)
      throws IOException {
    var arguments = new ArrayList<>(List.of("test", "rules"));
    for (var alert : alertNames().toList()) {
      var file = alert + ".test.yaml";
      var own = alert + ".rules.yaml";
      YAML.writeValue(folder.resolve(own).toFile(), only(alert, YAML.readTree(rules.toFile())));
      var tests = Files.readString(TESTS.resolve(file));
      assertThat(tests).contains("../../alerts/hbase-offheap.rules.yaml");
      Files.writeString(
          folder.resolve(file), tests.replace("../../alerts/hbase-offheap.rules.yaml", own));
      arguments.add(file);
    }
    var output = tools.promtool(folder, arguments.toArray(String[]::new)).output();
    var results = new TreeMap<String, String>();
    RESULT.matcher(output).results().forEach(it -> results.put(it.group(1), it.group(2)));
    return results;
  }

  private static JsonNode only(String alert, JsonNode rules) {
    for (var group : rules.path("groups")) {
      for (var all = group.path("rules").elements(); all.hasNext(); ) {
        if (!all.next().path("alert").asText().equals(alert)) {
          all.remove();
        }
      }
    }
    return rules;
  }

  static Map<String, String> everyAlert(String result) throws IOException {
    return new TreeMap<>(alertNames().collect(Collectors.toMap(it -> it, it -> result)));
  }

  @ParameterizedTest
  @MethodSource("alerts")
  void alertNamesClusterAndAction(JsonNode alert) throws IOException {
    var name = alert.path("alert").asText();
    var annotations = alert.path("annotations");

    var labels = BY.matcher(alert.path("expr").asText());
    if (labels.find()) {
      for (var label : labels.group(1).split(", ", -1)) {
        assertThat(annotations.path("description").asText())
            .contains("{{ $labels." + label + " }}");
      }
      assertThat(annotations.path("summary").asText()).contains("{{ $labels.");
    } else {
      assertThat(name).isEqualTo("HBaseOperatorAbsent");
    }
    assertThat(alert.path("labels").path("severity").asText()).isIn("warning", "critical");
    assertThat(annotations.path("runbook_url").asText())
        .isEqualTo("docs/runbook.md#" + name.toLowerCase(Locale.ROOT));
    assertThat(RUNBOOK).content().contains("\n## " + name + "\n");
  }

  @Test
  void runbookHasNoParagraphOfMissingAlert() throws IOException {
    var headings =
        Files.readAllLines(RUNBOOK).stream()
            .filter(line -> line.startsWith("## HBase"))
            .map(line -> line.substring(3))
            .toList();

    assertThat(headings).containsExactlyInAnyOrderElementsOf(alertNames().toList());
  }

  /** Prometheus' own metrics are not of a server. */
  @Test
  void metricsOfAlertsAndDashboardAreScrapedFromRealServers() throws IOException {
    var queried = queriedMetrics();
    assertThat(queried).hasSizeGreaterThan(50).contains("up", "hbase_offheap_leader");
    queried.removeIf(it -> it.equals("up") || it.startsWith("hbase_offheap_"));

    assertThat(queried).allMatch(SERVER_METRIC.asMatchPredicate());
    assertThat(kept()).containsAll(queried);
  }

  /** Tuning reads the bean's attributes, Prometheus the same under Hadoop's other spelling. */
  @ParameterizedTest
  @MethodSource("ofObserver")
  void realRegionServerExportsMetricsOfTuning(Metric metric) {
    var words = metric.attribute().split("(?<=[a-z0-9])(?=[A-Z])", -1);

    assertThat(ReplayedServer.recorded())
        .contains("\nobserver_" + String.join("_", words).toLowerCase(Locale.ROOT) + "{");
  }

  static Set<Metric> ofObserver() {
    return Metric.Bean.OBSERVER.metrics();
  }

  /** Metrics in the recorded responses of real servers that the scrape configuration keeps. */
  private static Set<String> kept() throws IOException {
    var kept = new TreeSet<String>();
    for (var scrape :
        Serialization.unmarshal(Files.readString(SCRAPE), JsonNode.class).path("scrape_configs")) {
      var server = scrape.at("/relabel_configs/0/regex").asText().split(";", -1)[1];
      if (server.equals("operator")) {
        continue;
      }
      var keep = Pattern.compile(scrape.at("/metric_relabel_configs/0/regex").asText());
      var question = scrape.at("/params/qry/0").asText();
      ReplayedServer.recorded(server)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split("[{ ]", 2)[0])
          .filter(it -> it.contains(question) && keep.matcher(it).matches())
          .forEach(kept::add);
    }
    return kept;
  }

  /** Each metric in the query of an alert or of a panel of the dashboard. */
  static Set<String> queriedMetrics() throws IOException {
    return Stream.concat(alerts().map(alert -> alert.path("expr").asText()), queries())
        .flatMap(it -> Promql.metrics(it).stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void queriesOfTheDashboardAreValid() throws IOException {
    assertThat(queries().count()).isGreaterThan(60);
    assertThat(checkQueries(queries().toList()).orThrow()).contains("SUCCESS");
    assertThat(checkQueries(List.of("rate(observer_gc_mixed_count[5m]")).status()).isNotZero();
  }

  /** Checks queries with Prometheus' own parser, as recording rules. */
  private MonitoringTools.Result checkQueries(List<String> queries) throws IOException {
    var rules = YAML.createObjectNode();
    var group = rules.putArray("groups").addObject().put("name", "dashboard");
    var recorded = group.putArray("rules");
    for (var query : queries) {
      recorded.addObject().put("record", "query:" + recorded.size()).put("expr", query);
    }
    YAML.writeValue(folder.resolve("queries.rules.yaml").toFile(), rules);
    return tools.promtool(folder, "check", "rules", "queries.rules.yaml");
  }

  private static Stream<String> queries() throws IOException {
    return stream(new ObjectMapper().readTree(DASHBOARD.toFile()).path("panels"))
        .flatMap(panel -> stream(panel.path("targets")))
        .map(target -> target.path("expr").asText());
  }

  @Test
  void dashboardShowsOnlySelectedServers() throws IOException {
    assertThat(queries().filter(query -> REGION_SERVER_METRIC.matcher(query).find()))
        .allSatisfy(
            query -> {
              var metrics = REGION_SERVER_METRIC.matcher(query).results().count();
              assertThat(
                      query.split(
                          "\\{namespace=~\"\\$namespace\", cluster=~\"\\$cluster\","
                              + " pod=~\"\\$pod\"}",
                          -1))
                  .hasSize((int) metrics + 1);
            });
  }
}
