package io.offheap.hbase.operator.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The tables of {@code docs/metrics-and-events.md}. */
final class ReferencePage {
  private static final Path FILE = Path.of("../docs/metrics-and-events.md");
  private static final Pattern NAME = Pattern.compile("`(\\w+)`");
  private static final Pattern SEPARATOR = Pattern.compile("\\|( --- \\|)+");
  private static final String WAITS = "(#what-a-rollout-waits-for)";

  private final List<Table> tables = new ArrayList<>();

  /**
   * A table.
   *
   * @param heading of its section
   * @param introduction the last text before it
   * @param head its first row
   * @param rows all other rows
   */
  private record Table(
      String heading, String introduction, List<String> head, List<List<String>> rows) {
    Set<String> names(int column) {
      return rows.stream()
          .flatMap(it -> ReferencePage.names(it.get(column)).stream())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private ReferencePage() {}

  static ReferencePage read() throws IOException {
    var page = new ReferencePage();
    var lines = Files.readAllLines(FILE, UTF_8);
    var heading = "";
    var introduction = "";
    for (int i = 0; i < lines.size(); i++) {
      var line = lines.get(i);
      if (line.startsWith("#")) {
        heading = line.replaceFirst("#+ ", "");
      } else if (line.startsWith("|")) {
        assertThat(lines.get(i + 1)).matches(SEPARATOR);
        var rows = new ArrayList<List<String>>();
        for (i += 2; i < lines.size() && lines.get(i).startsWith("|"); i++) {
          rows.add(cells(lines.get(i)));
        }
        page.tables.add(new Table(heading, introduction, cells(line), rows));
      } else if (!line.isBlank()) {
        introduction = line;
      }
    }
    return page;
  }

  private static List<String> cells(String row) {
    return List.of(row.substring(1, row.lastIndexOf('|')).split("\\|", -1)).stream()
        .map(String::strip)
        .toList();
  }

  static Set<String> names(String text) {
    return NAME.matcher(text)
        .results()
        .map(it -> it.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private Table only(String heading, String introduction) {
    var found =
        tables.stream()
            .filter(it -> it.heading().equals(heading))
            .filter(it -> it.introduction().startsWith(introduction))
            .toList();
    assertThat(found).as("tables in section %s after '%s'", heading, introduction).hasSize(1);
    return found.get(0);
  }

  private List<List<String>> metricRows() {
    return tables.stream()
        .filter(it -> it.head().get(0).equals("Metric"))
        .flatMap(it -> it.rows().stream())
        .toList();
  }

  Set<String> metrics() {
    return metricRows().stream()
        .flatMap(it -> names(it.get(0)).stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * The labels of each metric, and their values; none if the page has them at another place. A cell
   * has the names of the labels, a colon if the last of them has values, and these.
   */
  Map<String, Map<String, Set<String>>> labels() {
    var all = new TreeMap<String, Map<String, Set<String>>>();
    for (var row : metricRows()) {
      var parts = row.get(1).split(":", 2);
      var labels = new TreeMap<String, Set<String>>();
      for (var label : parts[0].split(",", -1)) {
        names(label).forEach(it -> labels.put(it, Set.of()));
        if (parts.length == 2 && parts[0].endsWith(label)) {
          labels.put(
              names(label).iterator().next(), parts[1].contains(WAITS) ? waits() : names(parts[1]));
        }
      }
      names(row.get(0)).forEach(it -> all.put(it, labels));
    }
    return all;
  }

  Set<String> events() {
    return only("Events", "").names(0);
  }

  Set<String> conditions() {
    return conditionTable().names(0);
  }

  Set<String> reasons() {
    return conditionTable().names(1);
  }

  private Table conditionTable() {
    return only("Conditions", "When each is");
  }

  Set<String> rollbacks() {
    return only("Conditions", "`status.rolledBack[*].reason`").names(0);
  }

  Set<String> activities() {
    return only("Conditions", "`status.tuning.groups[*].reason`").names(0);
  }

  Set<String> waits() {
    return only("What a rollout waits for", "").names(0);
  }

  Set<String> lines() {
    return only("Log", "").names(0);
  }

  /** Keys of lines, but for those of each line. */
  Set<String> keys() {
    return only("Log", "").names(2);
  }
}
