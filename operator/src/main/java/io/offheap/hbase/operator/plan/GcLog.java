package io.offheap.hbase.operator.plan;

import java.util.regex.Pattern;

/**
 * The GC log, by unified logging. A JVM does not start with an unknown tag, level or decorator, nor
 * with a file that it cannot write, so a declared selection is parsed.
 */
final class GcLog {
  private static final String TAGS =
      "(?:all|age|alloc|annotation|barrier|class|codecache|compaction|compilation|cpu|cset|ergo"
          + "|exceptions|exit|gc|heap|humongous|ihop|init|jit|jni|load|logging|marking|metaspace"
          + "|monitorinflation|nmethod|os|pagesize|phases|plab|ref|refine|region|reloc|remset"
          + "|safepoint|start|startuptime|state|stats|stringdedup|stringtable|sweep|system|task"
          + "|thread|time|tlab|tracking|unload|vmoperation|vmthread|workgang)";

  private static final String SELECTION =
      TAGS + "(?:\\+" + TAGS + ")*\\*?(?:=(?:off|trace|debug|info|warning|error))?";

  private static final String DECORATORS =
      "(?:(?:time|t|utctime|utc|uptime|u|timemillis|tm|uptimemillis|um|timenanos|tn|uptimenanos|un"
          + "|hostname|hn|pid|p|tid|ti|level|l|tags|tg)(?:,(?![:$])|(?=:|$)))+";

  private static final Pattern VALID =
      Pattern.compile(
          "disable|"
              + SELECTION
              + "(?:,"
              + SELECTION
              + ")*(?::(?:stdout|stderr|file=/[^\\s:]+)?(?::(?:none|"
              + DECORATORS
              + ")?(?::(?:file(?:count|size)=\\d{1,6}[kmgKMG]?(?:,(?!$)|$))+)?)?)?");

  /** Limit of the text: a pattern with repeated groups takes stack for each character. */
  private static final int LONGEST = 1000;

  private GcLog() {}

  static void derive(Draft draft) {
    var selection =
        draft.value(
            JvmKeys.LOG,
            "gc*,gc+age=debug,gc+ihop=debug:stdout:uptime,level,tags",
            Sentence.of("unified logging; JDK 17 does not start with the old Print options"),
            "JDK 17");
    if (selection.value().length() > LONGEST || !VALID.matcher(selection.value()).matches()) {
      draft.problem(
          selection.field(),
          "-"
              + JvmKeys.LOG
              + ":"
              + selection.value()
              + " is not a selection of a JDK 17; must be tags, levels and decorators as"
              + " in gc*,gc+age=debug:stdout:uptime,level,tags");
    }
  }
}
