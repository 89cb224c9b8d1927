package io.offheap.hbase.operator.deploy;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.ServerGroup;
import java.util.Map;
import java.util.TreeMap;

/** Kubernetes' recommended labels, and the annotations of this operator. */
public final class Labels {
  public static final String MANAGED_BY = "app.kubernetes.io/managed-by";
  public static final String OPERATOR = "hbase-offheap-operator";
  public static final String INSTANCE = "app.kubernetes.io/instance";
  public static final String COMPONENT = "app.kubernetes.io/component";

  /** Informers see only what has this label, so that other objects cost no memory. */
  public static final String MANAGED_SELECTOR = MANAGED_BY + "=" + OPERATOR;

  /** Hash of the memory plan that a region server's pod was started with. */
  public static final String PLAN_HASH = "hbase.offheap.io/plan-hash";

  /** Hash of the template that a region server's pod was made from. */
  public static final String TEMPLATE_HASH = "hbase.offheap.io/template-hash";

  /** Group of a region server's pod. */
  public static final String GROUP = "hbase.offheap.io/group";

  /** The default group in labels; no other group may be called so. */
  private static final String DEFAULT_GROUP = "default";

  private static final String NAME = "app.kubernetes.io/name";

  private Labels() {}

  /** Labels of every object of a cluster. */
  static Map<String, String> of(HBaseCluster cluster) {
    var labels = new TreeMap<String, String>();
    labels.put(NAME, "hbase");
    labels.put(INSTANCE, cluster.getMetadata().getName());
    labels.put(MANAGED_BY, OPERATOR);
    return labels;
  }

  /** Labels of every object of a role. */
  static Map<String, String> of(HBaseCluster cluster, Role role) {
    var labels = of(cluster);
    labels.put(COMPONENT, role.text());
    return labels;
  }

  /** Labels of every object of a group of region servers. */
  static Map<String, String> of(HBaseCluster cluster, ServerGroup group) {
    var labels = of(cluster, Role.REGIONSERVER);
    labels.put(GROUP, group.isDefault() ? DEFAULT_GROUP : group.name());
    return labels;
  }

  /** Whether an object belongs to a role. */
  public static boolean isRole(HasMetadata object, Role role) {
    var labels = object.getMetadata().getLabels();
    return labels != null && role.text().equals(labels.get(COMPONENT));
  }

  /** Selector of the default group's pods, as text. */
  public static String defaultGroupSelector(HBaseCluster cluster) {
    return INSTANCE
        + "="
        + cluster.getMetadata().getName()
        + ","
        + COMPONENT
        + "="
        + Role.REGIONSERVER.text()
        + ","
        + GROUP
        + "="
        + DEFAULT_GROUP;
  }
}
