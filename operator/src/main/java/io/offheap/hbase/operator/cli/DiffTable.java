package io.offheap.hbase.operator.cli;

import io.offheap.hbase.operator.cli.PlanDiff.Change;
import io.offheap.hbase.operator.cli.PlanDiff.Effect;
import io.offheap.hbase.operator.plan.Target;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The table of a difference of plans; its last line states whether region servers restart. */
final class DiffTable {
  private static final int LONGEST_VALUE = 24;
  private static final String NONE = "(none)";

  private final List<Change> changes;
  private final int keyWidth;
  private final int oldWidth;
  private final int newWidth;

  private DiffTable(List<Change> changes) {
    this.changes = changes;
    var inOneRow = changes.stream().filter(change -> !isLong(change)).toList();
    keyWidth = width(changes, Change::key);
    oldWidth = width(inOneRow, Change::oldValue);
    newWidth = width(inOneRow, Change::newValue);
  }

  /**
   * The table.
   *
   * @param othersRestart whether pods restart for what is in no plan
   */
  static String of(PlanDiff diff, boolean othersRestart) {
    if (diff.changes().isEmpty()) {
      return "plan "
          + diff.newHash()
          + "\n\nthe plans are the same"
          + (othersRestart ? "\n" : "; no restart is needed\n");
    }
    var text = new StringBuilder("plan " + diff.oldHash() + " -> " + diff.newHash() + "\n");
    var table = new DiffTable(diff.changes());
    for (Target target : Target.values()) {
      table.append(target, text);
    }
    return text.append('\n').append(conclusion(diff, othersRestart)).append('\n').toString();
  }

  private void append(Target target, StringBuilder text) {
    var rows = changes.stream().filter(change -> change.target() == target).toList();
    if (!rows.isEmpty()) {
      text.append('\n').append(target.text()).append('\n');
      rows.forEach(change -> text.append(row(change)));
    }
  }

  private String row(Change change) {
    // A long value has a line of its own, so that the others keep their columns.
    var format =
        isLong(change)
            ? "  %1$-" + keyWidth + "s  %4$s\n    %2$s\n    -> %3$s\n"
            : "  %1$-" + keyWidth + "s  %2$-" + oldWidth + "s -> %3$-" + newWidth + "s  %4$s\n";
    return String.format(
        Locale.ROOT,
        format,
        change.key(),
        value(change.oldValue()),
        value(change.newValue()),
        change.effect());
  }

  private static String conclusion(PlanDiff diff, boolean othersRestart) {
    if (!diff.restart()) {
      return (othersRestart ? "no region server restarts" : "no restart is needed")
          + ": HBase applies every change online, by update_all_config";
    }
    long needed =
        diff.changes().stream().filter(change -> change.effect() == Effect.restart).count();
    return "region servers must restart: "
        + needed
        + " of "
        + diff.changes().size()
        + (diff.changes().size() == 1 ? " change needs it" : " changes need it");
  }

  private static boolean isLong(Change change) {
    return value(change.oldValue()).length() > LONGEST_VALUE
        || value(change.newValue()).length() > LONGEST_VALUE;
  }

  private static int width(List<Change> changes, Function<Change, String> column) {
    return changes.stream().map(column).mapToInt(text -> value(text).length()).max().orElse(1);
  }

  private static String value(String value) {
    return value == null ? NONE : value;
  }
}
