package io.offheap.hbase.e2e;

import io.offheap.hbase.operator.plan.MemoryPlan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * A planned value beside the one that a region server runs with.
 *
 * @param pod the region server
 * @param key the option or property
 * @param planned value in the plan
 * @param running value that the process or its HTTP endpoint reports
 */
public record Comparison(String pod, String key, String planned, String running) {
  /** Whether both are the same. */
  public boolean isEqual() {
    return planned.equals(running);
  }

  /** Every value of a plan beside that of a running region server. */
  static List<Comparison> of(MemoryPlan plan, RegionServerPod server) {
    var rows = new ArrayList<Comparison>();
    var configuration = server.configuration();
    plan.hbaseSite()
        .forEach(
            (key, value) ->
                rows.add(
                    new Comparison(
                        server.name(), key, value, configuration.getOrDefault(key, "(none)"))));
    var arguments = server.arguments();
    for (String option : plan.jvmOptions()) {
      var running = arguments.contains(option) ? option : "(none)";
      rows.add(new Comparison(server.name(), name(option), option, running));
    }
    // The last of two contradicting options would win, so the order counts as well.
    boolean inOrder = Collections.indexOfSubList(arguments, plan.jvmOptions()) >= 0;
    rows.add(
        new Comparison(
            server.name(), "order of JVM options", "as planned", inOrder ? "as planned" : "other"));
    rows.add(
        new Comparison(
            server.name(),
            "container memory",
            Long.toString(plan.containerMemoryBytes()),
            Long.toString(server.memoryLimit())));
    return rows;
  }

  private static String name(String option) {
    return option.replaceFirst("^-(XX:[+-]?|D)?", "").replaceFirst("[=:].*", "");
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "  %-52s %-58s %-58s %s",
        key,
        shorten(planned),
        shorten(running),
        isEqual() ? "=" : "DIFFERS");
  }

  private static String shorten(String value) {
    return value.length() <= 58 ? value : value.substring(0, 55) + "...";
  }
}
