package io.offheap.hbase.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * From the old HBase, as it is published, to the HBase of this image and back, while a client
 * writes and reads.
 */
@Tag("verify")
@TestMethodOrder(OrderAnnotation.class)
class UpgradeIT {
  private static final int ROWS = 50_000;
  private static final int VALUE_BYTES = 1_000;
  private static final int RATE = 1_000;
  private static final Duration ROLLOUT_WITHIN = Duration.ofMinutes(10);
  private static final String REPOSITORY = "hbase-offheap/hbase";
  private static final Versions VERSIONS = Versions.ofBuild();

  private static Kubectl kubectl;
  private static RolloutCluster cluster;
  private static String oldTag;
  private static String newTag;
  private static JsonNode stateBefore;
  private static boolean isFinished;

  @BeforeAll
  static void clusterOfTheOldVersion() {
    var shell = Shell.ofCluster();
    kubectl = new Kubectl(shell, "upgrade");
    cluster = new RolloutCluster(kubectl);
    newTag = shell.output("sed", "-n", "s/^appVersion: *\"\\(.*\\)\"$/\\1/p", chart()).strip();
    oldTag = newTag + "-hbase-old";
    cluster.makeNamespace();
    // The published HBase has no observer.
    var old =
        """
        {"spec": {"image": {"repository": "%s", "tag": "%s"},
         "regionServers": {"config": {"hbase.offheap.observer.enabled": "false"}}}}
        """
            .formatted(REPOSITORY, oldTag);
    cluster.apply(old);
    cluster.awaitReady();
    cluster.client().verify("write", "kept", ROWS, VALUE_BYTES);
    cluster.startLoad(0, RATE, 30);
    stateBefore = cluster.state();
    assertThat(stateBefore.path("balancer").asBoolean()).as("balancer").isTrue();
    assertVersions(VERSIONS.oldHBase());
  }

  @AfterAll
  static void leaveNoCluster() {
    if (isFinished) {
      cluster.remove();
    } else if (cluster != null) {
      kubectl.show("get", "pods", "-o", "wide");
      kubectl.show("get", "hbc", "rollout", "-o", "jsonpath={.status.conditions}{.status.rollout}");
    }
  }

  private static String chart() {
    return "charts/hbase-offheap-operator/Chart.yaml";
  }

  @Test
  @Order(1)
  void toTheNewVersion() {
    roll(newTag);

    assertVersions(VERSIONS.hbase());
    cluster.client().verify("read", "kept", ROWS, VALUE_BYTES);
  }

  @Test
  @Order(2)
  void andBackToTheOldOne() {
    roll(oldTag);

    assertVersions(VERSIONS.oldHBase());
    cluster.client().verify("read", "kept", ROWS, VALUE_BYTES);
  }

  @Test
  @Order(3)
  void noOperationFailedAndEveryRowIsThere() {
    cluster.load().finishWithNoneBad(Duration.ofMinutes(5));
    isFinished = true;
  }

  private static void roll(String tag) {
    var started = Instant.now();
    cluster.patch("{\"spec\":{\"image\":{\"tag\":\"%s\"}}}".formatted(tag));
    var restarted =
        cluster.awaitRollout("all servers on " + tag, started, ROLLOUT_WITHIN, resource -> {});
    System.out.printf(
        "to %s: slowest operation %.0f ms%n", tag, cluster.load().slowestMillisSince(started));
    restarted.forEach(System.out::println);
    assertThat(restarted).hasSize(3);
    cluster.assertLeftAsFound(stateBefore);
  }

  /** HBase reports only the active master's version to clients, so each server's image is read. */
  private static void assertVersions(String version) {
    assertThat(cluster.state().path("hbaseVersion").asText()).startsWith(version);
    for (String role : new String[] {"master", "regionserver"}) {
      for (String pod : cluster.pods(role).keySet()) {
        assertThat(kubectl.output("exec", pod, "--", "cat", "/opt/hbase/patches.txt"))
            .as(pod)
            .startsWith("HBase " + version);
      }
    }
  }
}
