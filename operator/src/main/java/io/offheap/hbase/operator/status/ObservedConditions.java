package io.offheap.hbase.operator.status;

import static io.offheap.hbase.operator.status.ConditionType.Progressing;
import static io.offheap.hbase.operator.status.ConditionType.Ready;
import static io.offheap.hbase.operator.status.ConditionType.ResponsesRefused;
import static io.offheap.hbase.operator.status.ConditionType.RolledBack;

import io.offheap.hbase.operator.api.RolloutStatus.RolledBack;
import io.offheap.hbase.operator.observe.Observation;
import io.offheap.hbase.operator.rollout.Decision.Wait;
import io.offheap.hbase.operator.rollout.Precondition;
import io.offheap.hbase.operator.rollout.RestartDecision;
import io.offheap.hbase.operator.rollout.Rollout;
import io.offheap.hbase.operator.rollout.RolloutResult;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The conditions that follow from a reconciliation's observation and actions. */
public final class ObservedConditions {
  private ObservedConditions() {}

  public static void add(
      Observation observed,
      AppliedState applied,
      RolloutResult rollout,
      RestartDecision infrastructure,
      Map<String, String> refusedPods,
      List<String> late,
      Conditions conditions) {
    addReady(observed, conditions);
    addProgressing(observed, applied, rollout, refusedPods, infrastructure, late, conditions);
    addRolledBack(applied, conditions);
    addRefused(observed.hbase().problems(), conditions);
  }

  /** Keeps those that a failure has left out. */
  public static Conditions keep(AppliedState applied, Conditions conditions) {
    return applied.rolledBack().isEmpty()
        ? conditions.keepOthers(Ready, Progressing, ResponsesRefused)
        : conditions.keepOthers(Ready, Progressing, RolledBack, ResponsesRefused);
  }

  private static void addReady(Observation observed, Conditions conditions) {
    var waiting = observed.waiting();
    if (waiting.isEmpty()) {
      conditions.add(Ready, true, Reason.AllServing, "every pod serves");
      return;
    }
    var reason =
        switch (waiting.get(0).part()) {
          case ZOOKEEPER -> Reason.WaitingForZooKeeper;
          case HDFS -> Reason.WaitingForHdfs;
          case MASTERS -> Reason.WaitingForMasters;
          case REGION_SERVERS -> Reason.WaitingForRegionServers;
        };
    var message =
        waiting.stream()
            .map(role -> role.name() + " " + role.ready() + "/" + role.replicas())
            .collect(Collectors.joining(", ", "ready pods: ", ""));
    conditions.add(Ready, false, reason, message);
  }

  private static void addProgressing(
      Observation observed,
      AppliedState applied,
      RolloutResult rollout,
      Map<String, String> refusedPods,
      RestartDecision infrastructure,
      List<String> late,
      Conditions conditions) {
    var waitsFor = rollout.decision().waitsFor().map(Wait::text);
    var restarts = rollout.remembered().map(ObservedConditions::restarts).orElse("");
    if (rollout.remembered().isPresent()) {
      conditions.add(
          Progressing,
          true,
          Reason.Restarting,
          restarts
              + (restarts.isEmpty() ? "" : "; ")
              + waitsFor.orElse("in progress")
              + infrastructure(observed));
    } else if (waitsFor.isPresent()) {
      conditions.add(
          Progressing, true, Reason.WaitingToRestart, waitsFor.get() + infrastructure(observed));
    } else if (!refusedPods.isEmpty()) {
      conditions.add(Progressing, true, Reason.PodRefused, refused(refusedPods));
    } else if (infrastructure instanceof RestartDecision.Wait wait) {
      conditions.add(
          Progressing,
          true,
          wait.reason().isDeclared() ? Reason.WaitingToRestart : Reason.Restarting,
          wait.text());
    } else if (infrastructure instanceof RestartDecision.Restart restart) {
      conditions.add(Progressing, true, Reason.Restarting, "restarting " + restart.pod());
    } else if (!observed.waiting().isEmpty()) {
      conditions.add(
          Progressing,
          true,
          Reason.Starting,
          "waiting for pods to serve" + observed.notServing(true).map(it -> ": " + it).orElse(""));
    } else if (!late.isEmpty()) {
      conditions.add(Progressing, true, Reason.TakingOver, takingOver(late));
    } else {
      addAtRest(applied, conditions);
    }
  }

  /** HBase may wait for a pod of ZooKeeper or HDFS, and does not know which. */
  private static String infrastructure(Observation observed) {
    return observed.notServing(false).map(it -> "; not serving: " + it).orElse("");
  }

  /** Its reason is a column: who declared what does not run must see that there. */
  private static void addAtRest(AppliedState applied, Conditions conditions) {
    var refusal = conditions.refusal();
    if (refusal.isPresent()) {
      conditions.add(
          Progressing,
          false,
          refusal.get(),
          "the resource is refused, so the last accepted one runs; see condition Planned");
    } else if (!applied.rolledBack().isEmpty()) {
      conditions.add(
          Progressing,
          false,
          Reason.ChangeRolledBack,
          "the declared change was rolled back; see condition RolledBack");
    } else {
      conditions.add(Progressing, false, Reason.Idle, "nothing to do");
    }
  }

  private static String takingOver(List<String> late) {
    return (late.size() == 1 ? "1 region server has" : late.size() + " region servers have")
        + " not reloaded the online values yet ("
        + late.stream().limit(3).collect(Collectors.joining(", "))
        + (late.size() > 3 ? ", …" : "")
        + ")";
  }

  /** Names the first of several pods: a quota refuses them with one message. */
  private static String refused(Map<String, String> pods) {
    var first = new TreeMap<>(pods).firstEntry();
    return Precondition.POD_ADMITTED.text()
        + ": "
        + first.getKey()
        + ", "
        + first.getValue()
        + (pods.size() > 1 ? "; so for " + (pods.size() - 1) + " more" : "");
  }

  private static String restarts(Rollout rollout) {
    var servers =
        rollout.restarts().stream()
            .map(restart -> restart.pod() + " " + restart.step().text())
            .collect(Collectors.joining(", "));
    return rollout
        .master()
        .map(it -> (servers.isEmpty() ? "" : servers + ", ") + it.pod() + " restarts")
        .orElse(servers);
  }

  private static void addRolledBack(AppliedState applied, Conditions conditions) {
    if (applied.rolledBack().isEmpty()) {
      return;
    }
    conditions.add(
        RolledBack,
        true,
        Reason.ChangeRolledBack,
        applied.rolledBack().stream()
            .map(ObservedConditions::text)
            .collect(Collectors.joining("\n")));
  }

  /** Adds the condition if responses of a cluster's servers were refused. */
  private static void addRefused(List<String> problems, Conditions conditions) {
    if (!problems.isEmpty()) {
      conditions.add(
          ResponsesRefused, true, Reason.ServersOutOfBounds, String.join("\n", problems));
    }
  }

  private static String text(RolledBack back) {
    return (back.group().isEmpty() ? "the default group" : "group " + back.group())
        + " runs as it last served: "
        + back.reason()
        + ", "
        + String.join(", ", back.evidence());
  }
}
