package io.offheap.hbase.operator.rollout;

import static io.offheap.hbase.operator.rollout.Scene.region;
import static io.offheap.hbase.operator.rollout.Scene.rs;
import static io.offheap.hbase.operator.rollout.Scene.server;
import static io.offheap.hbase.operator.rollout.SentCommands.moved;
import static io.offheap.hbase.operator.rollout.SentCommands.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.rollout.Decision.Action.DeletePod;
import io.offheap.hbase.operator.rollout.HBaseCommand.Move;
import io.offheap.hbase.operator.rollout.HBaseCommand.Recommission;
import io.offheap.hbase.operator.rollout.HBaseView.Region;
import io.offheap.hbase.operator.rollout.Rollout.Outcome;
import io.offheap.hbase.operator.rollout.ServerRestart.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How a server gets its regions back. */
class RollerReturnTest {
  @Test
  void restartedServerGetsRegionsBackExceptMeta() {
    var scene = Scene.draining();
    scene.regions.put("hb-rs-2", List.of(region("a"), new Region("meta", true, true)));
    scene.memory = scene.memory.map(it -> it.withRestarts(List.of()));
    scene.settle();
    scene.holds(2);
    scene.settle();
    scene.settle();
    assertThat(scene.settle().actions()).contains(new DeletePod("hb-rs-2", "uid-hb-rs-2"));

    scene.replaced(2);
    assertThat(scene.settle().waitsFor().get().blocker()).isEqualTo(WaitReason.SERVES_AGAIN);
    scene.pod(2, Scene::ready);
    scene.settle();
    assertThat(scene.restart(2).get().step())
        .as("ready, but not live for HBase")
        .isEqualTo(Step.START);
    scene.serving(2);
    assertThat(scene.settle().actions()).containsExactly(send(new Recommission(rs(2))));
    scene.draining.clear();
    assertThat(scene.settle().actions()).containsExactly(send(new Move("a", server("hb-rs-2", 2))));
    scene.holds(2, "a");
    scene.settle();

    assertThat(scene.restart(2)).isEmpty();
    assertThat(scene.memory.get().finished().get(0).outcome()).isEqualTo(Outcome.RESTARTED);
  }

  /** The operator was away for longer than a server waits for its regions. */
  @Test
  void regionsAreBroughtBackByAnOperatorThatWasAway() {
    var scene = Scene.draining().holds(2, "a");
    scene.memory = scene.memory.map(it -> it.withRestarts(List.of()));
    scene.settle();
    scene.holds(2);
    scene.settle();
    scene.replaced(2);
    scene.settle();
    scene.serving(2);
    scene.draining.clear();
    assertThat(moved(scene.settle())).containsExactly("a");
    assertThat(scene.restart(2).get().step()).isEqualTo(Step.RETURN);

    scene.now = scene.now.plus(Duration.ofHours(9));
    scene.watched = scene.now;
    assertThat(moved(scene.settleAfter(Duration.ofMinutes(9)))).containsExactly("a");

    scene.settleAfter(Duration.ofMinutes(2));
    assertThat(scene.restart(2)).as("left to the balancer").isEmpty();
  }

  /** HBase refuses to recommission a process that has ended; the others wait for the restart. */
  @Test
  void returnEndsIfADeadProcessCannotBeRecommissioned() {
    var scene = returning();
    assertThat(scene.settleAfter(Duration.ofMinutes(9)).actions())
        .contains(send(new Recommission(rs(2))));
    scene.keptDraining.add(rs(2));
    assertThat(scene.settleAfter(Duration.ofMinutes(2)).actions())
        .as("before the last command has ended: HBase may have been silent")
        .contains(send(new Recommission(rs(2))));

    scene.settled = Optional.of(scene.now.plus(Duration.ofHours(1)));
    assertThat(scene.settle().actions())
        .as("before the clock was set back")
        .contains(send(new Recommission(rs(2))));

    scene.settled = Optional.of(scene.now);
    scene.now = scene.now.plusSeconds(1);
    scene.settle();

    assertThat(scene.memory.get().finished())
        .first()
        .satisfies(it -> assertThat(it.outcome()).isEqualTo(Rollout.Outcome.RESTARTED));
  }

  /**
   * After an outage of ten minutes, the first command may be lost too: a master that has just taken
   * over may not respond.
   */
  @Test
  void deadProcessIsRecommissionedUntilHBaseResponds() {
    var scene = returning();
    scene.doesHBaseRespond = false;
    scene.settleAfter(Duration.ofMinutes(11));
    scene.doesHBaseRespond = true;
    assertThat(scene.settle().actions()).contains(send(new Recommission(rs(2))));

    scene.settled = Optional.of(scene.now);
    assertThat(scene.settleAfter(Duration.ofMinutes(5)).actions())
        .as("the command has ended without a response")
        .contains(send(new Recommission(rs(2))));

    scene.draining.clear();
    scene.settle();
    assertThat(scene.memory.get().finished())
        .first()
        .satisfies(it -> assertThat(it.outcome()).isEqualTo(Rollout.Outcome.RESTARTED));
  }

  /** It would never get a region. */
  @Test
  void runningProcessIsRecommissionedHoweverLongThatTakes() {
    var scene = returning();
    scene.living.put("hb-rs-2", new HBaseView.Server(rs(2), 0));
    scene.keptDraining.add(rs(2));
    scene.settled = Optional.of(scene.now.plus(Duration.ofHours(1)));

    assertThat(scene.settleAfter(Duration.ofHours(2)).actions())
        .contains(send(new Recommission(rs(2))));
  }

  /** Its spec was corrected again while its regions came back, and HBase is silent. */
  @Test
  void podThatReturnsIsReplacedWhileHBaseDoesNotRespond() {
    var scene = returning().pod(2, it -> Scene.unready(Scene.changed(it)));
    scene.doesHBaseRespond = false;
    scene.watched = scene.now;
    assertThat(scene.settleAfter(Duration.ofMinutes(1)).actions()).isEmpty();

    var late = scene.settleAfter(Duration.ofMinutes(2));

    var pod = scene.pods.get("hb-rs-2");
    assertThat(late.actions()).contains(new DeletePod(pod.name(), pod.uid()));
    assertThat(scene.restart(2).get().step()).isEqualTo(Step.STOP);
  }

  private static Scene returning() {
    var scene = Scene.draining().holds(2);
    scene.settle();
    scene.settle();
    scene.replaced(2);
    scene.settle();
    scene.serving(2);
    scene.settle();
    assertThat(scene.restart(2).get().step()).isEqualTo(Step.RETURN);
    return scene;
  }

  /** Three regions are moved at once, and each move may take seconds. */
  @ParameterizedTest
  @CsvSource({"0, 600", "1, 600", "300, 600", "301, 602", "1000, 2000"})
  void mayTakeAsLongAsItsRegionsNeed(int regions, long seconds) {
    var now = Instant.EPOCH;
    var restart =
        ServerRestart.of("hb-rs-2", "uid", now)
            .server(rs(2))
            .step(Step.RETURN, now)
            .regions(Optional.of(Collections.nCopies(regions, "region")))
            .build();

    assertThat(ReturnStep.timeout(restart)).isEqualTo(Duration.ofSeconds(seconds));
  }
}
