package io.offheap.hbase.operator.render;

import io.offheap.hbase.operator.plan.Keys;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Target;
import java.util.List;

/**
 * The part of a plan that a running region server takes over, in a file of its own. Which values
 * these are is in the registry of keys ({@link io.offheap.hbase.operator.plan.Key#online}).
 */
public final class OnlineKeys {
  /** The file that has them. */
  public static final String FILE = "hbase-online.xml";

  /** The property that names the values which are in force. */
  public static final String REVISION = "hbase.offheap.online.revision";

  private OnlineKeys() {}

  /** Whether a running region server takes this value over. */
  public static boolean contains(Target target, String key, String value) {
    return Keys.find(target, key).filter(it -> it.online().test(value.strip())).isPresent();
  }

  /** What of a plan a running region server takes over. */
  public static MemoryPlan online(MemoryPlan plan) {
    return part(plan, true);
  }

  /** What of a plan a region server is started with. */
  public static MemoryPlan atStart(MemoryPlan plan) {
    return part(plan, false);
  }

  private static MemoryPlan part(MemoryPlan plan, boolean online) {
    List<Setting> settings =
        plan.settings().stream()
            .filter(it -> contains(it.target(), it.name(), it.value()) == online)
            .toList();
    return new MemoryPlan(settings, online ? List.of() : plan.budget());
  }
}
