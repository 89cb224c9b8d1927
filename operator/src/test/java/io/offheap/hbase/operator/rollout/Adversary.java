package io.offheap.hbase.operator.rollout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Disturbs a rollout at random reconciliations: ends the operator for seconds to days, sets its
 * clock, makes HBase or one server unresponsive, deletes, evicts and crashes pods, edits and
 * reverts the spec, removes the nodes that new pods need, exhausts a quota, and refuses writes. In
 * the end it stops.
 */
final class Adversary {
  private static final int MASTER_OF_LATER = 4;

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

  /** Before each pass. */
  void act(int second) {
    if (isDone() || second < next) {
      return;
    }
    next = second + 1 + random.nextInt(random.nextBoolean() ? 20 : 200);
    if (left-- > 0) {
      step(second);
    } else {
      heal(second);
    }
  }

  private void step(int second) {
    var kubernetes = world.kubernetes();
    var pods = kubernetes.of("");
    var pod = pods.isEmpty() ? "hb-rs-0" : pods.get(random.nextInt(pods.size())).name;
    switch (random.nextInt(17)) {
      case 0 -> did(second, "deleted " + pod, () -> world.deleteByHand(pod));
      case 1 -> did(second, "lost the node of " + pod, () -> kubernetes.lose(pod));
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
      case 8 ->
          did(
              second,
              "silenced " + pod,
              () ->
                  kubernetes
                      .pod(pod)
                      .flatMap(it -> it.server)
                      .ifPresent(world.hbase().silent::add));
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
      case 14 -> {
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
