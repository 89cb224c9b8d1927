package io.offheap.hbase.operator.cli;

import io.offheap.hbase.operator.api.TuningStatus;
import io.offheap.hbase.operator.plan.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Tuning's part of a status as text: a section for each group of region servers. */
final class TuningTable {
  private static final int LONGEST = 200;

  private final String cluster;

  TuningTable(String cluster) {
    this.cluster = cluster;
  }

  /** The text; each line has a line end. */
  String text(TuningStatus tuning) {
    var groups = list(tuning.groups());
    return groups.isEmpty()
        ? "tuning has done nothing here: it is Disabled, it waits for servers to run the plan"
            + " (condition Progressing), or no operator has read this resource\n"
        : groups.stream().map(this::group).collect(Collectors.joining("\n"));
  }

  private String group(TuningStatus.Group group) {
    var text = new StringBuilder();
    text.append("group ")
        .append(shown(GroupTitle.of(group.name())))
        .append(": ")
        .append(shown(group.message()));
    text.append("\nchanges tried: ").append(group.trials());
    text.append(", restarts in 24 hours: ").append(group.restarts().size());
    text.append(", last change: ").append(shown(group.lastChange())).append('\n');
    values(group, text);
    trial(group.trial(), text);
    recommendation(group.recommendation(), text);
    stopped(group, text);
    history(group.history(), text);
    return text.toString();
  }

  private static void values(TuningStatus.Group group, StringBuilder text) {
    if (group.values().isEmpty()) {
      return;
    }
    var rows = new ArrayList<List<String>>();
    for (TuningStatus.Value value : group.values()) {
      rows.add(List.of(shown(value.key()), shown(value.value()), shown(value.rule())));
    }
    table(List.of("TUNED VALUE", "SET TO", "RULE"), rows, text);
  }

  private static void trial(TuningStatus.Trial trial, StringBuilder text) {
    if (trial == null) {
      return;
    }
    text.append("\non trial: ").append(values(trial.values()));
    text.append(" by ").append(shown(trial.rule()));
    text.append(", ").append(shown(trial.phase()));
    text.append(" since ").append(shown(trial.since())).append('\n');
  }

  private void recommendation(TuningStatus.Recommendation change, StringBuilder text) {
    if (change == null) {
      return;
    }
    text.append("\nwaits for approval: ").append(values(change.values()));
    text.append(" by ").append(shown(change.rule()));
    text.append(" since ").append(shown(change.since())).append('\n');
    text.append("  ").append(shown(change.reason())).append('\n');
    list(change.evidence()).forEach(it -> text.append("  ").append(shown(it)).append('\n'));
    for (var verb : List.of("approve", "dismiss")) {
      text.append("  kubectl hbc tuning ").append(shown(cluster)).append(' ').append(verb);
      text.append(' ').append(shown(change.id())).append('\n');
    }
  }

  private static void stopped(TuningStatus.Group group, StringBuilder text) {
    var rows = new ArrayList<List<String>>();
    for (TuningStatus.RuleRecord rule : group.rules()) {
      if (rule.stopped() != null) {
        rows.add(List.of(shown(rule.rule()), shown(rule.stopped()), shown(rule.suspicion())));
      }
      if (rule.dismissed() != null) {
        boolean isUnfelt = Boolean.TRUE.equals(rule.dismissed().unfelt());
        var what =
            (isUnfelt ? "not felt by clients: " : "dismissed: ")
                + values(rule.dismissed().values());
        rows.add(List.of(shown(rule.rule()), shown(rule.dismissed().at()), what));
      }
    }
    for (TuningStatus.Suspicion it : list(group.suspected())) {
      rows.add(List.of(shown(it.rule()), "-", shown(it.message())));
    }
    if (!rows.isEmpty()) {
      table(List.of("STOPPED OR SUSPECTED BY", "SINCE", "WHAT"), rows, text);
    }
  }

  /** Newest last, as in the status, so that the newest stands above the prompt. */
  private static void history(List<TuningStatus.Entry> history, StringBuilder text) {
    var rows = new ArrayList<List<String>>();
    for (TuningStatus.Entry entry : history) {
      rows.add(
          List.of(
              shown(entry.at()),
              shown(entry.event()),
              shown(entry.rule()),
              values(entry.values()),
              shown(entry.reason())));
    }
    if (rows.isEmpty()) {
      text.append("\nno history\n");
    } else {
      table(List.of("AT", "EVENT", "RULE", "VALUES", "WHY"), rows, text);
    }
  }

  private static void table(List<String> names, List<List<String>> rows, StringBuilder text) {
    var lines = new ArrayList<List<String>>(List.of(names));
    lines.addAll(rows);
    text.append('\n');
    for (List<String> line : lines) {
      var aligned = new StringBuilder();
      for (int i = 0; i < names.size(); i++) {
        int column = i;
        int width = lines.stream().mapToInt(it -> it.get(column).length()).max().orElse(0);
        aligned.append(line.get(i)).append(" ".repeat(width - line.get(i).length() + 2));
      }
      text.append(aligned.toString().stripTrailing()).append('\n');
    }
  }

  private static String values(Map<String, String> values) {
    return values == null || values.isEmpty()
        ? "-"
        : shown(
            new TreeMap<>(values)
                .entrySet().stream()
                    .map(it -> it.getKey() + "=" + it.getValue())
                    .collect(Collectors.joining(", ")));
  }

  private static <T> List<T> list(List<T> maybe) {
    return Objects.requireNonNullElse(maybe, List.of());
  }

  /** A text of a resource, on one line and without control characters. */
  private static String shown(String text) {
    return text == null || text.isEmpty()
        ? "-"
        : Texts.shown(text.lines().collect(Collectors.joining(" ")), LONGEST);
  }
}
