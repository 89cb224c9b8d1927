package io.offheap.hbase.operator.deploy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.CapabilitiesBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.offheap.hbase.operator.api.HBaseClusterSpec;
import io.offheap.hbase.operator.api.HdfsServerSpec;
import io.offheap.hbase.operator.api.StorageSpec;
import io.offheap.hbase.operator.api.ZooKeeperSpec;
import io.offheap.hbase.operator.declare.PodTemplateMerge;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Merges the declared pod template of a role into the operator's template. {@link
 * io.offheap.hbase.operator.declare.PodTemplateChecks} has checked it before.
 */
final class DeclaredPods {
  private static final ObjectMapper JSON = new ObjectMapper();

  private DeclaredPods() {}

  /** The declared pod template of a role that a cluster has once. */
  static Optional<JsonNode> of(HBaseClusterSpec spec, Role role) {
    var hdfs = Optional.ofNullable(spec.storage().managed());
    return switch (role) {
      case MASTER -> Optional.ofNullable(spec.masters().podTemplate());
      case ZOOKEEPER ->
          Optional.ofNullable(spec.zookeeper().managed()).map(ZooKeeperSpec.Managed::podTemplate);
      case NAMENODE -> hdfs.map(StorageSpec.Managed::nameNode).map(HdfsServerSpec::podTemplate);
      case DATANODE -> hdfs.map(StorageSpec.Managed::dataNode).map(HdfsServerSpec::podTemplate);
      case REGIONSERVER -> throw new IllegalArgumentException("each group has its own");
    };
  }

  /**
   * The template of a role's pods.
   *
   * @param labels the pods' labels, for topology constraints without a selector
   */
  static PodTemplateSpec over(
      PodTemplateSpec planned, JsonNode declared, Map<String, String> labels) {
    var ours =
        Set.copyOf(planned.getSpec().getContainers().stream().map(Container::getName).toList());
    PodTemplateSpec merged;
    try {
      merged =
          JSON.treeToValue(
              PodTemplateMerge.over(declared, JSON.valueToTree(planned)), PodTemplateSpec.class);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a template that was checked cannot be read", e);
    }
    selectOwnPods(merged.getSpec(), labels);
    Stream.of(merged.getSpec().getContainers(), merged.getSpec().getInitContainers())
        .flatMap(List::stream)
        .filter(it -> !ours.contains(it.getName()))
        .forEach(
            it -> {
              dropPrivileges(it);
              // A part of a port's key; the API server sets it otherwise.
              it.getPorts().stream()
                  .filter(port -> port.getProtocol() == null)
                  .forEach(port -> port.setProtocol("TCP"));
            });
    return merged;
  }

  /** A topology constraint without a selector would have no effect. */
  private static void selectOwnPods(PodSpec pod, Map<String, String> labels) {
    pod.getTopologySpreadConstraints().stream()
        .filter(it -> it.getLabelSelector() == null)
        .forEach(
            it -> it.setLabelSelector(new LabelSelectorBuilder().withMatchLabels(labels).build()));
  }

  /** Sets the security context of the operator's containers where none is declared. */
  private static void dropPrivileges(Container container) {
    var context =
        Optional.ofNullable(container.getSecurityContext()).orElseGet(SecurityContext::new);
    if (context.getAllowPrivilegeEscalation() == null
        && !Boolean.TRUE.equals(context.getPrivileged())) {
      context.setAllowPrivilegeEscalation(false);
    }
    if (context.getCapabilities() == null) {
      context.setCapabilities(new CapabilitiesBuilder().withDrop("ALL").build());
    }
    container.setSecurityContext(context);
  }
}
