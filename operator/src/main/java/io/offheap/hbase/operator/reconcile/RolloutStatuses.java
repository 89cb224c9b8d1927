package io.offheap.hbase.operator.reconcile;

import io.offheap.hbase.operator.api.RolloutStatus;
import io.offheap.hbase.operator.rollout.Rollout;
import io.offheap.hbase.operator.rollout.Rollout.Canary;
import io.offheap.hbase.operator.rollout.Rollout.Finished;
import io.offheap.hbase.operator.rollout.Rollout.MasterTurn;
import io.offheap.hbase.operator.rollout.Rollout.Passed;
import io.offheap.hbase.operator.rollout.Rollout.Switches;
import io.offheap.hbase.operator.rollout.Turn;
import io.offheap.hbase.operator.rollout.Turn.GivenUp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What is remembered of a rollout, as status keeps it. */
final class RolloutStatuses {
  private RolloutStatuses() {}

  /**
   * As status has it.
   *
   * @param samples what servers said when the canary began to be watched
   * @param waitingFor what is waited for; null for nothing
   */
  static RolloutStatus of(Rollout rollout, List<RolloutStatus.Sample> samples, String waitingFor) {
    return new RolloutStatus(
        rollout.started().toString(),
        rollout.before().map(Switches::balancer).orElse(null),
        rollout.before().map(Switches::normalizer).orElse(null),
        waitingFor,
        rollout.turns().stream().map(RolloutStatuses::of).toList(),
        rollout.master().map(RolloutStatuses::of).orElse(null),
        rollout.canary().map(it -> of(it, samples)).orElse(null),
        rollout.notBefore().map(Instant::toString).orElse(null),
        finished(rollout),
        passed(rollout));
  }

  static List<RolloutStatus.FinishedServer> finished(Rollout rollout) {
    return rollout.finished().stream().map(RolloutStatuses::of).toList();
  }

  static List<RolloutStatus.Passed> passed(Rollout rollout) {
    return rollout.passed().stream()
        .map(
            it ->
                new RolloutStatus.Passed(
                    it.canary().group(),
                    it.canary().pod(),
                    it.canary().since().toString(),
                    it.evidence()))
        .toList();
  }

  private static RolloutStatus.Server of(Turn turn) {
    return new RolloutStatus.Server(
        turn.pod(),
        turn.uid(),
        turn.server(),
        turn.cause().name(),
        turn.step().name(),
        turn.since().toString(),
        turn.regions().orElse(null),
        turn.emptyAt().map(Instant::toString).orElse(null),
        turn.givenUp().isPresent() ? true : null,
        turn.givenUp().filter(GivenUp.NOT_WANTED::equals).isPresent() ? true : null,
        turn.isCanary() ? true : null,
        of(turn.times()));
  }

  private static RolloutStatus.Times of(Turn.Times times) {
    return new RolloutStatus.Times(
        seconds(times.drain()),
        seconds(times.stop()),
        seconds(times.start()),
        seconds(times.bringBack()));
  }

  private static RolloutStatus.Master of(MasterTurn turn) {
    return new RolloutStatus.Master(
        turn.pod(), turn.uid(), turn.server().orElse(null), turn.since().toString());
  }

  private static RolloutStatus.Canary of(Canary canary, List<RolloutStatus.Sample> samples) {
    return new RolloutStatus.Canary(
        canary.group(),
        canary.pod(),
        canary.since().toString(),
        canary.uid(),
        canary.restarts(),
        samples);
  }

  private static RolloutStatus.FinishedServer of(Finished turn) {
    return new RolloutStatus.FinishedServer(
        turn.pod(),
        turn.cause().name(),
        turn.outcome().name(),
        turn.regions(),
        seconds(turn.times().drain()),
        seconds(turn.times().stop()),
        seconds(turn.times().start()),
        seconds(turn.times().bringBack()));
  }

  static Rollout read(RolloutStatus status) {
    return new Rollout(
        Instant.parse(status.started()),
        status.balancer() == null || status.normalizer() == null
            ? Optional.empty()
            : Optional.of(new Switches(status.balancer(), status.normalizer())),
        each(status.servers()).map(RolloutStatuses::read).toList(),
        Optional.ofNullable(status.master()).map(RolloutStatuses::read),
        Optional.ofNullable(status.canary()).map(RolloutStatuses::read),
        Optional.ofNullable(status.notBefore()).map(Instant::parse),
        each(status.finished()).map(RolloutStatuses::read).toList(),
        each(status.passed()).map(RolloutStatuses::read).toList());
  }

  private static <T> Stream<T> each(List<T> list) {
    return Optional.ofNullable(list).stream().flatMap(List::stream);
  }

  private static Turn read(RolloutStatus.Server server) {
    return new Turn(
        server.pod(),
        server.uid(),
        Optional.ofNullable(server.serverName()).orElse(""),
        Turn.Cause.valueOf(server.cause()),
        Turn.Step.valueOf(server.step()),
        Instant.parse(server.since()),
        Optional.ofNullable(server.regions()),
        Optional.ofNullable(server.emptyAt()).map(Instant::parse),
        givenUp(server),
        Boolean.TRUE.equals(server.canary()),
        read(server.times()));
  }

  private static Optional<GivenUp> givenUp(RolloutStatus.Server server) {
    if (!Boolean.TRUE.equals(server.gaveUp())) {
      return Optional.empty();
    }
    return Optional.of(
        Boolean.TRUE.equals(server.notWanted()) ? GivenUp.NOT_WANTED : GivenUp.TIMED_OUT);
  }

  private static Turn.Times read(RolloutStatus.Times times) {
    return new Turn.Times(
        duration(times.drain()),
        duration(times.stop()),
        duration(times.start()),
        duration(times.bringBack()));
  }

  private static MasterTurn read(RolloutStatus.Master master) {
    return new MasterTurn(
        master.pod(),
        master.uid(),
        Optional.ofNullable(master.serverName()),
        Instant.parse(master.since()));
  }

  private static Canary read(RolloutStatus.Canary canary) {
    return new Canary(
        Optional.ofNullable(canary.group()).orElse(""),
        canary.pod(),
        Instant.parse(canary.since()),
        Optional.ofNullable(canary.uid()).orElse(""),
        Optional.ofNullable(canary.restarts()).orElse(0));
  }

  private static Passed read(RolloutStatus.Passed passed) {
    return new Passed(
        new Canary(
            Optional.ofNullable(passed.group()).orElse(""),
            passed.pod(),
            Instant.parse(passed.since()),
            "",
            0),
        each(passed.evidence()).toList());
  }

  private static Finished read(RolloutStatus.FinishedServer server) {
    return new Finished(
        server.pod(),
        Turn.Cause.valueOf(server.cause()),
        Rollout.Outcome.valueOf(server.outcome()),
        server.regions(),
        new Turn.Times(
            duration(server.drainSeconds()),
            duration(server.stopSeconds()),
            duration(server.startSeconds()),
            duration(server.returnSeconds())));
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }

  private static Duration duration(double seconds) {
    return Duration.ofMillis(Math.round(seconds * 1000));
  }
}
