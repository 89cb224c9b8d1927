package io.offheap.hbase.operator.page;

import io.fabric8.kubernetes.api.model.Condition;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.RolloutStatus;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.deploy.Role;
import io.offheap.hbase.operator.deploy.WebPages;
import io.offheap.hbase.operator.report.RecentEvents;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One cluster.
 *
 * @param row its row in the list
 * @param created when its resource was created
 * @param generation generation of the spec
 * @param observedGeneration generation that the status describes; null without a status
 * @param paused whether the cluster is paused
 * @param conditions of the resource
 * @param groups region server groups with a plan
 * @param servers region servers
 * @param rollout the running rollout; null if there is none
 * @param lastRollout the last rollout that has ended; null if there was none
 * @param rolledBack changes that were rolled back
 * @param tuning tuning of each group
 * @param webPages HBase's own pages, if they are declared
 * @param events the operator's events since it began to lead, the newest first
 */
@RecordBuilder
record ClusterView(
    ClusterRow row,
    String created,
    Long generation,
    Long observedGeneration,
    boolean paused,
    List<Condition> conditions,
    List<GroupView> groups,
    List<HBaseClusterStatus.RegionServer> servers,
    RolloutView rollout,
    RolloutView lastRollout,
    List<RolloutStatus.RolledBack> rolledBack,
    List<TuningView> tuning,
    List<OwnPage> webPages,
    List<RecentEvents.Entry> events) {

  /**
   * HBase's own pages of a role. They are inside the Kubernetes cluster, which a browser need not
   * be: it opens them through a port-forward.
   *
   * @param title whose pages
   * @param command that makes the link work
   * @param link where they are then
   */
  record OwnPage(String title, String command, String link) {
    static OwnPage of(String namespace, WebPages pages) {
      return new OwnPage(
          pages.role() == Role.MASTER ? "Masters" : "Region servers",
          "kubectl port-forward -n %s service/%s %d"
              .formatted(namespace, pages.service(), pages.port()),
          "http://localhost:" + pages.port() + pages.path());
    }
  }

  static ClusterView of(
      HBaseCluster cluster, OptionalDouble heapShare, List<RecentEvents.Entry> events) {
    var status = Optional.ofNullable(cluster.getStatus()).orElseGet(HBaseClusterStatus::empty);
    var metadata = cluster.getMetadata();
    var annotations = Objects.requireNonNullElse(metadata.getAnnotations(), Map.of());
    return ClusterViewBuilder.builder()
        .row(ClusterRow.of(cluster, heapShare))
        .created(metadata.getCreationTimestamp())
        .generation(metadata.getGeneration())
        .observedGeneration(status.observedGeneration())
        .paused("true".equals(annotations.get(Labels.PAUSED)))
        .conditions(ClusterState.conditions(status))
        .groups(GroupView.of(cluster))
        .servers(list(status.regionServers()))
        .rollout(RolloutView.of(status))
        .lastRollout(RolloutView.last(status))
        .rolledBack(list(status.rolledBack()))
        .tuning(TuningView.of(status))
        .webPages(
            WebPages.of(cluster).stream()
                .map(it -> OwnPage.of(metadata.getNamespace(), it))
                .toList())
        .events(events)
        .build();
  }

  private static <T> List<T> list(List<T> maybe) {
    return Objects.requireNonNullElse(maybe, List.of());
  }
}
