package io.offheap.hbase.operator.cli;

import io.offheap.hbase.operator.cli.Explanation.Change;
import io.offheap.hbase.operator.render.SettingDocument;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The table of an explanation. */
final class ExplanationTable {
  private ExplanationTable() {}

  static String of(Explanation explanation) {
    var setting = explanation.setting();
    var text = new StringBuilder();
    text.append(setting.key()).append(" (").append(setting.target()).append(")\n\n");
    append(text, "value", value(setting));
    if (explanation.option() != null) {
      append(text, "option", explanation.option());
    }
    append(text, "reason", setting.reason());
    append(text, "source", setting.source());
    text.append("\nwhat would change it\n");
    if (explanation.changes().isEmpty()) {
      text.append("  nothing that was tried\n");
    }
    var changes = explanation.changes();
    var format =
        String.format(
            Locale.ROOT,
            "  %%-%ds  %%%ds -> %%-%ds  %%s\n",
            width(changes, Change::field),
            width(changes, Change::from),
            width(changes, Change::to));
    for (Change change : changes) {
      var value = change.value() == null ? "not in the plan" : change.value();
      text.append(
          String.format(Locale.ROOT, format, change.field(), change.from(), change.to(), value));
    }
    return text.toString();
  }

  /** A size of the JVM has its unit in its text. */
  private static String value(SettingDocument setting) {
    boolean hasUnit = setting.value().equals(String.valueOf(setting.typedValue()));
    return hasUnit && !setting.unit().isEmpty()
        ? setting.value() + " " + setting.unit()
        : setting.value();
  }

  private static void append(StringBuilder text, String name, String value) {
    text.append(String.format(Locale.ROOT, "  %-6s  %s\n", name, value));
  }

  private static int width(List<Change> changes, Function<Change, String> column) {
    return changes.stream().map(column).mapToInt(String::length).max().orElse(1);
  }
}
