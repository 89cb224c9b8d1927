package io.offheap.hbase.operator.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.rollout.Blocker;
import io.offheap.hbase.operator.status.ConditionType;
import io.offheap.hbase.operator.status.Reason;
import io.offheap.hbase.operator.tune.Rules;
import io.offheap.hbase.operator.tune.TuningState.EventKind;
import io.offheap.hbase.operator.tune.TuningStep.Activity;
import io.prometheus.client.Collector.MetricFamilySamples;
import io.prometheus.client.CollectorRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/metrics-and-events.md} has each name that the operator reports. */
class ReferenceDocTest {
  private static final Path MAIN = Path.of("src/main/java/io/offheap/hbase/operator");
  private static final Path PAGE = Path.of("../docs/metrics-and-events.md");

  private static final Pattern METRIC = Pattern.compile("\"(hbase_offheap_\\w*[a-z])\"");

  /** The metrics of a cluster, which have a common prefix. */
  private static final Pattern OF_CLUSTER = Pattern.compile("family\\(\\s*\"(\\w+)\"");

  /** A text in CamelCase. */
  private static final Pattern EVENT = Pattern.compile("\"([A-Z]+[a-z][A-Za-z]*)\"");

  @Test
  void pageHasEachMetricAndNoOther() throws IOException {
    var metrics = found(METRIC, sources());
    found(OF_CLUSTER, List.of(MAIN.resolve("report/ClusterMetrics.java")))
        .forEach(it -> metrics.add("hbase_offheap_cluster_" + it));

    assertThat(metrics).as("metrics of the code").hasSizeGreaterThan(15);
    assertThat(found(Pattern.compile("`(hbase_offheap_\\w+)`"), List.of(PAGE))).isEqualTo(metrics);
  }

  @Test
  void pageHasEachValueOfLabels() throws IOException {
    var registry = new CollectorRegistry();
    var unused =
        List.of(
            new RolloutMetrics(registry),
            new TuningMetrics(registry),
            new ReconcileMetrics(registry));
    var values =
        Collections.list(registry.metricFamilySamples()).stream()
            .flatMap((MetricFamilySamples family) -> family.samples.stream())
            .filter(it -> !it.name.endsWith("_bucket"))
            .flatMap(it -> it.labelValues.stream())
            .filter(it -> !Rules.all().names().contains(it))
            .collect(Collectors.toCollection(TreeSet::new));
    values.addAll(labels("Verdict"));
    values.addAll(labels("AlertOutcome"));
    values.addAll(Blocker.labels());

    assertPageHas(values);
  }

  /** These enums are the webhook's own. */
  private static List<String> labels(String type) {
    try {
      return Arrays.stream(
              Class.forName("io.offheap.hbase.operator.webhook." + type).getEnumConstants())
          .map(it -> ((Enum<?>) it).name().toLowerCase(Locale.ROOT))
          .toList();
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void pageHasEachConditionWithItsReasons() throws IOException {
    assertPageHas(
        Stream.of(
                Arrays.stream(ConditionType.values()).map(Enum::name),
                Arrays.stream(Reason.values()).map(Enum::name),
                Arrays.stream(Activity.values()).map(Activity::text))
            .flatMap(it -> it)
            .collect(Collectors.toCollection(TreeSet::new)));
  }

  /** Events, lines of the log, and reasons of a rollback. */
  @Test
  void pageHasEachEvent() throws IOException {
    var reporting =
        sources().stream()
            .filter(
                it ->
                    text(it).contains("LogLine.of(")
                        || text(it).contains("new RolledBack(")
                        || it.endsWith("RolloutNews.java")
                        || it.endsWith("RolloutReports.java")
                        || it.endsWith("RememberedMaps.java"))
            .toList();
    var events = found(EVENT, reporting);
    for (EventKind kind : EventKind.values()) {
      events.add("Tuning" + kind.text());
    }

    assertThat(events)
        .as("events of the code")
        .contains("HeldBack", "ServerDone", "RememberedUsed", "CannotStart", "ConditionChanged");
    assertPageHas(events);
  }

  private static void assertPageHas(Set<String> names) throws IOException {
    assertThat(found(Pattern.compile("`(\\w+)`"), List.of(PAGE)))
        .as("names in %s", PAGE)
        .containsAll(names);
  }

  private static Set<String> found(Pattern pattern, List<Path> files) {
    return files.stream()
        .flatMap(file -> pattern.matcher(text(file)).results())
        .map(it -> it.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<Path> sources() throws IOException {
    try (var files = Files.walk(MAIN)) {
      return files.filter(it -> it.toString().endsWith(".java")).sorted().toList();
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
