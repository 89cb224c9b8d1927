package io.offheap.hbase.operator.rollout;

import static io.offheap.hbase.operator.rollout.Scene.region;
import static io.offheap.hbase.operator.rollout.Scene.rs;
import static io.offheap.hbase.operator.rollout.SentCommands.moved;
import static io.offheap.hbase.operator.rollout.SentCommands.moves;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.rollout.HBaseCommand.Move;
import io.offheap.hbase.operator.rollout.HBaseView.Region;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Where the regions of a server that is drained are moved. */
class RollerDestinationsTest {
  @Test
  void oldViewMovesNothing() {
    var scene = Scene.draining();
    assertThat(scene.decide().actions()).isNotEmpty();

    scene.requestedAt = Optional.of(scene.now.minusSeconds(15));

    assertThat(scene.decide().actions()).isEmpty();
    assertThat(scene.decide().waitsFor().get().blocker()).isEqualTo(WaitReason.HBASE_RESPONDS);
  }

  @Test
  void metaMovesFirstAndAlone() {
    var scene = Scene.draining();
    scene.regions.put(
        "hb-rs-2", List.of(region("a"), new Region("1588230740", true, true), region("b")));

    assertThat(moved(scene.settle())).containsExactly("1588230740");

    scene.moving.add("1588230740");
    assertThat(moved(scene.settle())).as("until it has arrived").isEmpty();
    scene.moving.clear();
    scene.holds(2, "a", "b");
    assertThat(moved(scene.settle())).containsExactly("a", "b");
  }

  @Test
  void regionsMoveToServersThatNeedNoRestart() {
    var scene = Scene.draining().pod(0, Scene::current);

    assertThat(destinations(scene)).containsExactly(rs(0), rs(0));
  }

  @Test
  void serverWithTwiceTheMeanIsSkipped() {
    var scene = Scene.draining().add("", 3).pod(0, Scene::current);
    var many = IntStream.range(0, 20).mapToObj(Integer::toString).toArray(String[]::new);

    assertThat(destinations(scene.holds(0, Arrays.copyOf(many, 10)))).containsOnly(rs(0));
    assertThat(destinations(scene.holds(0, many))).containsExactly(rs(1), rs(3));
  }

  @Test
  void regionsMoveToServerWithFewestRegions() {
    var scene = Scene.draining().holds(0, "1", "2", "3").holds(1, "4", "5");

    assertThat(destinations(scene)).containsExactly(rs(1), rs(0));
  }

  @Test
  void terminatingOrForeignDrainedServersGetNoRegion() {
    var scene = Scene.draining().add("", 3);
    scene.draining.add(rs(0));
    scene.draining.add("stopped.hb.svc,16020,1");
    scene.pod(3, it -> Scene.surplus(it)).pod(3, Scene::current);

    var decision = scene.settle();

    assertThat(moves(decision).map(Move::destination)).containsExactly(rs(1), rs(1));
    assertThat(decision.actions()).noneMatch(it -> it.toString().contains("commission"));
  }

  private static List<String> destinations(Scene scene) {
    return moves(scene.settle()).map(Move::destination).toList();
  }
}
