package io.offheap.hbase.operator.cli;

import io.offheap.hbase.operator.plan.JvmKeys;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.Names;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Texts;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds a plan's settings by name, in any common spelling. */
final class KeyNames {
  private static final int SUGGESTIONS = 3;

  /** Limit for names that are compared; no key is as long. */
  private static final int LONGEST = 100;

  /** {@code -XX:+UseG1GC}, {@code -XX:MaxGCPauseMillis=50}, {@code -Dname=value}. */
  private static final Pattern FLAG = Pattern.compile("-(?:XX:[+-]?|D)([^=]+)(?:=.*)?");

  private static final Pattern SIZE = Pattern.compile("-?(Xm[snx]|Xss)\\w*");
  private static final Pattern LOG = Pattern.compile("-?(" + JvmKeys.LOG + ")(?::.*)?");

  private KeyNames() {}

  /** The setting of a property or JVM option, in any spelling. */
  static Optional<Setting> find(MemoryPlan plan, String name) {
    var plain = plain(name);
    return plan.settings().stream()
        .filter(setting -> setting.name().equals(name) || setting.name().equals(plain))
        .findFirst();
  }

  private static String plain(String name) {
    for (Pattern pattern : List.of(FLAG, SIZE, LOG)) {
      var match = pattern.matcher(name);
      if (match.matches()) {
        return match.group(1);
      }
    }
    return name;
  }

  /** The keys of a plan that are nearest to an unknown name, the nearest first. */
  static List<String> nearest(MemoryPlan plan, String name) {
    var wanted = Texts.cut(plain(name), LONGEST).toLowerCase(Locale.ROOT);
    return plan.settings().stream()
        .map(Setting::name)
        .sorted(Comparator.comparing(key -> distance(wanted, key.toLowerCase(Locale.ROOT))))
        .limit(SUGGESTIONS)
        .toList();
  }

  /** A part of a name is nearer than a name with other letters. */
  private static int distance(String wanted, String key) {
    return key.contains(wanted) ? 0 : Names.distance(wanted, key);
  }
}
