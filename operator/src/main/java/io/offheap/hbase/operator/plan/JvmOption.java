package io.offheap.hbase.operator.plan;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A parsed JVM option, so that two spellings of one option are equal.
 *
 * @param name HotSpot's name of the flag, {@code Xmx}, {@code Xms}, {@code Xlog}, or a system
 *     property's name where that has a dot; anything else as given to {@code java}
 * @param value its value; {@code true} or {@code false} for a switch
 */
public record JvmOption(String name, String value) {
  private static final Pattern REMOVED =
      Pattern.compile(
          "(?:Use)?CMS\\w+|UseConcMarkSweepGC|UseParNewGC|UseParallelOldGC|ParallelCMSThreads"
              + "|ExplicitGCInvokesConcurrentAndUnloadsClasses"
              + "|PrintGC(?:DateStamps|TimeStamps|Cause|Application(?:Stopped|Concurrent)Time)"
              + "|Print(?:TenuringDistribution|HeapAtGC|AdaptiveSizePolicy|ReferenceGC)"
              + "|Print(?:PromotionFailure|ClassHistogram(?:Before|After)FullGC|JNIGCStalls)"
              + "|Print(?:SafepointStatistics(?:Count)?|FLSStatistics)"
              + "|UseGCLogFileRotation|NumberOfGCLogFiles|GCLogFileSize"
              + "|(?:Max)?PermSize|AggressiveOpts|UseFastAccessorMethods|UseAdaptiveGCBoundary"
              + "|Trace(?:ClassUnloading|MonitorInflation)|UnlockCommercialFeatures"
              + "|G1(?:LogLevel|PrintHeapRegions|SummarizeRSetStats|TraceConcRefinement)"
              + "|UseCGroupMemoryLimitForHeap");

  private static final Pattern SWITCH = Pattern.compile("-XX:([+-])(\\w+)");
  private static final Pattern FLAG = Pattern.compile("-XX:(\\w+)=(\\S+)");
  private static final Pattern SIZE = Pattern.compile("-(Xm[snx]|Xss)(\\w+)");
  private static final Pattern LOG = Pattern.compile("-(" + JvmKeys.LOG + "):(\\S+)");

  /** No white space, which would separate two options. */
  private static final Pattern PROPERTY = Pattern.compile("-D([^=\\s]+)(?:=(\\S*))?");

  /** Options that have the name of a flag here, but another spelling. */
  private static final Set<String> OWN_SYNTAX =
      Set.of(JvmKeys.HEAP_AT_START.name(), JvmKeys.HEAP.name(), JvmKeys.LOG.name(), "Xmn", "Xss");

  private static final Pattern OTHER =
      Pattern.compile(
          "-X(?:batch|check:jni|comp|debug|diag|future|int|mixed|noclassgc|rs|showSettings(?::\\w+)?)"
              + "|-X(?:share:(?:auto|off|on)|verify(?::(?:all|none|remote))?)"
              + "|-X(?:bootclasspath/a:|loggc:|runjdwp:?)\\S*|-server"
              + "|-(?:javaagent|agentlib|agentpath|verbose):\\S+"
              + "|--add-(?:opens|exports|modules|reads)=\\S+"
              + "|-(?:[ed]a|(?:en|dis)ableassertions)(?::\\S+)?"
              + "|-(?:[ed]sa|(?:en|dis)ablesystemassertions)");

  /** Whether it is a {@code -XX} option, which the JVM's table lists. */
  boolean isFlag() {
    return name.matches("\\w+") && !OWN_SYNTAX.contains(name);
  }

  /** The name of an option; the whole text where it is not an option. */
  public static String nameOf(String text) {
    return parse(text).map(JvmOption::name).orElse(text);
  }

  /** Whether a JDK 17 stops at an option of this name, which older versions had. */
  public static boolean isRemoved(String name) {
    return REMOVED.matcher(name).matches();
  }

  static Optional<JvmOption> parse(String text) {
    Matcher match = SWITCH.matcher(text);
    if (match.matches()) {
      var on = Boolean.toString(match.group(1).equals("+"));
      return Optional.of(new JvmOption(match.group(2), on));
    }
    for (Pattern keyAndValue : new Pattern[] {FLAG, SIZE, LOG}) {
      match = keyAndValue.matcher(text);
      if (match.matches()) {
        return Optional.of(new JvmOption(hotSpotName(match.group(1)), match.group(2)));
      }
    }
    match = PROPERTY.matcher(text);
    if (match.matches()) {
      var name = match.group(1);
      var value = match.group(2) == null ? "" : match.group(2);
      return Optional.of(new JvmOption(name.contains(".") ? name : "-D" + name, value));
    }
    return OTHER.matcher(text).matches() ? Optional.of(new JvmOption(text, "")) : Optional.empty();
  }

  /** Flags with a short form such as {@code -Xmx}; of both forms the last one is effective. */
  private static String hotSpotName(String name) {
    return switch (name) {
      case "MaxHeapSize" -> JvmKeys.HEAP.name();
      case "InitialHeapSize", "MinHeapSize" -> JvmKeys.HEAP_AT_START.name();
      default -> name;
    };
  }

  /** The option as given to {@code java}. */
  static String text(String name, String value) {
    if (name.startsWith("-")) {
      return value.isEmpty() ? name : name + "=" + value;
    }
    if (name.contains(".")) {
      return "-D" + name + "=" + value;
    }
    if (name.equals(JvmKeys.LOG.name())) {
      return "-" + name + ":" + value;
    }
    if (name.startsWith("Xm") || name.equals("Xss")) {
      return "-" + name + value;
    }
    return switch (value) {
      case "true" -> "-XX:+" + name;
      case "false" -> "-XX:-" + name;
      default -> "-XX:" + name + "=" + value;
    };
  }
}
