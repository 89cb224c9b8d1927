package io.offheap.hbase.operator.reconcile;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.deploy.ConfigMaps;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.deploy.RoleModel;
import io.offheap.hbase.operator.hbase.ClusterControl;
import io.offheap.hbase.operator.hbase.OnlineRevisions;
import io.offheap.hbase.operator.hbase.OnlineRevisions.Wanted;
import io.offheap.hbase.operator.observe.Observation;
import io.offheap.hbase.operator.observe.ObservedHBase;
import io.offheap.hbase.operator.rollout.HBaseCommand;
import io.offheap.hbase.operator.rollout.HBaseView;
import io.offheap.hbase.operator.rollout.ServerPod;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Lets running region servers reload the values that need no restart:
 *
 * <ol>
 *   <li>The dependent resources have written the values to the config map of the group. The
 *       kubelets update the pods' files at different times, and do not report it.
 *   <li>Each server reports the revision in force. If it is not the desired one, the server gets
 *       the command to reload its configuration, repeated ten seconds after the last command's end:
 *       its file may not be updated yet.
 * </ol>
 *
 * <p>No command is sent during a rollout, which has commands of its own; a restarted server has the
 * values. No command is sent to a pod that an earlier version of the operator created without the
 * config map, nor to one that does not report its revision.
 */
final class OnlineConfiguration {
  private static final Duration AGAIN_AFTER = Duration.ofSeconds(10);

  private final ClusterControl hbase;
  private final OnlineRevisions revisions;

  OnlineConfiguration(ClusterControl hbase, OnlineRevisions revisions) {
    this.hbase = hbase;
    this.revisions = revisions;
  }

  /**
   * Sends the command to servers that have not reloaded the values, and returns their pods. While
   * there are any, another reconciliation is due.
   *
   * @param isRolling whether a rollout is under way
   */
  List<String> reload(Observation observed, boolean isRolling) {
    var id = ResourceID.fromResource(observed.model().cluster());
    var wanted = observed.serverPods().stream().flatMap(pod -> wanted(pod, observed)).toList();
    var inForce = revisions.inForce(id, wanted);
    var late =
        wanted.stream()
            .filter(it -> inForce.containsKey(it.uid()))
            .filter(it -> !it.revision().equals(inForce.get(it.uid())))
            .toList();
    var reporting =
        late.stream()
            .filter(it -> !inForce.get(it.uid()).equals(OnlineRevisions.NONE))
            .map(Wanted::pod)
            .toList();
    var commands = commands(observed.hbase(), reporting);
    if (!isRolling && !commands.isEmpty() && isDue(observed.hbase())) {
      hbase.send(id, commands);
    }
    return late.stream().map(Wanted::pod).toList();
  }

  private static Stream<Wanted> wanted(ServerPod server, Observation observed) {
    return observed
        .pod(server.name())
        .filter(pod -> server.isReady())
        .flatMap(
            pod ->
                online(Labels.statefulSetOf(pod), observed)
                    .filter(it -> ConfigMaps.mounts(pod, it.configMap()))
                    .map(it -> new Wanted(server.name(), server.uid(), it.revision())))
        .stream();
  }

  private static Optional<RoleModel.Online> online(String statefulSet, Observation observed) {
    return observed.model().regionServers().stream()
        .filter(it -> it.name().equals(statefulSet))
        .findFirst()
        .flatMap(RoleModel::online);
  }

  private static boolean isDue(ObservedHBase observed) {
    return observed
        .settledAt()
        .filter(at -> !at.plus(AGAIN_AFTER).isAfter(observed.now()))
        .isPresent();
  }

  private static List<HBaseCommand> commands(ObservedHBase observed, List<String> pods) {
    return pods.stream()
        .flatMap(pod -> observed.view().flatMap(it -> it.serverOf(pod)).stream())
        .map(HBaseView.Server::name)
        .<HBaseCommand>map(HBaseCommand.Reconfigure::new)
        .toList();
  }
}
