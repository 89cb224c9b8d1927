package io.offheap.hbase.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.e2e.RolloutCluster.Pod;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What every rollout of a cluster has to be like. */
record RolloutAssertions(Kubectl kubectl, RolloutCluster cluster) {

  /** Each region server was restarted in this rollout, once and for a changed plan or image. */
  void assertRestartedOnce(List<RestartedServer> restarted, Map<String, Pod> before) {
    assertThat(restarted)
        .extracting(RestartedServer::pod)
        .containsExactlyInAnyOrderElementsOf(before.keySet());
    assertThat(restarted)
        .allSatisfy(
            server -> {
              assertThat(server.cause()).isEqualTo("Restart");
              assertThat(server.outcome()).isEqualTo("Restarted");
            });
    var after = uids(cluster.pods("regionserver"));
    uids(before).forEach((pod, uid) -> assertThat(after.get(pod)).as(pod).isNotEqualTo(uid));
    assertThat(after.keySet()).isEqualTo(before.keySet());
  }

  /** Every region server's process has this argument. */
  void assertRunWith(String argument) {
    for (String pod : cluster.pods("regionserver").keySet()) {
      assertThat(new RegionServerPod(kubectl, pod).arguments()).as(pod).contains(argument);
    }
  }

  /** As {@link RestartedServer} has it; only where an operator was there all the time. */
  static void assertNotMuchSlowerThanItsOwnStart(List<RestartedServer> restarted) {
    assertThat(restarted)
        .allSatisfy(
            server ->
                assertThat(server.totalSeconds()).isLessThanOrEqualTo(server.allowedSeconds()));
  }

  static Map<String, String> uids(Map<String, Pod> pods) {
    var uids = new TreeMap<String, String>();
    pods.forEach((name, pod) -> uids.put(name, pod.uid()));
    return uids;
  }
}
