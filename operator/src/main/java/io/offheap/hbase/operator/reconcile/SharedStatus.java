package io.offheap.hbase.operator.reconcile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.util.List;
import java.util.stream.Stream;

/**
 * A status that others have written to as well, as a person who edits it, or a tool that restores a
 * backup with its status.
 *
 * <p>The status is written by server-side apply, which removes a field that is no longer in it only
 * where no other field manager owns that field too: a rollout that is over would stay there, in
 * whole or in part. A shared status is therefore replaced as a whole, and stays shared: such a
 * write owns what it changed beside what the operator applied before.
 */
public final class SharedStatus {
  /** The controller, which is also the field manager of its writes. */
  static final String OPERATOR = "hbasecluster";

  private static final String STATUS = "status";

  private SharedStatus() {}

  /**
   * Whether others have written to the status between two states of a cluster. The operator then
   * reads and writes it again.
   */
  public static boolean isChangedByOthers(HBaseCluster now, HBaseCluster before) {
    return !others(now).equals(others(before));
  }

  /**
   * Writes the status of an update if it is shared.
   *
   * @param read the cluster that the reconciliation began with
   * @return what is left to be written
   * @throws io.fabric8.kubernetes.client.KubernetesClientException if the cluster has changed
   *     meanwhile, or the write failed
   */
  static UpdateControl<HBaseCluster> write(
      UpdateControl<HBaseCluster> control, HBaseCluster read, Context<HBaseCluster> context) {
    if (control.isNoUpdate() || entries(read).allMatch(SharedStatus::isApplied)) {
      return control;
    }
    var update = control.getResource().orElseThrow();
    var json = context.getClient().getKubernetesSerialization();
    // With the resource version: what another has written since is not overwritten unseen.
    var patch =
        JsonNodeFactory.instance
            .arrayNode()
            .add(
                operation("replace", "/metadata/resourceVersion")
                    .put("value", update.getMetadata().getResourceVersion()))
            .add(
                operation("add", "/" + STATUS)
                    .set("value", json.convertValue(update.getStatus(), JsonNode.class)));
    var written =
        context
            .getClient()
            .resource(update)
            .subresource(STATUS)
            .patch(
                new PatchContext.Builder()
                    .withPatchType(PatchType.JSON)
                    .withFieldManager(OPERATOR)
                    .build(),
                patch.toString());
    // As the framework does with what it writes itself.
    context
        .eventSourceRetriever()
        .getControllerEventSource()
        .handleRecentResourceUpdate(ResourceID.fromResource(read), written, read);
    var left = UpdateControl.<HBaseCluster>noUpdate();
    control.getScheduleDelay().ifPresent(left::rescheduleAfter);
    return left;
  }

  private static Stream<ManagedFieldsEntry> entries(HBaseCluster cluster) {
    return cluster.getMetadata().getManagedFields().stream()
        .filter(it -> STATUS.equals(it.getSubresource()));
  }

  private static boolean isApplied(ManagedFieldsEntry entry) {
    return isOwn(entry) && "Apply".equals(entry.getOperation());
  }

  private static boolean isOwn(ManagedFieldsEntry entry) {
    return OPERATOR.equals(entry.getManager());
  }

  private static List<ManagedFieldsEntry> others(HBaseCluster cluster) {
    return entries(cluster).filter(it -> !isOwn(it)).toList();
  }

  private static ObjectNode operation(String name, String path) {
    return JsonNodeFactory.instance.objectNode().put("op", name).put("path", path);
  }
}
