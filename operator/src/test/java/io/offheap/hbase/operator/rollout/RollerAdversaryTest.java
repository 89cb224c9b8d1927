package io.offheap.hbase.operator.rollout;

import io.offheap.hbase.operator.Slow;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Whole rollouts in a simulation, against an {@link Adversary}. */
class RollerAdversaryTest {
  /**
   * {@code adversary.seeds} runs, 200 by default, from the seed {@code adversary.first} on. In each
   * fourth, ZooKeeper and HDFS are external, so that the operator cannot see their outages. The
   * message of a failure lists the steps of its seed.
   */
  @Test
  @Slow
  void survivesRandomAdversary() {
    long first = Long.getLong("adversary.first", 0);
    long end = first + Long.getLong("adversary.seeds", 200);
    // Each seed is a world of its own. Thrown on another thread, an error would lose its message.
    LongStream.range(first, end)
        .parallel()
        .mapToObj(RollerAdversaryTest::failureOf)
        .flatMap(Optional::stream)
        .findFirst()
        .ifPresent(
            failure -> {
              throw failure;
            });
  }

  private static Optional<AssertionError> failureOf(long seed) {
    try {
      attacked(seed);
      return Optional.empty();
    } catch (AssertionError | RuntimeException e) {
      return Optional.of(new AssertionError("seed " + seed + ": " + e.getMessage(), e));
    }
  }

  private static void attacked(long seed) {
    var random = new Random(seed);
    int servers = 2 + random.nextInt(4);
    var canary =
        random.nextInt(4) == 0 ? Optional.<Duration>empty() : Optional.of(Duration.ofMinutes(1));
    var world =
        Simulation.of(seed, 1 + random.nextInt(3), servers, servers * 2)
            .with(
                new RolloutRules(
                    1 + random.nextInt(2),
                    Duration.ofMinutes(10),
                    Duration.ofMinutes(2),
                    canary,
                    false,
                    true))
            .withOperator(random.nextInt(3));
    if (random.nextInt(3) == 0) {
      int others = 1 + random.nextInt(3);
      world.withGroup("archive", others).fill((servers + others) * 2);
      if (random.nextBoolean()) {
        change(world, "archive", 2);
      }
    }
    if (random.nextBoolean()) {
      change(world, SimulatedKubernetes.MASTERS, 2);
    }
    change(world, "", List.of(2, 2, 2, 7, 7, 7, -3).get(random.nextInt(7)));
    if (random.nextInt(4) == 0) {
      world.at(5, world.kubernetes().group("")::forget);
    }
    if (seed % 4 == 3) {
      world.infrastructure().makeExternal();
    }
    world.against(random);
    world.run();
    world.assertSettled();
  }

  private static void change(Simulation world, String group, int revision) {
    world.at(5, () -> world.kubernetes().change(group, revision));
  }
}
