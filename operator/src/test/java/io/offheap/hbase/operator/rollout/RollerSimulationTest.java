package io.offheap.hbase.operator.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.Slow;
import io.offheap.hbase.operator.rollout.SimulatedOperator.End;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whole rollouts in a simulation, with failures. */
class RollerSimulationTest {
  private static final int SEEDS = 60;

  @Test
  void changedGroupRestartsAndEveryRegionReturns() {
    for (long seed = 0; seed < SEEDS; seed++) {
      var world = rolled(seed);
      world.run();
      world.assertRolled();
      world.assertRegionsAtHome();
    }
  }

  @ParameterizedTest
  @EnumSource(End.class)
  @Slow
  void operatorMayBeKilledInAnyReconciliation(End end) {
    for (long seed = 0; seed < 2; seed++) {
      int reconciliations = rolled(seed).run();
      for (int killed = 1; killed <= reconciliations; killed++) {
        var world = rolled(seed);
        world.run(killed, Optional.of(end));
        world.assertRolled();
        world.assertRegionsAtHome();
      }
    }
  }

  @Test
  @Slow
  void twoOperatorsWithOneOnOldViews() {
    for (long seed = 0; seed < SEEDS; seed++) {
      var world = rolled(seed).withOperator((int) (seed % 12));
      world.run();
      world.assertRolled();
    }
  }

  @Test
  @Slow
  void twoAtATime() {
    for (long seed = 0; seed < SEEDS; seed++) {
      var world = Simulation.of(seed, 6, 18).with(rules(2)).withOperator(0);
      change(world, "", 2, 5);
      world.run();
      world.assertRolled();
    }
  }

  @Test
  void scalesDownUpAndDown() {
    for (long seed = 0; seed < SEEDS; seed++) {
      var world = Simulation.of(seed, 5, 15).with(rules(1 + (int) seed % 2)).withOperator(0);
      int later = 10 + new Random(seed).nextInt(100);
      int less = seed % 5 == 0 ? 1 : 3;
      world.at(5, () -> world.kubernetes().declare("", less));
      if (seed % 3 > 0) {
        world.at(later, () -> world.kubernetes().declare("", 4));
      }
      if (seed % 3 > 1) {
        change(world, "", 2, later);
      }
      world.run();
      world.assertRolled();
    }
  }

  @Test
  void rollsBackChangeThatDoesNotStart() {
    for (long seed = 0; seed < SEEDS; seed++) {
      var world = Simulation.of(seed, 3, 9).with(rules(1)).withOperator(0);
      change(world, "", -2, 5);
      world.run();
      world.assertRolled();
      world.assertRegionsAtHome();
    }
  }

  @Test
  void rollsBackWorseCanary() {
    for (long seed = 0; seed < SEEDS; seed++) {
      var world = Simulation.of(seed, 3, 9).with(canaryRules()).withOperator(0);
      world.metrics().worse("");
      change(world, "", 2, 5);
      world.run();
      world.assertRolled();
      world.assertRegionsAtHome();
    }
  }

  @Test
  @Slow
  void eachGroupHasCanary() {
    for (long seed = 0; seed < SEEDS; seed++) {
      var world = Simulation.of(seed, 3, 9).withGroup("archive", 3).with(canaryRules());
      world.withOperator(0).metrics().worse("archive");
      change(world, "", 2, 5);
      change(world, "archive", 2, 5);
      world.run();
      world.assertRolled();
      assertThat(world.kubernetes().group("archive").revision).isEqualTo(1);
    }
  }

  @Test
  @Slow
  void survivesRandomFailures() {
    for (long seed = 0; seed < 4 * SEEDS; seed++) {
      var random = new Random(seed);
      int servers = 3 + random.nextInt(3);
      var world = Simulation.of(seed, servers, servers * 3).with(rules(1 + random.nextInt(2)));
      world.withOperator(0);
      if (random.nextInt(3) == 0) {
        world.withOperator(random.nextInt(8));
      }
      world.hbase().refusing = random.nextInt(2) * 0.1;
      change(world, "", 2, 5);
      change(world, SimulatedKubernetes.MASTERS, 2, 5);
      for (int i = random.nextInt(6); i > 0; i--) {
        disturb(world, random, servers);
      }
      world.run();
      world.assertRolled();
    }
  }

  private static void disturb(Simulation world, Random random, int servers) {
    int second = 5 + random.nextInt(200);
    var pod = SimulatedKubernetes.podName("", random.nextInt(servers));
    switch (random.nextInt(4)) {
      case 0 -> world.at(second, () -> world.disturbances().crash(pod));
      case 1 -> world.at(second, () -> world.deleteByHand(pod));
      case 2 -> change(world, "", 3 + random.nextInt(3), second);
      default -> {
        change(world, "", -5, second);
        change(world, "", 6, second + 20 + random.nextInt(300));
      }
    }
  }

  private static Simulation rolled(long seed) {
    var world = Simulation.of(seed, 3, 10).with(rules(1)).withOperator(0);
    change(world, "", 2, 5);
    change(world, SimulatedKubernetes.MASTERS, 2, 5);
    return world;
  }

  private static void change(Simulation world, String group, int revision, int second) {
    world.at(second, () -> world.kubernetes().change(group, revision));
  }

  private static RolloutRules rules(int maxUnavailable) {
    return new RolloutRules(
        maxUnavailable,
        Duration.ofMinutes(10),
        Duration.ofMinutes(2),
        Optional.empty(),
        false,
        true);
  }

  private static RolloutRules canaryRules() {
    return new RolloutRules(
        2,
        Duration.ofMinutes(10),
        Duration.ofMinutes(2),
        Optional.of(Duration.ofMinutes(1)),
        false,
        true);
  }
}
