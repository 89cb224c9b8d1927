package io.offheap.hbase.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.Identity;
import io.offheap.hbase.operator.rollout.Rollout;
import io.offheap.hbase.operator.rollout.Rollout.Switches;
import io.offheap.hbase.operator.rollout.ServerRestart;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What outlives a resource of what it had taken from HBase. */
class RolloutCopyTest {
  private static final Instant NOW = Instant.parse("2025-11-01T02:00:00Z");
  private static final String POD = "hb-regionserver-2";
  private static final String SERVER = POD + ".hb-regionserver.ns.svc,16020,1";

  @Test
  void anotherResourceGivesBackWhatTheFirstHadTaken() {
    var cluster = cluster("hb");
    var copy = copy(cluster, Map.of(POD, SERVER));

    var left = copy.leftBehind(NOW);

    assertThat(left.before()).contains(new Switches(true, false));
    assertThat(left.restarts()).extracting(ServerRestart::server).containsExactly(SERVER);
    assertThat(RolloutCopy.of(cluster, Optional.of(left)))
        .as("what is kept of that")
        .contains(copy);
  }

  /** A step Stop does not look again at whether its server is drained. */
  @ParameterizedTest
  @EnumSource(ServerRestart.Step.class)
  void serverThatIsAboutToBeStoppedStaysDrained(ServerRestart.Step step) {
    var cluster = cluster("hb");
    var restart = ServerRestart.of(POD, "uid", NOW).server(SERVER).step(step, NOW).build();
    var rollout = rollout(restart);

    assertThat(RolloutCopy.of(cluster, rollout)).contains(copy(cluster, Map.of(POD, SERVER)));
    assertThat(RolloutCopy.ofContinued(cluster, rollout))
        .contains(copy(cluster, step == ServerRestart.Step.STOP ? Map.of() : Map.of(POD, SERVER)));
  }

  /** Its pod is terminating. */
  @Test
  void serverOfDeletedPodStaysDrained() {
    var cluster = cluster("hb");
    var restart =
        ServerRestart.of(POD, "uid", NOW)
            .server(SERVER)
            .cause(ServerRestart.Cause.POD_DELETED)
            .build();
    var rollout = rollout(restart);

    assertThat(RolloutCopy.of(cluster, rollout)).contains(copy(cluster, Map.of(POD, SERVER)));
    assertThat(RolloutCopy.ofContinued(cluster, rollout)).contains(copy(cluster, Map.of()));
  }

  @Test
  void copyIsCompletedByAnother() {
    var cluster = cluster("hb");
    var identity = Identity.of(cluster);
    var servers = new RolloutCopy(identity, null, null, Map.of(POD, SERVER));
    var both = new RolloutCopy(identity, false, false, Map.of(POD, SERVER + "0", "x", "y"));

    assertThat(servers.and(both))
        .isEqualTo(new RolloutCopy(identity, false, false, Map.of(POD, SERVER, "x", "y")));
    assertThat(copy(cluster, Map.of()).and(both))
        .as("its own switches")
        .isEqualTo(copy(cluster, Map.of(POD, SERVER + "0", "x", "y")));
  }

  @Test
  void itIsOfTheSameHBaseOnly() {
    var copy = copy(cluster("hb"), Map.of());

    assertThat(copy.isOf(cluster("hb"))).isTrue();
    assertThat(copy.isOf(cluster("other"))).isFalse();
    assertThat(new RolloutCopy(null, true, true, null).isOf(cluster("hb"))).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "null",
      value = {
        "hb-regionserver-2       | hb-regionserver-2.hb-regionserver.ns.svc,16020,1 | true",
        "hb-regionserver-fast-12 | hb-regionserver-fast-12.x,16020,1 | true",
        "hb-regionserver-2       | hb-regionserver-1.hb-regionserver.ns.svc,16020,1 | false",
        "hb-regionserver-2       | hb-regionserver-2.x,16020 | false",
        "hb-regionserver-2       | hb-regionserver-2.x,16020,9223372036854775808 | false",
        "hb-regionserver-2       | null | false",
        "hb-regionserver-2       | hb-regionserver-2.x/y,16020,1 | false",
        "other-regionserver-2    | other-regionserver-2.x,16020,1 | false",
        "hb-master-0             | hb-master-0.x,16000,1 | false",
      })
  void itsServersAreServersOfTheCluster(String pod, String server, boolean isSound) {
    var servers = new HashMap<>(Map.of("hb-regionserver-0", "hb-regionserver-0.x,16020,1"));
    var sound = copy(cluster("hb"), Map.copyOf(servers));
    servers.put(pod, server);
    var copy = copy(cluster("hb"), servers);

    assertThat(copy.sound(cluster("hb"))).contains(isSound ? copy : sound);
  }

  @Test
  void copyWithoutSwitchesAndSoundServersIsNone() {
    var copy = new RolloutCopy(List.of(), null, null, Map.of("hb-master-0", "hb-master-0.x,1,1"));

    assertThat(copy.sound(cluster("hb"))).isEmpty();
  }

  @Test
  void whereHBaseIsAsOthersLeftItThereIsNone() {
    assertThat(RolloutCopy.of(cluster("hb"), Optional.empty())).isEmpty();
    assertThat(
            RolloutCopy.of(
                cluster("hb"), Optional.of(Rollout.leftBehind(Optional.empty(), Map.of(), NOW))))
        .isEmpty();
  }

  private static Optional<Rollout> rollout(ServerRestart restart) {
    return Optional.of(
        new Rollout(
            NOW,
            Optional.of(new Switches(true, false)),
            List.of(restart),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            List.of(),
            List.of()));
  }

  private static RolloutCopy copy(HBaseCluster cluster, Map<String, String> servers) {
    return new RolloutCopy(Identity.of(cluster), true, false, servers);
  }

  private static HBaseCluster cluster(String name) {
    return Serialization.unmarshal(
        """
        metadata: {name: NAME, namespace: ns}
        spec:
          zookeeper: {managed: {}}
          storage: {managed: {}}
          regionServers: {memory: {heap: 1Gi, offHeap: 512Mi}}
        """
            .replace("NAME", name),
        HBaseCluster.class);
  }
}
