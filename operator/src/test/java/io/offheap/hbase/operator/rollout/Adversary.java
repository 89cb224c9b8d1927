package io.offheap.hbase.operator.rollout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Disturbs a rollout at random reconciliations: ends the operator for seconds to days, sets its
 * clock, makes HBase or one server unresponsive, deletes, evicts and crashes pods, edits and
 * reverts the spec, removes the nodes that new pods need, silences and reboots nodes, declares
 * masters that cannot start, takes all metrics away, exhausts a quota, and refuses writes. In the
 * end it stops.
 */
final class Adversary {
  private static final int MASTER_OF_LATER = 4;
  private static final int LONGER_THAN_ANY_STEP = 1200;

  private final Simulation world;
  private final Random random;
  private final List<String> steps = new ArrayList<>();
  private int left;
  private int next;

  Adversary(Simulation world, Random random) {
    this.world = world;
    this.random = random;
    this.left = 2 + random.nextInt(9);
    this.next = 1 + random.nextInt(60);
  }

  List<String> steps() {
    return steps;
  }

  boolean isDone() {
    return left < 0;
  }

  /** Before each pass; whether it did something. */
  boolean act(int second) {
    if (isDone() || second < next) {
      return false;
    }
    // Some waits last for longer than any step of a rollout.
    next =
        second
            + (random.nextInt(8) == 0
                ? LONGER_THAN_ANY_STEP + random.nextInt(600)
                : 1 + random.nextInt(random.nextBoolean() ? 20 : 200));
    if (left-- > 0) {
      step(second);
    } else {
      heal(second);
    }
    return true;
  }

  private void step(int second) {
    var kubernetes = world.kubernetes();
    var pods = kubernetes.of("");
    var pod = pods.isEmpty() ? "hb-rs-0" : pods.get(random.nextInt(pods.size())).name;
    switch (random.nextInt(22)) {
      case 0 -> did(second, "deleted " + pod, () -> world.deleteByHand(pod));
      case 1 -> did(second, "lost the node of " + pod, () -> world.lose(pod));
      case 2 -> did(second, "crashed " + pod, () -> world.crash(pod));
      case 3, 4 -> {
        // Without a canary, servers whose pods were replaced from outside are not compared.
        int kinds = world.rules().canaryWindow().isPresent() ? 9 : 7;
        int revision = List.of(1, 2, 3, 7, 17, 4, 5, -3, -4).get(random.nextInt(kinds));
        did(second, "declared revision " + revision, () -> kubernetes.change("", revision));
      }
      case 5 -> {
        int replicas = 2 + random.nextInt(4);
        did(second, "declared " + replicas + " servers", () -> kubernetes.declare("", replicas));
      }
      case 6 -> {
        int revision = 1 + random.nextInt(MASTER_OF_LATER);
        did(
            second,
            "declared revision " + revision + " of masters",
            () -> kubernetes.change(SimulatedKubernetes.MASTERS, revision));
      }
      case 7 -> {
        boolean isUnresponsive = !world.hbase().isUnresponsive;
        did(
            second,
            "HBase unresponsive: " + isUnresponsive,
            () -> world.hbase().isUnresponsive = isUnresponsive);
      }
      case 8 -> did(second, "silenced " + pod, () -> world.silence(pod));
      case 9 -> {
        boolean isPaused = !world.rules().isPaused();
        did(second, "paused: " + isPaused, () -> pause(isPaused));
      }
      case 10 -> {
        boolean hasRoom = !kubernetes.hasRoom;
        did(second, "room for pods: " + hasRoom, () -> kubernetes.hasRoom = hasRoom);
      }
      case 11, 12 -> {
        var away = Duration.ofSeconds(Math.round(Math.pow(10, 5.5 * random.nextDouble())));
        var meanwhile = random.nextBoolean() ? Optional.of(pod) : Optional.<String>empty();
        did(
            second,
            "operator stopped for " + away + meanwhile.map(it -> ", deleted " + it).orElse(""),
            () -> world.away(away, meanwhile));
      }
      case 13 -> {
        long seconds = Math.round(Math.pow(10, 5.5 * random.nextDouble()));
        var jump = Duration.ofSeconds(random.nextBoolean() ? seconds : -seconds);
        did(second, "clock jumps by " + jump, () -> world.jump(jump));
      }
      case 14, 15 -> {
        var time = Duration.ofSeconds(Math.round(Math.pow(10, 1 + 2.3 * random.nextDouble())));
        boolean isServerLost = random.nextInt(3) > 0;
        did(
            second,
            (isServerLost ? "lost the node of " : "silenced the node of ") + pod + " for " + time,
            () -> world.silence(pod, isServerLost, time));
      }
      case 16 -> {
        var time = Duration.ofSeconds(5 + random.nextInt(12));
        did(second, "rebooted the node of " + pod, () -> world.silence(pod, true, time));
      }
      case 17 ->
          did(
              second,
              "declared masters that cannot start",
              () -> kubernetes.change(SimulatedKubernetes.MASTERS, -4));
      case 18 -> {
        boolean isWithoutMetrics = !world.isWithoutMetrics;
        did(
            second,
            "without metrics: " + isWithoutMetrics,
            () -> world.isWithoutMetrics = isWithoutMetrics);
      }
      case 19 -> {
        boolean isAdmitting = !kubernetes.isAdmitting;
        did(second, "admits pods: " + isAdmitting, () -> kubernetes.isAdmitting = isAdmitting);
      }
      default -> {
        var kind = List.of("status", "delete", "command").get(random.nextInt(3));
        did(second, "refuses a " + kind, () -> world.refuse(kind));
      }
    }
  }

  private void heal(int second) {
    did(
        second,
        "stops",
        () -> {
          world.hbase().isUnresponsive = false;
          world.hbase().silent.clear();
          world.kubernetes().hasRoom = true;
          world.kubernetes().isAdmitting = true;
          world.kubernetes().heal();
          world.isWithoutMetrics = false;
          if (world.kubernetes().group(SimulatedKubernetes.MASTERS).revision < 0) {
            world.kubernetes().change(SimulatedKubernetes.MASTERS, 1);
          }
          pause(false);
        });
  }

  private void pause(boolean isPaused) {
    var it = world.rules();
    world.with(
        new RolloutRules(
            it.maxUnavailable(),
            it.drainTimeout(),
            it.startTimeout(),
            it.canaryWindow(),
            isPaused,
            it.isWindowOpen()));
  }

  private void did(int second, String what, Runnable act) {
    steps.add(second + " " + what);
    act.run();
  }
}
