package io.offheap.hbase.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.deploy.Role;
import io.offheap.hbase.operator.rollout.PodState;
import io.offheap.hbase.operator.rollout.PodState.Phase;
import io.offheap.hbase.operator.rollout.PodTrouble;
import io.offheap.hbase.operator.rollout.PodTrouble.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a restart of ZooKeeper or HDFS depends on, from a pod's status. */
class PodStatesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  /** The later event may have the earlier time, by the clock of another machine. */
  @Test
  void timesChangeWhenItsWayToServeBeginsAnew() {
    var down = "conditions: [" + condition("Ready", "False", "08:00") + "]";
    var away = "conditions: [%s, %s]";
    assertThat(
            Stream.of(
                    "",
                    down,
                    away.formatted(
                        condition("Ready", "False", "08:00"),
                        condition("ContainersReady", "False", "08:30")),
                    down
                        + ", containerStatuses: [{name: zookeeper, state: "
                        + running("07:00")
                        + "}]",
                    down
                        + ", containerStatuses: [{name: zookeeper, state: "
                        + running("07:10")
                        + "}]")
                .map(it -> of("{" + it + "}").times()))
        .doesNotHaveDuplicates();
    assertThat(
            of("{"
                    + down
                    + ", containerStatuses: [{name: shipper, state: "
                    + running("11:00")
                    + "}]}")
                .times())
        .as("a sidecar that ends each few minutes must not keep it from being restarted")
        .isEqualTo(of("{" + down + "}").times());
  }

  @Test
  void stopsUntilTheEndOfItsGracePeriod() {
    var pod = pod("{conditions: [" + condition("Ready", "False", "10:00") + "]}");
    pod.getMetadata().setDeletionTimestamp("2026-01-01T12:00:30Z");
    pod.getMetadata().setDeletionGracePeriodSeconds(300L);

    var state = PodStates.of(pod, Role.ZOOKEEPER, true, NOW);

    assertThat(state.terminating()).isTrue();
    assertThat(state.times()).contains("12:00:30");
    assertThat(state.lasted()).as("by any clock").isEqualTo(Duration.ofMinutes(-5));
  }

  /** The conditions as Kubernetes' node controller leaves them. */
  @Test
  void nodeIsSilentIfReadyAloneWasWithdrawn() {
    var ready = "{conditions: [%s, %s]}";

    assertThat(
            of(ready.formatted(
                    condition("Ready", "False", "10:00"),
                    condition("ContainersReady", "True", "09:00")))
                .trouble())
        .map(PodTrouble::kind)
        .contains(Kind.SILENT_NODE);
    assertThat(
            of(ready.formatted(
                    condition("Ready", "False", "10:00"),
                    condition("ContainersReady", "False", "10:00")))
                .trouble())
        .isEmpty();
    assertThat(
            of(ready.formatted(
                    condition("Ready", "True", "10:00"),
                    condition("ContainersReady", "True", "10:00")))
                .trouble())
        .as("a pod that stops")
        .isEmpty();
  }

  /** A pod that exceeds its own limit of a disk is evicted without the condition. */
  @Test
  void podIsEvictedIfTheKubeletHasEndedItForItsNode() {
    var condition = "{conditions: [{type: DisruptionTarget, status: '%s', reason: %s}]}";

    assertThat(of(condition.formatted("True", "TerminationByKubelet")).trouble())
        .map(PodTrouble::kind)
        .contains(Kind.EVICTED);
    assertThat(of(condition.formatted("False", "TerminationByKubelet")).trouble()).isEmpty();
    assertThat(of(condition.formatted("True", "EvictionByEvictionAPI")).trouble()).isEmpty();
    assertThat(of("{phase: Failed, reason: Evicted}").trouble()).isEmpty();
  }

  @Test
  void cannotStartWithoutImageOrContainer() {
    assertThat(waits("ErrImagePull").cannotStart()).isTrue();
    assertThat(waits("CreateContainerConfigError").cannotStart()).isTrue();
    assertThat(waits("ContainerCreating").cannotStart()).isFalse();
    assertThat(
            of("{conditions: [{type: PodScheduled, status: 'False', message: none}]}")
                .cannotStart())
        .as("no node")
        .isFalse();
  }

  @Test
  void cannotStartIfItsProcessesEndSoon() {
    assertThat(ends("{waiting: {reason: CrashLoopBackOff}}", ended("11:50:00", "11:50:20")))
        .isTrue();
    assertThat(ends(running("11:59:30"), ended("11:50:00", "11:50:20"))).isTrue();
    assertThat(ends(ended("11:59:30", "11:59:40"), ended("11:50:00", "11:50:20"))).isTrue();
    assertThat(ends("{waiting: {reason: CrashLoopBackOff}}", "{terminated: {exitCode: 1}}"))
        .as("without times")
        .isTrue();
  }

  /** It had served before, and waits for a quorum, or its node has restarted. */
  @Test
  void endsOfProcessesThatHadStartedDoNotCount() {
    assertThat(ends(running("09:00:00"), ended("08:00:00", "08:00:20"))).isFalse();
    assertThat(ends(running("11:59:30"), ended("09:00:00", "11:50:00"))).isFalse();
    assertThat(ends(running("12:10:00"), ended("11:50:00", "11:50:20")))
        .as("the node's clock is fast: it is unknown for how long it has run")
        .isFalse();
  }

  @Test
  void nameNodeLoadsWhileItsFirstProcessRunsAndHasNotServed() {
    assertThat(nameNode("started: false, state: " + running("11:50")).phase())
        .isEqualTo(Phase.LOADING);
    assertThat(nameNode("started: true, state: " + running("09:00")).phase())
        .as("it served before")
        .isEqualTo(Phase.DOWN);
    for (String reason : List.of("ErrImagePull", "CreateContainerConfigError")) {
      assertThat(nameNode("started: false, state: {waiting: {reason: " + reason + "}}").phase())
          .isEqualTo(Phase.CANNOT_START);
    }
    assertThat(nameNode("started: false, state: {waiting: {reason: PodInitializing}}").phase())
        .isEqualTo(Phase.DOWN);
    assertThat(nameNode(second(running("11:59"), ended("11:50:00", "11:50:20"), 2)).phase())
        .as("it ends at each start")
        .isEqualTo(Phase.CANNOT_START);
  }

  /** Each process would begin the time anew. */
  @Test
  void nameNodeWhoseLastProcessFailedWhileItLoadedDoesNotLoad() {
    assertThat(nameNode(second(running("11:50"), ended("11:30:00", "11:45:00"), 1)).phase())
        .isEqualTo(Phase.DOWN);
    assertThat(nameNode(second(running("11:50"), "{terminated: {exitCode: 1}}", 1)).phase())
        .as("without times")
        .isEqualTo(Phase.DOWN);
    assertThat(nameNode(second(running("11:50"), ended("09:00:00", "11:45:00"), 1)).phase())
        .as("it had the time to serve")
        .isEqualTo(Phase.LOADING);
    assertThat(nameNode(second(running("11:50"), ended("11:45:00", "11:45:09"), 1)).phase())
        .as("it ended before it loaded much, and this one has not")
        .isEqualTo(Phase.LOADING);
    var unknown =
        "{terminated: {exitCode: 255, startedAt: '1970-01-01T00:00:00Z',"
            + " finishedAt: '1970-01-01T00:00:00Z'}}";
    assertThat(nameNode(second(running("11:50"), unknown, 1)).phase())
        .as("its node restarted")
        .isEqualTo(Phase.LOADING);
  }

  /** It waits for its quorum, or for the name node: a restart loses nothing. */
  @Test
  void otherRolesDoNotLoad() {
    for (Role role : List.of(Role.ZOOKEEPER, Role.DATANODE)) {
      var status =
          "{containerStatuses: [{name: %s, started: false, state: %s}]}"
              .formatted(role.text(), running("11:50"));
      assertThat(PodStates.of(pod(status), role, true, NOW).phase()).isEqualTo(Phase.DOWN);
    }
  }

  private static PodState nameNode(String container) {
    return PodStates.of(
        pod("{containerStatuses: [{name: namenode, %s}]}".formatted(container)),
        Role.NAMENODE,
        true,
        NOW);
  }

  private static String second(String state, String last, int restarts) {
    return "started: false, restartCount: %d, state: %s, lastState: %s"
        .formatted(restarts, state, last);
  }

  /**
   * A pod is not ready while a sidecar is not, but its server serves, and must not be taken away.
   */
  @Test
  void servesBesideSidecarThatCannotStart() {
    var status =
        "{conditions: [%s, %s], containerStatuses: [{name: zookeeper, ready: %s, state: %s},"
            + " {name: shipper, restartCount: 3, ready: false,"
            + " state: {waiting: {reason: CrashLoopBackOff}}, lastState: %s}]}";
    var failed = ended("11:50:00", "11:50:20");
    var down = condition("Ready", "False", "10:00");
    var containersDown = condition("ContainersReady", "False", "10:00");

    var serving = of(status.formatted(down, containersDown, true, running("09:00"), failed));
    assertThat(serving.ready()).isTrue();
    assertThat(serving.cannotStart()).isFalse();
    assertThat(serving.text()).as("for messages").contains("has ended 4 times");

    var starting = of(status.formatted(down, containersDown, false, running("09:00"), failed));
    assertThat(starting.ready()).isFalse();
    assertThat(starting.cannotStart()).as("its own container can").isFalse();

    var containersReady = condition("ContainersReady", "True", "09:00");
    assertThat(of(status.formatted(down, containersReady, true, running("09:00"), failed)).ready())
        .as("its node does not report it")
        .isFalse();
  }

  private static boolean ends(String state, String last) {
    return of("{containerStatuses: [{name: zookeeper, restartCount: 2, state: %s, lastState: %s}]}"
            .formatted(state, last))
        .cannotStart();
  }

  private static PodState waits(String reason) {
    return of(
        "{containerStatuses: [{name: zookeeper, state: {waiting: {reason: %s}}}]}"
            .formatted(reason));
  }

  private static PodState of(String status) {
    return PodStates.of(pod(status), Role.ZOOKEEPER, true, NOW);
  }

  private static Pod pod(String status) {
    return Serialization.unmarshal(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: hb-zookeeper-0, creationTimestamp: "2026-01-01T09:00:00Z"}
        status: %s
        """
            .formatted(status),
        Pod.class);
  }

  private static String condition(String type, String status, String time) {
    return "{type: %s, status: '%s', lastTransitionTime: '2026-01-01T%s:00Z'}"
        .formatted(type, status, time);
  }

  private static String running(String start) {
    return "{running: {startedAt: '2026-01-01T%s%sZ'}}"
        .formatted(start, start.length() == 5 ? ":00" : "");
  }

  private static String ended(String start, String end) {
    return "{terminated: {exitCode: 1, startedAt: '2026-01-01T%sZ', finishedAt: '2026-01-01T%sZ'}}"
        .formatted(start, end);
  }
}
