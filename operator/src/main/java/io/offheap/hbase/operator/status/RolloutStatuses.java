package io.offheap.hbase.operator.status;

import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.RolloutStatus;
import io.offheap.hbase.operator.api.RolloutStatusBuilder;
import io.offheap.hbase.operator.api.RolloutStatusCanaryBuilder;
import io.offheap.hbase.operator.api.RolloutStatusFinishedServerBuilder;
import io.offheap.hbase.operator.api.RolloutStatusServerBuilder;
import io.offheap.hbase.operator.rollout.Rollout;
import io.offheap.hbase.operator.rollout.Rollout.Canary;
import io.offheap.hbase.operator.rollout.Rollout.Finished;
import io.offheap.hbase.operator.rollout.Rollout.MasterRestart;
import io.offheap.hbase.operator.rollout.Rollout.Passed;
import io.offheap.hbase.operator.rollout.Rollout.Switches;
import io.offheap.hbase.operator.rollout.RolloutCanaryBuilder;
import io.offheap.hbase.operator.rollout.ServerRestart;
import io.offheap.hbase.operator.rollout.ServerRestart.Cancellation;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The stored state of a rollout in status. */
public final class RolloutStatuses {
  private static final Instant LATEST = Instant.parse("9999-01-01T00:00:00Z");
  private static final Duration LONGEST = Duration.ofDays(365);

  private RolloutStatuses() {}

  /**
   * The state for status.
   *
   * @param samples samples of the canary and its peers when the comparison began
   * @param waitingFor what the rollout waits for; null for nothing
   */
  static RolloutStatus of(Rollout rollout, List<RolloutStatus.Sample> samples, String waitingFor) {
    return RolloutStatusBuilder.builder()
        .started(rollout.started().toString())
        .balancer(rollout.before().map(Switches::balancer).orElse(null))
        .normalizer(rollout.before().map(Switches::normalizer).orElse(null))
        .waitingFor(waitingFor)
        .servers(rollout.restarts().stream().map(RolloutStatuses::of).toList())
        .master(rollout.master().map(RolloutStatuses::of).orElse(null))
        .canary(rollout.canary().map(it -> of(it, samples)).orElse(null))
        .notBefore(rollout.notBefore().map(Instant::toString).orElse(null))
        .finished(finished(rollout))
        .passed(passed(rollout))
        .build();
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

  private static RolloutStatus.Server of(ServerRestart restart) {
    return RolloutStatusServerBuilder.builder()
        .pod(restart.pod())
        .uid(restart.uid())
        .serverName(restart.server())
        .cause(text(restart.cause()))
        .step(text(restart.step()))
        .since(restart.since().toString())
        .regions(restart.regions().orElse(null))
        .emptyAt(restart.emptyAt().map(Instant::toString).orElse(null))
        .cancelled(restart.cancelled().map(RolloutStatuses::text).orElse(null))
        .canary(restart.isCanary() ? true : null)
        .times(of(restart.times()))
        .build();
  }

  private static RolloutStatus.Times of(ServerRestart.Times times) {
    return new RolloutStatus.Times(
        times.drain().toMillis(),
        times.stop().toMillis(),
        times.start().toMillis(),
        times.bringBack().toMillis());
  }

  private static RolloutStatus.Master of(MasterRestart restart) {
    return new RolloutStatus.Master(
        restart.pod(), restart.uid(), restart.server().orElse(null), restart.since().toString());
  }

  private static RolloutStatus.Canary of(Canary canary, List<RolloutStatus.Sample> samples) {
    return RolloutStatusCanaryBuilder.builder()
        .group(canary.group())
        .pod(canary.pod())
        .since(canary.since().toString())
        .uid(canary.uid())
        .unlisted(canary.unlisted().map(Instant::toString).orElse(null))
        .unreported(canary.unreported().map(Instant::toString).orElse(null))
        .again(canary.again().map(Instant::toString).orElse(null))
        .restarts(canary.restarts())
        .nodeLosses(canary.nodeLosses())
        .samples(samples)
        .build();
  }

  private static RolloutStatus.FinishedServer of(Finished restart) {
    return RolloutStatusFinishedServerBuilder.builder()
        .pod(restart.pod())
        .cause(text(restart.cause()))
        .outcome(text(restart.outcome()))
        .regions(restart.regions())
        .drainMillis(restart.times().drain().toMillis())
        .stopMillis(restart.times().stop().toMillis())
        .startMillis(restart.times().start().toMillis())
        .returnMillis(restart.times().bringBack().toMillis())
        .ended(restart.ended().map(Instant::toString).orElse(null))
        .build();
  }

  /** The rollout in a status; empty if it has none, or an incomplete one without a start. */
  public static Optional<Rollout> read(HBaseClusterStatus status) {
    return Optional.ofNullable(status)
        .map(HBaseClusterStatus::rollout)
        .filter(it -> it.started() != null)
        .map(RolloutStatuses::read);
  }

  /**
   * Of a text that is no time, the beginning counts as long ago, a restart as left behind, and all
   * else as absent: a reconciliation must not fail for it.
   */
  static Rollout read(RolloutStatus status) {
    return new Rollout(
        time(status.started()).orElse(Instant.EPOCH),
        status.balancer() == null || status.normalizer() == null
            ? Optional.empty()
            : Optional.of(new Switches(status.balancer(), status.normalizer())),
        each(status.servers()).filter(it -> it.pod() != null).map(RolloutStatuses::read).toList(),
        // Fields of another writer remain when the operator removes its own.
        Optional.ofNullable(status.master())
            .filter(it -> it.pod() != null && time(it.since()).isPresent())
            .map(RolloutStatuses::read),
        Optional.ofNullable(status.canary())
            .filter(it -> it.pod() != null && time(it.since()).isPresent())
            .map(RolloutStatuses::read),
        time(status.notBefore()),
        each(status.finished()).map(RolloutStatuses::read).flatMap(Optional::stream).toList(),
        each(status.passed())
            .filter(it -> it.pod() != null && time(it.since()).isPresent())
            .map(RolloutStatuses::read)
            .toList());
  }

  /** A time with which sums do not fail; empty for any other text. */
  private static Optional<Instant> time(String text) {
    if (text == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(Instant.parse(text))
          .filter(it -> !it.isBefore(Instant.EPOCH) && it.isBefore(LATEST));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  private static <T> Stream<T> each(List<T> list) {
    return Optional.ofNullable(list).stream().flatMap(List::stream);
  }

  /**
   * A restart with an unknown cause or step ends: the server may get regions again, and is
   * restarted later if it is outdated.
   */
  private static ServerRestart read(RolloutStatus.Server server) {
    var cause = constant(ServerRestart.Cause.values(), server.cause());
    var step = constant(ServerRestart.Step.values(), server.step());
    var name = Optional.ofNullable(server.serverName()).orElse("");
    var since = time(server.since());
    if (cause.isEmpty() || step.isEmpty() || since.isEmpty() || server.uid() == null) {
      return ServerRestart.leftBehind(server.pod(), name, since.orElse(Instant.EPOCH));
    }
    return ServerRestart.of(server.pod(), server.uid(), since.get())
        .server(name)
        .cause(cause.get())
        .step(step.get(), since.get())
        .regions(Optional.ofNullable(server.regions()))
        .emptyAt(time(server.emptyAt()))
        .cancelled(constant(Cancellation.values(), server.cancelled()))
        .canary(Boolean.TRUE.equals(server.canary()))
        .times(read(server.times()))
        .build();
  }

  /** None where the status has none, as one of an older version. */
  private static ServerRestart.Times read(RolloutStatus.Times stored) {
    var times = Objects.requireNonNullElse(stored, new RolloutStatus.Times(0, 0, 0, 0));
    return new ServerRestart.Times(
        duration(times.drainMillis()),
        duration(times.stopMillis()),
        duration(times.startMillis()),
        duration(times.returnMillis()));
  }

  /** Bounded, since steps add to it, and it is written as milliseconds again. */
  private static Duration duration(long millis) {
    return Duration.ofMillis(Math.max(0, Math.min(millis, LONGEST.toMillis())));
  }

  private static MasterRestart read(RolloutStatus.Master master) {
    return new MasterRestart(
        master.pod(),
        Optional.ofNullable(master.uid()).orElse(""),
        Optional.ofNullable(master.serverName()),
        time(master.since()).orElseThrow());
  }

  private static Canary read(RolloutStatus.Canary canary) {
    return RolloutCanaryBuilder.builder(waiting(canary.group(), canary.pod(), canary.since()))
        // The version before counted the restarts of all containers: the comparison begins anew.
        .uid(Optional.ofNullable(canary.uid()).filter(it -> canary.nodeLosses() != null).orElse(""))
        .unlisted(time(canary.unlisted()))
        .unreported(time(canary.unreported()))
        .again(time(canary.again()))
        .restarts(Optional.ofNullable(canary.restarts()).orElse(0))
        .nodeLosses(Optional.ofNullable(canary.nodeLosses()).orElse(0))
        .build();
  }

  private static Canary waiting(String group, String pod, String since) {
    return Canary.waiting(Optional.ofNullable(group).orElse(""), pod, time(since).orElseThrow());
  }

  private static Passed read(RolloutStatus.Passed passed) {
    return new Passed(
        waiting(passed.group(), passed.pod(), passed.since()), each(passed.evidence()).toList());
  }

  /** The restarts of a rollout that is over. */
  public static List<Finished> restarts(RolloutStatus.Finished rollout) {
    return each(rollout.servers())
        .filter(Objects::nonNull)
        .map(RolloutStatuses::read)
        .flatMap(Optional::stream)
        .toList();
  }

  /** Empty for an unknown cause or outcome of another version of the operator. */
  private static Optional<Finished> read(RolloutStatus.FinishedServer server) {
    var cause = constant(ServerRestart.Cause.values(), server.cause());
    var outcome = constant(Rollout.Outcome.values(), server.outcome());
    return cause.isEmpty() || outcome.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Finished(
                server.pod(),
                cause.get(),
                outcome.get(),
                server.regions(),
                new ServerRestart.Times(
                    Duration.ofMillis(server.drainMillis()),
                    Duration.ofMillis(server.stopMillis()),
                    Duration.ofMillis(server.startMillis()),
                    Duration.ofMillis(server.returnMillis())),
                time(server.ended())));
  }

  /** A constant's text in status: in CamelCase, Kubernetes' convention. */
  static String text(Enum<?> constant) {
    return Arrays.stream(constant.name().split("_"))
        .map(it -> it.charAt(0) + it.substring(1).toLowerCase(Locale.ROOT))
        .collect(Collectors.joining());
  }

  /** The constant of a text; also of its own name, which the previous version wrote. */
  private static <E extends Enum<E>> Optional<E> constant(E[] all, String text) {
    return Arrays.stream(all)
        .filter(it -> text(it).equals(text) || it.name().equals(text))
        .findFirst();
  }
}
