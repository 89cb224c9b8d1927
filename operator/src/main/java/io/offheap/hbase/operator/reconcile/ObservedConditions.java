package io.offheap.hbase.operator.reconcile;

import static io.offheap.hbase.operator.reconcile.ConditionType.Progressing;
import static io.offheap.hbase.operator.reconcile.ConditionType.Ready;

import io.offheap.hbase.operator.rollout.RestartDecision;
import java.util.stream.Collectors;

/** The conditions that follow from what a pass saw of the pods. */
final class ObservedConditions {
  private ObservedConditions() {}

  static void add(Observation observed, RestartDecision decision, Conditions conditions) {
    addReady(observed, conditions);
    addProgressing(observed, decision, conditions);
  }

  private static void addReady(Observation observed, Conditions conditions) {
    var waiting = observed.waiting();
    if (waiting.isEmpty()) {
      conditions.add(Ready, true, Reason.AllServing, "every pod serves");
      return;
    }
    var first = waiting.get(0).role();
    var reason =
        switch (first) {
          case ZOOKEEPER -> Reason.WaitingForZooKeeper;
          case NAMENODE, DATANODE -> Reason.WaitingForHdfs;
          case MASTER -> Reason.WaitingForMasters;
          case REGIONSERVER -> Reason.WaitingForRegionServers;
        };
    var message =
        waiting.stream()
            .map(role -> role.name() + " " + observed.ready(role) + "/" + role.replicas())
            .collect(Collectors.joining(", ", "ready pods: ", ""));
    conditions.add(Ready, false, reason, message);
  }

  private static void addProgressing(
      Observation observed, RestartDecision decision, Conditions conditions) {
    if (decision instanceof RestartDecision.Restart restart) {
      conditions.add(Progressing, true, Reason.Restarting, "restarting " + restart.pod());
    } else if (decision instanceof RestartDecision.Wait wait) {
      conditions.add(
          Progressing,
          true,
          Reason.Restarting,
          "waiting: "
              + wait.reason().text()
              + (wait.subject().isEmpty() ? "" : " (" + wait.subject() + ")"));
    } else if (!observed.waiting().isEmpty()) {
      conditions.add(Progressing, true, Reason.Starting, "waiting for pods to serve");
    } else {
      conditions.add(Progressing, false, Reason.Idle, "nothing to do");
    }
  }
}
