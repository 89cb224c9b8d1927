package io.offheap.hbase.e2e;

import static io.offheap.hbase.e2e.PressedCluster.ROWS;
import static io.offheap.hbase.e2e.PressedCluster.WINDOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * What tuning makes of buffers that are smaller than the blocks, and of a leak of buffers, which no
 * size of a pool corrects. The steps stand on each other, hence the order.
 */
@Tag("verify")
@TestMethodOrder(OrderAnnotation.class)
class BufferTuningIT {
  private static final String LEAK = "leak.jar";
  private static final String POOL = TunedGroup.POOL;
  private static final String BUFFER = "BufferSmallerThanBlock";

  private static PressedCluster pressed;
  private static RolloutCluster cluster;
  private static TunedGroup group;
  private static boolean isFinished;

  @BeforeAll
  static void clusterUnderLoad() {
    pressed = PressedCluster.make("buffers");
    cluster = pressed.cluster();
    group = pressed.group();
    cluster.awaitReady();
    pressed.startLoad();
  }

  @AfterAll
  static void leaveNoCluster() {
    if (pressed != null) {
      pressed.end(isFinished);
    }
  }

  @Test
  @Order(1)
  void cellsThatDoNotFitTheBufferMakeItLarger() throws InterruptedException {
    pressed.awaitPlanned();
    pressed.press("large", "large", ROWS / 10, 4_000);
    var without = group.handedOut(WINDOW);
    PressedCluster.show("with buffers of " + group.planned(TunedGroup.SIZE) + " bytes", without);
    assertThat(without.multiple()).as("blocks in several buffers").isPositive();

    group.tune("Auto", BUFFER);

    group.awaitHistory("Applied " + BUFFER, "Kept " + BUFFER);
    var with = group.handedOut(WINDOW);
    PressedCluster.show("with buffers of " + group.planned(TunedGroup.SIZE) + " bytes", with);
    group.status().path("history").forEach(System.out::println);
    assertThat(with.multiple()).as("blocks in several buffers").isZero();
    cluster.load().assertNoneBad();
  }

  @Test
  @Order(2)
  void aLeakEndsInTheSuspicion() {
    pressed.awaitPlanned();
    pressed.pressure().end();
    pressed.press("leaking", Pressure.TABLE, ROWS, 1_000);
    group.tune("Auto", POOL);

    leak(Pressure.TABLE);

    var condition =
        await("suspicion")
            .atMost(Duration.ofMinutes(40))
            .pollInterval(Duration.ofSeconds(5))
            .until(
                () -> pressed.kubectl().condition("rollout", "Tuned"),
                it -> it.contains("Suspected"));
    System.out.println(condition);
    group.status().path("history").forEach(System.out::println);
    assertThat(condition).contains("buffers leak");
    assertThat(group.status().path("trials").asInt()).isLessThanOrEqualTo(2);
    group.awaitRunning(TunedGroup.COUNT, Long.toString(pressed.derivedCount()));
    cluster.load().assertNoneBad();
  }

  @Test
  @Order(3)
  void noRequestFailedOnTheWay() {
    pressed.finish();
    isFinished = true;
  }

  /** Puts the fault of {@code BufferLeak} on a table. */
  private static void leak(String table) {
    var jar =
        group.servers().get(0).configuration().get("hbase.rootdir").replaceFirst("[^/]*$", LEAK);
    var client = cluster.client();
    client.copy("images/loadgen/target/hbase-loadgen-0.1.0-SNAPSHOT-" + LEAK, "/tmp/" + LEAK);
    client.java(
        "/tmp/" + LEAK,
        "io.offheap.hbase.loadgen.BufferLeak " + table + " /tmp/" + LEAK + " " + jar);
  }
}
