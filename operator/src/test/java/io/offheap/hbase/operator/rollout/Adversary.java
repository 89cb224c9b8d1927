package io.offheap.hbase.operator.rollout;

import io.offheap.hbase.operator.rollout.SimulatedInfrastructure.Service;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Disturbs a rollout at random reconciliations, and in the end stops.
 *
 * <p>A seed has two to nine steps, seconds to half an hour apart. Each step does one of these at
 * random:
 *
 * <ul>
 *   <li>To a pod of any group of region servers or of the masters: deletes or evicts it, ends its
 *       process, silences it, silences or reboots its node, or loses both. While a master is being
 *       restarted, half of these steps are about the masters.
 *   <li>Declares another revision of a group or of the masters, which may be worse or not start, or
 *       another number of pods of either. Pauses and resumes the rollout.
 *   <li>Ends the operator for seconds to days, and may delete a pod meanwhile. Sets its clock.
 *   <li>Makes HBase unresponsive, or takes all metrics away.
 *   <li>Ends the service of ZooKeeper or HDFS, or one pod of them, for seconds to an hour. In half
 *       of the cases in which a process that waits for them may exit, the next step comes after it.
 *   <li>Removes the nodes that new pods need, or exhausts a quota.
 *   <li>Refuses the writes of a kind for up to 200 s ({@link OperatorWrites.Kind}).
 * </ul>
 *
 * <p>What lasts is ended when the adversary stops. Declared revisions and numbers stay, but for
 * those that cannot start and are not rolled back: of masters, of a group of which no earlier spec
 * is known, and, without a canary, of a server whose pod was replaced from outside.
 */
final class Adversary {
  private static final int MASTER_OF_LATER = 4;
  private static final int LONGER_THAN_ANY_STEP = 1200;

  /** Processes have waited for longer, and exited. */
  private static final int LONGER_THAN_WAITS = 300;

  private final Simulation world;
  private final Random random;
  private final List<String> steps = new ArrayList<>();
  private int left;
  private int next;

  Adversary(Simulation world, Random random) {
    this.world = world;
    this.random = random;
    this.left = 2 + random.nextInt(8);
    this.next = 1 + random.nextInt(60);
  }

  List<String> steps() {
    return steps;
  }

  boolean isDone() {
    return left < 0;
  }

  /** Before each reconciliation; whether it did something. */
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
    switch (random.nextInt(26)) {
      case 0, 1, 2, 3, 4, 5, 6, 7 -> disturbPod(second, anyPod());
      case 8, 9 -> changeServers(second, oneOf(kubernetes.serverGroups()));
      case 10 -> {
        var group = oneOf(List.copyOf(kubernetes.groups().keySet()));
        int replicas = group.isEmpty() ? 2 + random.nextInt(4) : 1 + random.nextInt(3);
        did(
            second,
            "declared " + replicas + " pods" + of(group),
            () -> kubernetes.declare(group, replicas));
      }
      case 11 -> changeMasters(second, 1 + random.nextInt(MASTER_OF_LATER));
      case 12 -> changeMasters(second, -4);
      case 13 -> {
        boolean isPaused = !world.rules().isPaused();
        did(second, "paused: " + isPaused, () -> pause(isPaused));
      }
      case 14, 15 -> endOperator(second);
      case 16 -> {
        long seconds = Math.round(Math.pow(10, 5.5 * random.nextDouble()));
        var jump = Duration.ofSeconds(random.nextBoolean() ? seconds : -seconds);
        did(second, "clock jumps by " + jump, () -> world.jump(jump));
      }
      case 17 -> {
        boolean isUnresponsive = !world.hbase().isUnresponsive;
        did(
            second,
            "HBase unresponsive: " + isUnresponsive,
            () -> world.hbase().isUnresponsive = isUnresponsive);
      }
      case 18 -> {
        boolean isWithoutMetrics = !world.metrics().isWithoutMetrics;
        did(
            second,
            "without metrics: " + isWithoutMetrics,
            () -> world.metrics().isWithoutMetrics = isWithoutMetrics);
      }
      case 19, 20 -> failInfrastructure(second);
      case 21 -> {
        boolean hasRoom = !kubernetes.hasRoom;
        did(second, "room for pods: " + hasRoom, () -> kubernetes.hasRoom = hasRoom);
      }
      case 22 -> {
        boolean isAdmitting = !kubernetes.isAdmitting;
        did(second, "admits pods: " + isAdmitting, () -> kubernetes.isAdmitting = isAdmitting);
      }
      default -> {
        var kind = oneOf(List.of(OperatorWrites.Kind.values()));
        var time = Duration.ofSeconds(1 + random.nextInt(200));
        did(
            second,
            "refuses writes for " + time + ": " + kind,
            () -> world.writes().refuse(kind, time));
      }
    }
  }

  private void disturbPod(int second, String pod) {
    switch (random.nextInt(9)) {
      case 0, 1 -> did(second, "deleted " + pod, () -> world.deleteByHand(pod));
      case 2 -> did(second, "lost the node of " + pod, () -> world.disturbances().lose(pod));
      case 3 -> did(second, "crashed " + pod, () -> world.disturbances().crash(pod));
      case 4 -> did(second, "silenced " + pod, () -> world.disturbances().silence(pod));
      case 5, 6 -> {
        var time = Duration.ofSeconds(Math.round(Math.pow(10, 1 + 2.3 * random.nextDouble())));
        boolean isServerLost = random.nextInt(3) > 0;
        did(
            second,
            (isServerLost ? "lost the node of " : "silenced the node of ") + pod + " for " + time,
            () -> world.disturbances().silence(pod, isServerLost, time));
      }
      case 7 -> did(second, "evicted " + pod, () -> world.disturbances().evict(pod));
      default -> {
        var time = Duration.ofSeconds(5 + random.nextInt(12));
        did(
            second,
            "rebooted the node of " + pod,
            () -> world.disturbances().silence(pod, true, time));
      }
    }
  }

  /** A pod of any role, and more often a master's while one is being restarted. */
  private String anyPod() {
    boolean isRestarting = world.memory().flatMap(Rollout::master).isPresent();
    boolean isMaster = random.nextInt(isRestarting ? 2 : 5) == 0;
    var group = isMaster ? SimulatedKubernetes.MASTERS : oneOf(world.kubernetes().serverGroups());
    var pods = world.kubernetes().of(group);
    return pods.isEmpty() ? SimulatedKubernetes.podName(group, 0) : oneOf(pods).name;
  }

  private void changeServers(int second, String group) {
    // Without a canary, servers whose pods were replaced from outside are not compared.
    int kinds = world.rules().canaryWindow().isPresent() ? 9 : 7;
    int revision = List.of(1, 2, 3, 7, 17, 4, 5, -3, -4).get(random.nextInt(kinds));
    did(
        second,
        "declared revision " + revision + of(group),
        () -> world.kubernetes().change(group, revision));
  }

  private static String of(String group) {
    return group.isEmpty() ? "" : " of " + group;
  }

  private void changeMasters(int second, int revision) {
    did(
        second,
        "declared revision " + revision + " of masters",
        () -> world.kubernetes().change(SimulatedKubernetes.MASTERS, revision));
  }

  private void endOperator(int second) {
    var away = Duration.ofSeconds(Math.round(Math.pow(10, 5.5 * random.nextDouble())));
    var meanwhile = random.nextBoolean() ? Optional.of(anyPod()) : Optional.<String>empty();
    did(
        second,
        "operator stopped for " + away + meanwhile.map(it -> ", deleted " + it).orElse(""),
        () -> world.stopOperator(away, meanwhile));
  }

  private void failInfrastructure(int second) {
    var service = oneOf(List.of(Service.values()));
    boolean isWhole = random.nextInt(4) > 0;
    int seconds = (int) Math.round(Math.pow(10, 0.7 + 2.86 * random.nextDouble()));
    if (isWhole && seconds > LONGER_THAN_WAITS && random.nextBoolean()) {
      next = second + seconds + random.nextInt(20);
    }
    var time = Duration.ofSeconds(seconds);
    did(
        second,
        (isWhole ? "" : "one pod of ") + service + " does not serve for " + time,
        () -> world.infrastructure().fail(service, isWhole, time));
  }

  /** Of masters, of a group of which no earlier spec is known, and of what is not compared. */
  private void correctWhatIsNotRolledBack() {
    var kubernetes = world.kubernetes();
    kubernetes
        .groups()
        .forEach(
            (name, group) -> {
              boolean isMasters = name.equals(SimulatedKubernetes.MASTERS);
              if (group.revision < 0
                  && (isMasters || !group.hasOlder() || isReplacedFromOutside(name))) {
                kubernetes.change(name, 1);
              }
            });
  }

  /** A pod that no restart is about has the change, or is missing and gets it. */
  private boolean isReplacedFromOutside(String group) {
    var set = world.kubernetes().group(group);
    return world.rules().canaryWindow().isEmpty()
        && IntStream.range(0, set.declared)
            .mapToObj(it -> SimulatedKubernetes.podName(group, it))
            .filter(it -> world.memory().flatMap(at -> at.restartOf(it)).isEmpty())
            .anyMatch(
                it ->
                    world
                        .kubernetes()
                        .pod(it)
                        .filter(pod -> pod.revision != set.revision)
                        .isEmpty());
  }

  private <T> T oneOf(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  private void heal(int second) {
    did(
        second,
        "stops",
        () -> {
          world.infrastructure().heal();
          world.writes().heal();
          world.hbase().isUnresponsive = false;
          world.hbase().silent.clear();
          world.kubernetes().hasRoom = true;
          world.kubernetes().isAdmitting = true;
          world.kubernetes().heal();
          world.metrics().isWithoutMetrics = false;
          correctWhatIsNotRolledBack();
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
