package io.offheap.hbase.operator.cli;

import io.offheap.hbase.operator.cli.Finding.Severity;
import io.offheap.hbase.operator.cli.Machine.Fact;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The table of {@code check}. */
final class CheckTable {
  private CheckTable() {}

  static String of(CheckReport report) {
    var text = new StringBuilder("configuration " + report.folder() + "\n\n");
    row(text, "read", String.join(", ", report.files()));
    row(text, "heap", report.heap());
    row(text, "off-heap", report.offHeap());
    row(text, "cache", report.mode());
    row(text, "given", facts(report, fact -> !fact.isAssumed()));
    row(text, "assumed", facts(report, Fact::isAssumed));
    row(text, "takes", report.memory());
    row(text, "derived", report.derivedFor());
    append(text, "errors: refused by the planner", report.findings(), Severity.error);
    append(text, "warnings: other than derived", report.findings(), Severity.warning);
    append(text, "not understood", report.findings(), Severity.unclear);
    if (report.cacheMode() != null) {
      text.append('\n').append(AdviceTable.of(report.cacheMode()));
    }
    return text.append('\n')
        .append(count(report.errors(), "error"))
        .append(", ")
        .append(count(report.warnings(), "warning"))
        .append(", ")
        .append(report.unclear())
        .append(" not understood; ")
        .append(count(report.asDerived(), "value"))
        .append(" as derived\n")
        .toString();
  }

  private static String facts(CheckReport report, Predicate<Fact> which) {
    return report.facts().stream()
        .filter(which)
        .map(fact -> fact.option() + " " + fact.value())
        .collect(Collectors.joining(" "));
  }

  private static String count(long count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }

  private static void row(StringBuilder text, String name, String value) {
    if (value != null && !value.isEmpty()) {
      text.append(String.format("  %-8s  %s%n", name, value).replace("\r\n", "\n"));
    }
  }

  private static void append(
      StringBuilder text, String heading, List<Finding> findings, Severity severity) {
    var rows = findings.stream().filter(it -> it.severity() == severity).toList();
    if (rows.isEmpty()) {
      return;
    }
    text.append('\n').append(heading).append('\n');
    for (Finding finding : rows) {
      text.append("  ").append(finding.key());
      if (severity != Severity.unclear && !finding.key().startsWith("--")) {
        text.append(" = ").append(finding.value() == null ? "not set" : finding.value());
      }
      text.append("  (").append(finding.place()).append(")");
      if (finding.derived() != null) {
        text.append(" -> ").append(finding.derived());
      }
      text.append("\n    ").append(finding.message()).append('\n');
    }
  }
}
