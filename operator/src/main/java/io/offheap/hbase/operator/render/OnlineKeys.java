package io.offheap.hbase.operator.render;

import io.offheap.hbase.operator.plan.Keys;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Target;
import java.util.List;

/**
 * The part of a plan that a running region server applies, in a file of its own. The registry of
 * keys lists these values ({@link io.offheap.hbase.operator.plan.Key#online}).
 */
public final class OnlineKeys {
  /** The file with these values. */
  public static final String FILE = "hbase-online.xml";

  /** The property with the hash of the effective values. */
  public static final String REVISION = "hbase.offheap.online.revision";

  private OnlineKeys() {}

  /** Whether a running region server applies this value. */
  public static boolean contains(Target target, String key, String value) {
    return Keys.find(target, key).filter(it -> it.online().test(value.strip())).isPresent();
  }

  /** The part of a plan that a running region server applies. */
  public static MemoryPlan online(MemoryPlan plan) {
    return part(plan, true);
  }

  /** The part of a plan with which a region server is started. */
  public static MemoryPlan atStart(MemoryPlan plan) {
    return part(plan, false);
  }

  private static MemoryPlan part(MemoryPlan plan, boolean online) {
    List<Setting> settings =
        plan.settings().stream()
            .filter(it -> contains(it.target(), it.name(), it.text()) == online)
            .toList();
    return new MemoryPlan(settings, online ? List.of() : plan.budget());
  }
}
