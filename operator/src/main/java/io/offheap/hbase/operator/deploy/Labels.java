package io.offheap.hbase.operator.deploy;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.ServerGroup;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

  /** {@link DeclaredHash} of a pod. */
  public static final String DECLARED_HASH = "hbase.offheap.io/declared-hash";

  /** On a cluster: another value restarts its region servers and masters. On a pod: its value. */
  public static final String RESTARTED_AT = "hbase.offheap.io/restartedAt";

  /** On a pod, {@code "true"}: requests its restart. */
  public static final String RESTART = "hbase.offheap.io/restart";

  /** On a cluster, {@code "true"}: no restart begins. */
  public static final String PAUSED = "hbase.offheap.io/paused";

  /** On a cluster, the id of a recommendation of tuning: it is approved. */
  public static final String APPLY_TUNING = "hbase.offheap.io/apply-tuning";

  /** On a cluster, the id of a recommendation of tuning: it is dismissed. */
  public static final String DISMISS_TUNING = "hbase.offheap.io/dismiss-tuning";

  /** Group of a region server's pod. */
  public static final String GROUP = "hbase.offheap.io/group";

  /** The default group's name in labels; no other group may have it. */
  private static final String DEFAULT_GROUP = "default";

  private static final String NAME = "app.kubernetes.io/name";
  private static final String HBASE = "hbase";

  private static final Set<String> KNOWN = Set.of(NAME, INSTANCE, MANAGED_BY, COMPONENT, GROUP);

  private Labels() {}

  /** Those of an object's labels that this operator reads. */
  static Map<String, String> known(Map<String, String> labels) {
    var known = new TreeMap<String, String>();
    if (labels != null) {
      KNOWN.stream().filter(labels::containsKey).forEach(it -> known.put(it, labels.get(it)));
    }
    return known;
  }

  /** Labels of every object of a cluster. */
  static Map<String, String> of(HBaseCluster cluster) {
    var labels = new TreeMap<String, String>();
    labels.put(NAME, HBASE);
    labels.put(INSTANCE, cluster.getMetadata().getName());
    labels.put(MANAGED_BY, OPERATOR);
    return labels;
  }

  /** Whether an object has the labels of a cluster's objects. */
  public static boolean isOf(HasMetadata object, HBaseCluster cluster) {
    var labels = object.getMetadata().getLabels();
    return labels != null && labels.entrySet().containsAll(of(cluster).entrySet());
  }

  /** Whether an object has the labels of the objects of a cluster's role. */
  public static boolean isOf(HasMetadata object, HBaseCluster cluster, Role role) {
    return isOf(object, cluster)
        && role.text().equals(object.getMetadata().getLabels().get(COMPONENT));
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

  /** Group of a region server's pod, empty for the default group. */
  public static String groupOf(HasMetadata pod) {
    var group = pod.getMetadata().getLabels().get(GROUP);
    return group == null || group.equals(DEFAULT_GROUP) ? ServerGroup.DEFAULT : group;
  }

  /**
   * Whether the StatefulSet of {@link #statefulSetOf(Map)} selects a pod with these labels of a
   * cluster's role: it never adopts another.
   */
  static boolean isSelected(Map<String, String> labels) {
    return HBASE.equals(labels.get(NAME))
        && OPERATOR.equals(labels.get(MANAGED_BY))
        && (!Role.REGIONSERVER.text().equals(labels.get(COMPONENT)) || labels.get(GROUP) != null);
  }

  /** Name of the StatefulSet whose pods have these labels. */
  static Optional<String> statefulSetOf(Map<String, String> labels) {
    if (labels == null || labels.get(INSTANCE) == null || !Role.isName(labels.get(COMPONENT))) {
      return Optional.empty();
    }
    var group = labels.getOrDefault(GROUP, DEFAULT_GROUP);
    return Optional.of(
        labels.get(INSTANCE)
            + "-"
            + labels.get(COMPONENT)
            + (group.equals(DEFAULT_GROUP) ? "" : "-" + group));
  }

  /** Name of the StatefulSet that a pod belongs to. */
  public static String statefulSetOf(HasMetadata pod) {
    var name = pod.getMetadata().getName();
    return name.substring(0, name.lastIndexOf('-'));
  }

  /** A pod's number in its StatefulSet. */
  public static int ordinalOf(HasMetadata pod) {
    return ordinalOf(pod.getMetadata().getName());
  }

  /** The number in a pod's name. */
  public static int ordinalOf(String pod) {
    return Integer.parseInt(pod.substring(pod.lastIndexOf('-') + 1));
  }

  /** Whether an object belongs to a role. */
  public static boolean isRole(HasMetadata object, Role role) {
    var labels = object.getMetadata().getLabels();
    return labels != null && role.text().equals(labels.get(COMPONENT));
  }

  /**
   * The last requested restart: of a cluster's servers, or the one that a pod was created after.
   */
  public static Optional<String> restartedAt(HasMetadata object) {
    return Optional.ofNullable(object.getMetadata().getAnnotations())
        .map(annotations -> annotations.get(RESTARTED_AT));
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
