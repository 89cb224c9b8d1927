package io.offheap.hbase.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.deploy.Role;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Kubernetes reports of the container of a region server, as it stands in a pod's status. */
class ServerContainerTest {
  private static final String SHIPPER =
      "{name: shipper, restartCount: 7, lastState: {terminated: {exitCode: 255, reason: Unknown}}}";

  @Test
  void otherContainersDoNotCount() {
    var pod = pod("{containerStatuses: [" + SHIPPER + ", " + server("restartCount: 2") + "]}");

    assertThat(ServerContainer.restarts(pod, Role.REGIONSERVER)).isEqualTo(2);
    assertThat(ServerContainer.isEndedByNode(pod, Role.REGIONSERVER)).isFalse();
    assertThat(ServerContainer.restarts(pod("{}"), Role.REGIONSERVER)).isZero();
  }

  /** Else a container that waits for its next start would look as if it had not ended. */
  @Test
  void endCountsBeforeTheNextStart() {
    var ended = "{terminated: {exitCode: 255, reason: Unknown}}";
    var waiting = server("restartCount: 2, state: {waiting: {}}, lastState: " + ended);
    var running = server("restartCount: 3, state: {running: {}}, lastState: " + ended);

    for (String container : new String[] {waiting, running}) {
      var pod = pod("{containerStatuses: [" + container + "]}");
      assertThat(ServerContainer.restarts(pod, Role.REGIONSERVER)).as(container).isEqualTo(3);
    }
  }

  /** By containerd after a reboot, and by a kubelet that does not find the container. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "lastState: {terminated: {exitCode: 255, reason: Unknown}}",
        "state: {terminated: {exitCode: 255, reason: Unknown}}",
        "lastState: {terminated: {exitCode: 137, reason: ContainerStatusUnknown}}"
      })
  void processThatEndedInAnUnknownWayEndedWithItsNode(String status) {
    assertThat(isEndedByNode("{containerStatuses: [" + server(status) + "]}")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lastState: {terminated: {exitCode: 255, reason: Error}}",
        "lastState: {terminated: {exitCode: 137, reason: OOMKilled}}",
        "state: {running: {}}",
        // The one before ended with the node.
        "state: {terminated: {exitCode: 1, reason: Error}}, "
            + "lastState: {terminated: {exitCode: 255, reason: Unknown}}"
      })
  void processThatEndedByItselfDidNot(String status) {
    assertThat(isEndedByNode("{containerStatuses: [" + server(status) + "]}")).isFalse();
  }

  private static boolean isEndedByNode(String status) {
    return ServerContainer.isEndedByNode(pod(status), Role.REGIONSERVER);
  }

  private static String server(String fields) {
    return "{name: regionserver, " + fields + "}";
  }

  private static Pod pod(String status) {
    return Serialization.unmarshal("status: " + status, Pod.class);
  }
}
