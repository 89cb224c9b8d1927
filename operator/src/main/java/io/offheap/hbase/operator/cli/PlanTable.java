package io.offheap.hbase.operator.cli;

import io.offheap.hbase.operator.plan.BudgetItem;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Target;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The table of plans. */
final class PlanTable {
  private static final int LONGEST_VALUE = 24;

  private PlanTable() {}

  /** The plans of groups; several have a heading each. */
  static String of(List<AdvisedPlan> plans) {
    if (plans.size() == 1) {
      return of(plans.get(0));
    }
    return plans.stream()
        .map(it -> "group " + GroupTitle.of(it.plan().group()) + "\n\n" + of(it))
        .collect(Collectors.joining("\n"));
  }

  private static String of(AdvisedPlan advised) {
    return of(advised.plan().plan())
        + advised.advice().map(it -> "\n" + AdviceTable.of(it)).orElse("");
  }

  private static String of(MemoryPlan plan) {
    var text = new StringBuilder("plan " + plan.hash() + "\n");
    for (Target target : Target.values()) {
      var settings =
          plan.settings().stream().filter(setting -> setting.target() == target).toList();
      text.append('\n').append(target.text()).append('\n');
      int key = width(settings);
      settings.forEach(setting -> text.append(row(setting, key)));
    }
    return text.append('\n').append("container memory\n").append(budget(plan)).toString();
  }

  private static int width(List<Setting> settings) {
    return settings.stream().mapToInt(setting -> setting.name().length()).max().orElse(1);
  }

  private static String row(Setting setting, int keyWidth) {
    // A long value has a line of its own, so that the reasons of the others keep their column.
    var format =
        setting.text().length() <= LONGEST_VALUE
            ? "  %-" + keyWidth + "s  %-" + LONGEST_VALUE + "s  %s [%s]\n"
            : "  %-"
                + keyWidth
                + "s  %s\n"
                + " ".repeat(keyWidth + LONGEST_VALUE + 6)
                + "%s [%s]\n";
    return String.format(
        Locale.ROOT, format, setting.name(), setting.text(), setting.sentence(), setting.origin());
  }

  private static String budget(MemoryPlan plan) {
    var text = new StringBuilder();
    for (BudgetItem item : plan.budget()) {
      if (item.bytes() > 0) {
        text.append(budgetRow(item.item(), item.bytes()));
      }
    }
    return text.append(budgetRow("= container", plan.containerMemoryBytes())).toString();
  }

  private static String budgetRow(String item, long bytes) {
    return String.format(
        Locale.ROOT, "  %-24s %,18d bytes %12.1f MiB\n", item, bytes, bytes / 1048576.0);
  }
}
