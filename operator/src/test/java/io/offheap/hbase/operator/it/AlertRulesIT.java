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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares the chart's PrometheusRule and PodMonitors, rendered by the real helm, with the files
 * for Prometheus.
 */
class AlertRulesIT {
  private static final Path CHART = Chart.FOLDER.toAbsolutePath().normalize();
  private static final Path RULES = CHART.resolve("alerts").resolve("hbase-offheap.rules.yaml");
  private static final Path SCRAPE = CHART.resolve("alerts").resolve("scrape-config.yaml");
  private static final ObjectMapper YAML = new YAMLMapper();

  @TempDir private Path folder;

  @Test
  void testsFailIfAlertsNeverFire() throws IOException {
    assertThat(results(with(alert -> "vector(0) == 1")))
        .isEqualTo(PromtoolIT.everyAlert("FAILED:"));
  }

  @Test
  void testsFailIfAlertsAlwaysFire() throws IOException {
    assertThat(results(with(AlertRulesIT::always))).isEqualTo(PromtoolIT.everyAlert("FAILED:"));
  }

  private Map<String, String> results(Path rules) throws IOException {
    return PromtoolIT.results(MonitoringTools.fetch(), folder, rules);
  }

  /** With an alert's own labels, so that a test fails by its values and not by labels. */
  private static String always(String expression) {
    var labels = PromtoolIT.BY.matcher(expression);
    return labels.find()
        ? "count by (%s) (last_over_time({%s!=\"\"}[1h]))"
            .formatted(labels.group(1), labels.group(2))
        : "vector(1)";
  }

  private Path with(UnaryOperator<String> change) throws IOException {
    var rules = YAML.readTree(RULES.toFile());
    for (var group : rules.path("groups")) {
      for (var rule : group.path("rules")) {
        ((ObjectNode) rule).put("expr", change.apply(rule.path("expr").asText()));
      }
    }
    var changed = folder.resolve("changed.rules.yaml");
    YAML.writeValue(changed.toFile(), rules);
    return changed;
  }

  @Test
  void prometheusRuleHoldsTheRulesOfTheFile() throws IOException {
    var rule =
        Serialization.unmarshal(
            render(
                "prometheusrule", "prometheusRule.enabled=true,prometheusRule.runbookUrl=http://x"),
            JsonNode.class);

    assertThat(rule.path("kind").asText()).isEqualTo("PrometheusRule");
    assertThat(rule.path("spec").path("groups"))
        .isEqualTo(
            YAML.readTree(Files.readString(RULES).replace("docs/runbook.md#", "http://x#"))
                .path("groups"));
  }

  @Test
  void podMonitorsMatchScrapeConfiguration() throws IOException {
    var endpoints = new ArrayList<JsonNode>();
    for (var document :
        render("podmonitor", "metrics.podMonitor.enabled=true").split("(?m)^---$", -1)) {
      var monitor = Serialization.unmarshal(document, JsonNode.class);
      if (monitor != null && monitor.at("/spec/selector/matchLabels").size() == 2) {
        var component =
            monitor.at("/spec/selector/matchLabels").path("app.kubernetes.io/component").asText();
        assertThat(monitor.at("/metadata/name").asText()).endsWith("-" + component);
        for (var endpoint : monitor.at("/spec/podMetricsEndpoints")) {
          endpoints.add(endpoint);
          assertThat(scrape(endpoint).at("/relabel_configs/0/regex").asText())
              .isEqualTo(
                  "hbase-offheap-operator;" + component + ";" + endpoint.path("port").asText());
        }
      }
    }

    assertThat(endpoints)
        .extracting(AlertRulesIT::job)
        .containsExactlyInAnyOrder(
            "hbase-regionserver",
            "hbase-regionserver-heap",
            "hbase-master",
            "hbase-master-assignment",
            "hbase-namenode",
            "hbase-datanode",
            "hbase-zookeeper");
    for (var endpoint : endpoints) {
      var scrape = scrape(endpoint);
      assertThat(endpoint.path("path")).isEqualTo(scrape.path("metrics_path"));
      assertThat(endpoint.path("params")).isEqualTo(scrape.path("params"));
      assertThat(regexes(endpoint.path("metricRelabelings")))
          .isEqualTo(regexes(scrape.path("metric_relabel_configs")));
    }
  }

  private static JsonNode scrape(JsonNode endpoint) throws IOException {
    for (var scrape :
        Serialization.unmarshal(Files.readString(SCRAPE), JsonNode.class).path("scrape_configs")) {
      if (scrape.path("job_name").asText().equals(job(endpoint))) {
        return scrape;
      }
    }
    throw new AssertionError("no job " + job(endpoint));
  }

  private static String job(JsonNode endpoint) {
    return endpoint.at("/relabelings/0/replacement").asText();
  }

  private static List<String> regexes(JsonNode relabelings) {
    var regexes = new ArrayList<String>();
    relabelings.forEach(it -> regexes.add(it.path("action") + " " + it.path("regex")));
    return regexes;
  }

  @Test
  void seriesOfTheOperatorKeepTheirNamespace() throws IOException {
    assertThat(Stream.of(render("podmonitor", "metrics.podMonitor.enabled=true").split("---", -1)))
        .filteredOn(
            it -> it.contains("- port: metrics\n") && it.contains("hbase-offheap-operator\n"))
        .last()
        .asString()
        .contains("honorLabels: true");
    assertThat(SCRAPE)
        .content()
        .contains("job_name: hbase-offheap-operator\n    honor_labels: true");
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
