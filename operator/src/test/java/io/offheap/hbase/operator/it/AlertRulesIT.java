package io.offheap.hbase.operator.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The chart's alerts, scrape configuration and dashboard, by the real promtool and helm. */
class AlertRulesIT {
  private static final Path CHART = Chart.FOLDER.toAbsolutePath().normalize();
  private static final Path RULES = CHART.resolve("alerts").resolve("hbase-offheap.rules.yaml");
  private static final Path SCRAPE = CHART.resolve("alerts").resolve("scrape-config.yaml");
  private static final Path DASHBOARD = CHART.resolve("dashboards").resolve("hbase-offheap.json");
  private static final Path TESTS = CHART.resolve("ci").resolve("alerts");
  private static final Path RUNBOOK = Path.of("..", "docs", "runbook.md");

  /** What region servers show; the operator's own are not filtered. */
  private static final Pattern REGION_SERVER_METRIC =
      Pattern.compile("\\b(?:observer|server|jvm_metrics)_[a-z0-9_]+");

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

  @ParameterizedTest
  @MethodSource("alertNames")
  void alertFiresWhenItShouldAndOnlyThen(String alert) throws IOException {
    var file = TESTS.resolve(alert + ".test.yaml");

    assertThat(tools.promtool(TESTS, "test", "rules", file.toString()).orThrow())
        .contains("SUCCESS");
    assertThat(Files.readString(file)).as("cases").contains("value: 1", "restart");
  }

  @ParameterizedTest
  @MethodSource("alertNames")
  void testOfAlertFailsWhereItNeverFires(String alert) throws IOException {
    assertThat(testOf(alert, "vector(0) == 1").status()).isNotZero();
  }

  @ParameterizedTest
  @MethodSource("alertNames")
  void testOfAlertFailsWhereItAlwaysFires(String alert) throws IOException {
    var always = "sum by (namespace, cluster, pod) (last_over_time({pod!=\"\"}[1h]) * 0 + 1)";

    assertThat(testOf(alert, always).status()).isNotZero();
  }

  /** An alert's unit tests where all alerts have another expression. */
  private MonitoringTools.Result testOf(String alert, String expression) throws IOException {
    var rules = YAML.readTree(RULES.toFile());
    stream(rules.path("groups"))
        .flatMap(group -> stream(group.path("rules")))
        .forEach(rule -> ((ObjectNode) rule).put("expr", expression));
    YAML.writeValue(folder.resolve("changed.rules.yaml").toFile(), rules);
    var test =
        Files.readString(TESTS.resolve(alert + ".test.yaml"))
            .replace("../../alerts/hbase-offheap.rules.yaml", "changed.rules.yaml");
    Files.writeString(folder.resolve("changed.test.yaml"), test);
    return tools.promtool(folder, "test", "rules", "changed.test.yaml");
  }

  @ParameterizedTest
  @MethodSource("alerts")
  void alertSaysWhoseItIsAndWhatToDo(JsonNode alert) throws IOException {
    var name = alert.path("alert").asText();
    var annotations = alert.path("annotations");

    assertThat(alert.path("expr").asText()).contains("by (namespace, cluster, pod)");
    assertThat(alert.path("labels").path("severity").asText()).isIn("warning", "critical");
    assertThat(annotations.path("summary").asText()).contains("{{ $labels.pod }}");
    assertThat(annotations.path("description").asText())
        .contains("{{ $labels.namespace }}", "{{ $labels.pod }}", "{{ $labels.cluster }}");
    assertThat(annotations.path("runbook_url").asText())
        .isEqualTo("docs/runbook.md#" + name.toLowerCase(Locale.ROOT));
    assertThat(RUNBOOK).content().contains("\n## " + name + "\n");
  }

  @Test
  void runbookHasNoParagraphOfAnAlertThatIsNotThere() throws IOException {
    var headings =
        Files.readAllLines(RUNBOOK).stream()
            .filter(line -> line.startsWith("## HBase"))
            .map(line -> line.substring(3))
            .toList();

    assertThat(headings).containsExactlyInAnyOrderElementsOf(alertNames().toList());
  }

  @Test
  void whatAlertsAndDashboardAskForIsScraped() throws IOException {
    var kept =
        Pattern.compile(
            Serialization.unmarshal(Files.readString(SCRAPE), JsonNode.class)
                .at("/scrape_configs/0/metric_relabel_configs/0/regex")
                .asText());
    var asked = new TreeSet<String>();
    Stream.concat(alerts().map(alert -> alert.path("expr").asText()), queries())
        .forEach(
            query ->
                REGION_SERVER_METRIC.matcher(query).results().forEach(it -> asked.add(it.group())));

    assertThat(asked).hasSizeGreaterThan(40).allMatch(kept.asMatchPredicate());
  }

  @Test
  void whatAlertsAndDashboardAskForIsShownByARealRegionServer() throws IOException {
    var shown = ReplayedServer.recorded();

    assertThat(Stream.concat(alerts().map(alert -> alert.path("expr").asText()), queries()))
        .allSatisfy(
            query ->
                REGION_SERVER_METRIC
                    .matcher(query)
                    .results()
                    .forEach(it -> assertThat(shown).contains("\n" + it.group() + "{")));
  }

  @Test
  void queriesOfTheDashboardAreValid() throws IOException {
    assertThat(queries().count()).isGreaterThan(60);
    assertThat(checkQueries(queries().toList()).orThrow()).contains("SUCCESS");
    assertThat(checkQueries(List.of("rate(observer_gc_mixed_count[5m]")).status()).isNotZero();
  }

  /** Prometheus' own parser, by rules that record the queries. */
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
  void dashboardShowsTheSelectedServersAlone() throws IOException {
    assertThat(queries().filter(query -> REGION_SERVER_METRIC.matcher(query).find()))
        .allSatisfy(
            query -> {
              var metrics = REGION_SERVER_METRIC.matcher(query).results().count();
              assertThat(
                      query.split(
                          "\\{namespace=~\"\\$namespace\", cluster=~\"\\$cluster\", pod=~\"\\$pod\"}",
                          -1))
                  .hasSize((int) metrics + 1);
            });
  }

  @Test
  void prometheusRuleHoldsTheRulesOfTheFile() throws IOException {
    var rule =
        Serialization.unmarshal(
            render("prometheusrule", "prometheusRule.enabled=true"), JsonNode.class);

    assertThat(rule.path("kind").asText()).isEqualTo("PrometheusRule");
    assertThat(rule.path("spec").path("groups"))
        .isEqualTo(YAML.readTree(RULES.toFile()).path("groups"));
  }

  @Test
  void podMonitorKeepsWhatTheScrapeConfigurationKeeps() throws IOException {
    var documents = render("podmonitor", "metrics.podMonitor.enabled=true").split("(?m)^---$", -1);
    var monitor =
        Serialization.unmarshal(
            Stream.of(documents).filter(it -> it.contains("-servers\n")).findFirst().orElseThrow(),
            JsonNode.class);
    var scrapes =
        Serialization.unmarshal(Files.readString(SCRAPE), JsonNode.class).path("scrape_configs");

    var endpoints = monitor.path("spec").path("podMetricsEndpoints");
    assertThat(endpoints).hasSize(2);
    for (var at = 0; at < endpoints.size(); at++) {
      assertThat(endpoints.path(at).path("params")).isEqualTo(scrapes.path(at).path("params"));
      assertThat(endpoints.path(at).at("/metricRelabelings/0/regex"))
          .isEqualTo(scrapes.path(at).at("/metric_relabel_configs/0/regex"));
      assertThat(endpoints.path(at).at("/metricRelabelings/1/regex").asText())
          .isEqualTo(scrapes.path(at).at("/metric_relabel_configs/1/regex").asText())
          .contains("servername");
    }
  }

  private String render(String template, String value) throws IOException {
    var helm = Path.of(ClusterScript.run("tools"), "helm");
    return MonitoringTools.run(
            folder,
            helm,
            "template",
            "demo",
            CHART.toString(),
            "--kube-version",
            "1.34.0",
            "--set",
            value,
            "--show-only",
            "templates/" + template + ".yaml")
        .orThrow();
  }
}
