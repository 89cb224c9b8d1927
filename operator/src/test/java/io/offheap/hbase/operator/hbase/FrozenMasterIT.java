package io.offheap.hbase.operator.hbase;

import static io.offheap.hbase.operator.hbase.ControlledHBase.regions;
import static io.offheap.hbase.operator.hbase.ControlledHBase.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.log.LogCapture;
import io.offheap.hbase.operator.rollout.HBaseCommand;
import io.offheap.hbase.operator.rollout.HBaseCommand.Move;
import io.offheap.hbase.operator.rollout.HBaseCommand.SwitchBalancer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Two HBase clusters; the active master of one is frozen. */
@ResourceLock(value = HBaseJvm.CLIENT_THREADS, mode = ResourceAccessMode.READ)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("verify")
class FrozenMasterIT {
  private static final int REGIONS = 30;

  /** A quarter of production's, so that the test is shorter. */
  private static final Duration MOVE_DEADLINE = Duration.ofSeconds(15);

  @TempDir static Path folder;

  private static ControlledHBase hbase;
  private static RealHBase otherHBase;
  private static ResourceID other;

  @BeforeAll
  static void start() throws Exception {
    otherHBase = RealHBase.start(folder.resolve("other"));
    hbase = ControlledHBase.start(folder.resolve("servers"), 2, 1, MOVE_DEADLINE);
    other = hbase.clusters().add("other", List.of(otherHBase.regionServer()));
    hbase.prepare(2, REGIONS);
    hbase.clusters().awaitStart(other, it -> it.servers().size() == 1);
  }

  @AfterAll
  static void stop() {
    hbase.close();
    otherHBase.close();
  }

  @Test
  @Order(1)
  void frozenMasterDelaysOnlyItsOwnCluster() {
    hbase.restartAll();
    hbase.clusters().restart(other, Set.of("localhost"));
    var before =
        hbase.await(it -> regions(it).count() == REGIONS + 2 && it.inTransition().isEmpty());
    var master = hbase.servers().master(before.activeMaster().orElseThrow());
    master.freeze();
    try (var log = LogCapture.of(ViewReader.class)) {
      var frozen = Instant.now();
      var moves =
          regions(before)
              .filter(it -> !it.isSystem())
              .map(it -> new Move(it.encodedName(), before.servers().get(0).name()))
              .toArray(HBaseCommand[]::new);
      assertThat(moves).hasSize(REGIONS);
      var otherLooks = views(other, Duration.ofSeconds(8), () -> hbase.send(moves));
      assertThat(hbase.view().requestedAt()).as("no view was read").isBefore(frozen);
      assertThat(otherLooks)
          .as("views of the other cluster, one each second")
          .isGreaterThanOrEqualTo(5);

      var after = hbase.await(it -> it.requestedAt().isAfter(frozen));
      assertThat(after.activeMaster()).isEqualTo(before.backupMasters().stream().findFirst());
      soon(Duration.ofSeconds(5))
          .untilAsserted(
              () ->
                  assertThat(log.lines())
                      .as("loss and return, and nothing of the other cluster")
                      .allMatch(it -> it.contains("cluster=" + hbase.id().getName()))
                      .last()
                      .asString()
                      .startsWith("INFO event=HBaseResponding "));
      assertThat(log.lines())
          .filteredOn(it -> it.startsWith("WARN event=HBaseNotResponding "))
          .as("each kind of cause once")
          .hasSizeBetween(1, 3)
          .doesNotHaveDuplicates();
      soon(MOVE_DEADLINE.plusSeconds(5))
          .untilAsserted(
              () ->
                  assertThat(hbase.clusters().control().running(hbase.id()))
                      .as("commands under way")
                      .isZero());
      assertThat(hbase.clusters().control().refusals(hbase.id()).values())
          .filteredOn(("no response in " + MOVE_DEADLINE.toSeconds() + " s")::equals)
          .as("moves that were begun, each once")
          .hasSizeBetween(1, 8);
    } finally {
      master.thaw();
    }
  }

  @Test
  @Order(2)
  void dropsStateOfDeletedResource() {
    hbase.clusters().remove(other);
    soon(Duration.ofSeconds(5))
        .untilAsserted(() -> assertThat(hbase.clusters().view(other)).as("view").isEmpty());
    assertThat(hbase.clusters().control().refusals(other)).isEmpty();
    hbase.clusters().control().pollSoon(other);
    hbase.clusters().control().send(other, List.of(new SwitchBalancer(false)));
    assertThat(hbase.clusters().control().running(other)).isZero();
  }

  private static long views(ResourceID cluster, Duration time, Runnable meanwhile) {
    var seen = new HashSet<Instant>();
    var end = Instant.now().plus(time);
    soon(time.plusSeconds(1))
        .until(
            () -> {
              meanwhile.run();
              seen.add(hbase.clusters().view(cluster).orElseThrow().requestedAt());
              return Instant.now().isAfter(end);
            });
    return seen.size();
  }
}
