package io.offheap.hbase.operator.cli;

import io.offheap.hbase.operator.plan.CacheModeRule.Option;
import java.util.Locale;

/** The table of the block cache's modes for a load. */
final class AdviceTable {
  private AdviceTable() {}

  static String of(AdviceDocument advice) {
    var text = new StringBuilder("block cache mode\n");
    if (!advice.options().isEmpty()) {
      text.append(
          String.format(
              Locale.ROOT,
              "  %-10s  %14s  %6s  %s\n",
              "",
              "cached data",
              "found",
              "time of a read; 1 is the CPU time of one that OffHeap finds"));
      advice.options().forEach(it -> text.append(row(it)));
    }
    return text.append("  -> ").append(advice.reason()).append('\n').toString();
  }

  private static String row(Option option) {
    return String.format(
        Locale.ROOT,
        "  %-10s  %10.1f MiB  %4.0f %%  %14.2f\n",
        option.mode(),
        option.cachedBytes() / 1048576.0,
        option.foundShare() * 100,
        option.time());
  }
}
