package io.offheap.hbase.operator.cli;

import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Target;
import io.offheap.hbase.operator.render.HadoopXml;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Files of a plan for a region server without the operator. */
final class BareMetalFiles {
  /** Adds the options once, however often the lines are sourced. */
  private static final String GUARD =
      """
      case "$other_options" in
        *"$plan_options"*) ;;
        *) export HBASE_REGIONSERVER_OPTS="${other_options:+$other_options }$plan_options" ;;
      esac
      """;

  private BareMetalFiles() {}

  /** A script in which the guard is replaced by the command that it runs first. */
  static String withoutGuard(String script) {
    return script.replace(
        GUARD,
        "export HBASE_REGIONSERVER_OPTS="
            // As many lines as the guard has, so that messages name the correct line.
            + "\"${other_options:+$other_options }$plan_options\"\n\n\n\n");
  }

  /** Names and contents, in reading order. */
  static Map<String, String> of(MemoryPlan plan) {
    var files = new LinkedHashMap<String, String>();
    files.put("hbase-site.xml", HadoopXml.of(plan.hbaseSite()));
    files.put("jvm.options", String.join("\n", plan.jvmOptions()) + "\n");
    files.put("hbase-env.sh", environment(plan));
    return files;
  }

  /**
   * Lines for {@code hbase-env.sh}. Sourced a second time, by a script or in a shell, they add
   * nothing: an agent that is loaded twice may stop the JVM. They do not set {@code
   * HBASE_HEAPSIZE}, which would apply to masters, the shell and every client too.
   */
  private static String environment(MemoryPlan plan) {
    var options =
        plan.jvmOptions().stream()
            .map(BareMetalFiles::quoted)
            .collect(Collectors.joining(" \\\n", "\"\\\n", "\""));
    var memory =
        plan.settings().stream()
            .filter(setting -> setting.target() == Target.CONTAINER)
            .map(Setting::text)
            .collect(Collectors.joining());
    return """
    # Options of a region server by plan %s, for conf/hbase-env.sh of HBase 2.6 on JDK 17.
    # The process takes up to %s of memory.
    #
    # bin/hbase puts HBASE_REGIONSERVER_OPTS behind HBASE_OPTS and behind what it makes of
    # HBASE_HEAPSIZE and HBASE_OFFHEAPSIZE, and of two equal options java takes the last. HBASE_OPTS
    # must not choose a collector other than G1: with two of them no JVM starts.
    plan_options=%s
    other_options="${HBASE_REGIONSERVER_OPTS-}"
    %sunset plan_options other_options
    """
        .formatted(plan.hash(), memory, options, GUARD);
  }

  /** Escaped for double quotes of a shell. */
  private static String quoted(String option) {
    return option.replaceAll("([\\\\\"$`])", "\\\\$1");
  }
}
