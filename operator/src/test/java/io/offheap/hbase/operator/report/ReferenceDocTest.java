package io.offheap.hbase.operator.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.rollout.Blocker;
import io.offheap.hbase.operator.status.ConditionType;
import io.offheap.hbase.operator.status.Reason;
import io.offheap.hbase.operator.tune.TuningState.EventKind;
import io.offheap.hbase.operator.tune.TuningStep.Activity;
import io.prometheus.client.Collector.MetricFamilySamples.Sample;
import io.prometheus.client.CollectorRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code docs/metrics-and-events.md} has each name that the operator reports, and no other. */
class ReferenceDocTest {
  private static final Path MAIN = Path.of("src/main/java/io/offheap/hbase/operator");

  private static final Pattern METRIC = Pattern.compile("\"(hbase_offheap_\\w*[a-z])\"");

  /** The metrics of a cluster, which have a common prefix, and their labels. */
  private static final Pattern OF_CLUSTER =
      Pattern.compile("family\\(\\s*\"(\\w+)\",\\s*\"[^\"]*\"((?:,\\s*\"\\w+\")*)\\)");

  private static final String CLUSTER_PREFIX = "hbase_offheap_cluster_";

  /** A text in CamelCase. */
  private static final Pattern CAMEL_CASE = Pattern.compile("\"([A-Z]+[a-z][A-Za-z]*)\"");

  private static final Pattern KEY = Pattern.compile("\\bwith\\(\"(\\w+)\"");

  /** What a histogram adds to its name. */
  private static final Pattern OF_HISTOGRAM = Pattern.compile("_(bucket|count|sum|created)$");

  /** Labels whose values are on other pages, or in other tables of this page. */
  private static final Set<String> WITHOUT_VALUES = Set.of("rule", "type", "reason");

  /** Types of events, and the status of a condition, in classes that log lines. */
  private static final Set<String> NO_LINES = Set.of("Normal", "Warning", "False");

  private ReferencePage page;

  @BeforeEach
  void read() throws IOException {
    page = ReferencePage.read();
  }

  @Test
  void pageHasEachMetricAndNoOther() throws IOException {
    var metrics = found(METRIC, sources(it -> true));
    metrics.addAll(labelsOfClusters().keySet());

    assertThat(metrics).as("metrics of the code").hasSizeGreaterThan(15);
    assertThat(page.metrics()).isEqualTo(metrics);
  }

  @Test
  void pageHasEachLabelWithItsValuesAndNoOther() {
    var labels = labelsOfCode();

    assertThat(labels).as("metrics with labels").hasSizeGreaterThan(10);
    page.labels()
        .forEach(
            (metric, ofPage) -> {
              var ofCode = labels.getOrDefault(metric, Map.of());
              assertThat(ofPage.keySet()).as(metric).isEqualTo(ofCode.keySet());
              ofPage.forEach(
                  (label, values) -> {
                    if (!values.isEmpty() || !WITHOUT_VALUES.contains(label)) {
                      assertThat(values)
                          .as("values of %s of %s", label, metric)
                          .isEqualTo(ofCode.get(label));
                    }
                  });
            });
  }

  @Test
  void pageHasEachConditionWithItsReasonsAndNoOther() {
    assertThat(page.conditions()).isEqualTo(names(ConditionType.values()));
    assertThat(page.reasons()).isEqualTo(names(Reason.values()));
  }

  @Test
  void pageHasEachReasonOfRollbackAndNoOther() throws IOException {
    var rollbacks = found(CAMEL_CASE, sources(it -> it.contains("new RolledBack(")));

    assertThat(rollbacks).as("reasons of the code").contains("CannotStart", "CanaryWorse");
    assertThat(page.rollbacks()).isEqualTo(rollbacks);
  }

  @Test
  void pageHasEachActivityOfTuningAndNoOther() {
    assertThat(page.activities())
        .isEqualTo(
            Arrays.stream(Activity.values())
                .map(Activity::text)
                .collect(Collectors.toCollection(TreeSet::new)));
  }

  @Test
  void pageHasEachWaitOfRolloutAndNoOther() {
    assertThat(page.waits()).isEqualTo(new TreeSet<>(Blocker.labels()));
  }

  @Test
  void pageHasEachEventAndNoOther() throws IOException {
    var events =
        found(
            CAMEL_CASE,
            sources(
                it ->
                    it.contains("record RolloutNews(")
                        || (it.contains("events.normal(") || it.contains("events.warning("))));
    assertThat(events.remove("Tuning")).as("a prefix of the code").isTrue();
    for (EventKind kind : EventKind.values()) {
      events.add("Tuning" + kind.text());
    }

    assertThat(events)
        .as("events of the code")
        .contains("HeldBack", "ServerDone", "RememberedUsed", "ChangeRolledBack");
    assertThat(page.events()).isEqualTo(events);
  }

  @Test
  void pageHasEachLineOfLogWithItsKeysAndNoOther() throws IOException {
    var logging = sources(it -> it.contains("LogLine.of("));
    var lines = found(CAMEL_CASE, logging);
    lines.removeAll(NO_LINES);

    assertThat(lines).as("lines of the code").contains("ConditionChanged", "PollFailing");
    assertThat(page.lines()).isEqualTo(lines);
    assertThat(page.keys()).as("keys").isEqualTo(found(KEY, logging));
  }

  /** The labels of each metric with their values. */
  private static Map<String, Map<String, Set<String>>> labelsOfCode() {
    var registry = new CollectorRegistry();
    var events = new Events(null, "test", Clock.systemUTC());
    var rollouts = new RolloutReports(events, new RolloutMetrics(registry), Clock.systemUTC());
    registry.register(
        new ClusterMetrics(() -> Stream.of(withoutStatus()), rollouts, Clock.systemUTC()));
    var unused = List.of(new TuningMetrics(registry), new ReconcileMetrics(registry));
    var all = labelsOfClusters();
    Collections.list(registry.metricFamilySamples()).stream()
        .flatMap(it -> it.samples.stream())
        .forEach(it -> add(it, all));
    all.put("hbase_offheap_alerts_total", Map.of("verdict", labels("Verdict")));
    all.put("hbase_offheap_alert_requests_total", Map.of("outcome", labels("AlertOutcome")));
    return all;
  }

  private static void add(Sample sample, Map<String, Map<String, Set<String>>> all) {
    var labels =
        all.computeIfAbsent(
            OF_HISTOGRAM.matcher(sample.name).replaceFirst(""), it -> new TreeMap<>());
    for (int i = 0; i < sample.labelNames.size(); i++) {
      var label = sample.labelNames.get(i);
      // The limit of a histogram's bucket, and what each metric of a cluster has.
      if (!Set.of("le", "namespace", "cluster").contains(label)) {
        labels.computeIfAbsent(label, it -> new TreeSet<>()).add(sample.labelValues.get(i));
      }
    }
  }

  private static HBaseCluster withoutStatus() {
    var cluster = new HBaseCluster();
    cluster.setMetadata(new ObjectMetaBuilder().withName("demo").withNamespace("shop").build());
    return cluster;
  }

  /** The labels of the metrics of each cluster, which have no values without clusters. */
  private static Map<String, Map<String, Set<String>>> labelsOfClusters() {
    var all = new TreeMap<String, Map<String, Set<String>>>();
    OF_CLUSTER
        .matcher(text(MAIN.resolve("report/ClusterMetrics.java")))
        .results()
        .forEach(
            it -> {
              var labels = new TreeMap<String, Set<String>>();
              Pattern.compile("\"(\\w+)\"")
                  .matcher(it.group(2))
                  .results()
                  .forEach(label -> labels.put(label.group(1), new TreeSet<>()));
              if (labels.containsKey("reason") && !labels.containsKey("type")) {
                labels.put("reason", new TreeSet<>(Blocker.labels()));
              }
              all.put(CLUSTER_PREFIX + it.group(1), labels);
            });
    return all;
  }

  /** These enums are the webhook's own. */
  private static Set<String> labels(String type) {
    try {
      return Arrays.stream(
              Class.forName("io.offheap.hbase.operator.webhook." + type).getEnumConstants())
          .map(it -> ((Enum<?>) it).name().toLowerCase(Locale.ROOT))
          .collect(Collectors.toCollection(TreeSet::new));
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  private static Set<String> names(Enum<?>[] values) {
    return Arrays.stream(values).map(Enum::name).collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> found(Pattern pattern, List<Path> files) {
    return files.stream()
        .flatMap(file -> pattern.matcher(text(file)).results())
        .map(it -> it.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The classes with such a text. */
  private static List<Path> sources(Predicate<String> text) throws IOException {
    try (var files = Files.walk(MAIN)) {
      return files
          .filter(it -> it.toString().endsWith(".java") && text.test(text(it)))
          .sorted()
          .toList();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, UTF_8);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
