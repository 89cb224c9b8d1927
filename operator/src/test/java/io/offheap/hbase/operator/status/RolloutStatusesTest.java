package io.offheap.hbase.operator.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.RolloutStatus;
import io.offheap.hbase.operator.rollout.Rollout;
import io.offheap.hbase.operator.rollout.ServerRestart;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Status as another operator version, or a person, has written it. */
class RolloutStatusesTest {
  private static final String TIMES =
      "times: {drainMillis: 1000, stopMillis: 0, startMillis: 0, returnMillis: 0}";

  @Test
  void cancellationIsReadAsWritten() {
    var read =
        read(
            "{started: '2025-11-01T02:00:00Z', servers: [{pod: hb-regionserver-0, uid: u,"
                + " serverName: 's,16020,1', cause: RESTART, step: RETURN,"
                + " since: '2025-11-01T02:00:00Z', cancelled: DRAIN_TIMED_OUT, "
                + TIMES
                + "}]}");
    assertThat(read.restarts().get(0).cancelled())
        .contains(ServerRestart.Cancellation.DRAIN_TIMED_OUT);
    assertThat(RolloutStatuses.read(RolloutStatuses.of(read, null, null))).isEqualTo(read);
  }

  /** A status has the times of each server that is being restarted. */
  @Test
  void timesOfStepsThatAreNotOverAreAbsent() {
    var serialization = new KubernetesSerialization();
    var times = new RolloutStatus.Times(1000, 0, 0, 0);

    var json = serialization.asJson(times);

    assertThat(json).isEqualTo("{\"drainMillis\":1000}");
    assertThat(serialization.unmarshal(json, RolloutStatus.Times.class)).isEqualTo(times);
  }

  /** {@code kubectl describe} prints each element on a line, and a server may have hundreds. */
  @ParameterizedTest
  @CsvSource({
    "[], []",
    "[a], [a]",
    "'[a, b, c]', [a b c]",
    "'[a b, null, c, \"\"]', [a b c]",
  })
  void regionsOfAServerAreOneElement(String stored, String written) {
    var serialization = new KubernetesSerialization();
    var server = "{\"pod\":\"p\",\"regions\":%s}";

    var read =
        serialization.unmarshal(server.formatted(quoted(stored)), RolloutStatus.Server.class);

    assertThat(read.regions()).doesNotContain("a b", "").doesNotContainNull();
    assertThat(serialization.asJson(read)).isEqualTo(server.formatted(quoted(written)));
  }

  private static String quoted(String names) {
    return names.replaceAll("\\b(?!null)[a-z][a-z ]*", "\"$0\"");
  }

  /** A pass that failed for it would fail each time, and the rollout could not end. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{started: X, notBefore: X, canary: {pod: p, since: X}, master: {pod: p, since: X}}",
        "{started: X, passed: [{pod: p, since: X}, {since: X}]}",
        "{started: X, servers: [{pod: p, uid: u, cause: Restart, step: Start, since: X}]}",
        "{started: X, servers: [{pod: p, uid: u, cause: Restart, step: Start}]}",
        "{started: X, servers: [{pod: p, cause: Restart, step: Start, since: X}]}",
        "{started: X, servers: [{uid: u, cause: Restart, step: Start, since: X}]}",
        "{started: X, servers: [{pod: p, uid: u, cause: Restart, step: Drain, since: X,"
            + " emptyAt: X}]}",
      })
  void whatIsNoTimeFailsNoPass(String yaml) {
    for (var time :
        List.of("'2025-11-01T02:00:00Z'", "yesterday", "''", "'+1000000000-12-31T23:59:59Z'")) {
      var rollout = read(yaml.replace("X", time));

      assertThat(rollout.restarts())
          .allSatisfy(it -> assertThat(it.since().plus(Duration.ofDays(9999))).isNotNull());
      assertThat(RolloutStatuses.read(RolloutStatuses.of(rollout, null, null))).isEqualTo(rollout);
      if (!time.startsWith("'2025")) {
        assertThat(rollout.canary()).isEmpty();
        assertThat(rollout.master()).isEmpty();
        assertThat(rollout.passed()).isEmpty();
        assertThat(rollout.restarts())
            .allSatisfy(it -> assertThat(it.step()).isEqualTo(ServerRestart.Step.RETURN));
      }
    }
  }

  /** An operator that is upgraded in the middle of a rollout continues it. */
  @Test
  void constantsOfTheVersionBeforeAreReadAndWrittenInCamelCase() {
    for (ServerRestart.Step step : ServerRestart.Step.values()) {
      for (ServerRestart.Cause cause : ServerRestart.Cause.values()) {
        var fields =
            "{started: '2025-11-01T02:00:00Z', servers: [{pod: hb-regionserver-0, uid: u,"
                + " serverName: 's,16020,1', cause: %s, step: %s, cancelled: %s,"
                + " since: '2025-11-01T02:00:00Z', regions: [a, b], "
                + TIMES
                + "}], finished: [{pod: hb-regionserver-1, cause: %s, outcome: %s, regions: 1,"
                + " drainMillis: 1000, stopMillis: 1000, startMillis: 1000, returnMillis: 1000}]}";
        var before =
            read(fields.formatted(cause, step, "NOT_WANTED", "POD_DELETED", "DRAIN_TIMED_OUT"));
        var restart = before.restarts().get(0);
        assertThat(restart.step()).isEqualTo(step);
        assertThat(restart.cause()).isEqualTo(cause);
        assertThat(restart.cancelled()).contains(ServerRestart.Cancellation.NOT_WANTED);
        assertThat(restart.regions()).contains(List.of("a", "b"));
        assertThat(before.finished().get(0).outcome()).isEqualTo(Rollout.Outcome.DRAIN_TIMED_OUT);

        var now =
            fields.formatted(
                RolloutStatuses.text(cause),
                RolloutStatuses.text(step),
                "NotWanted",
                "PodDeleted",
                "DrainTimedOut");
        assertThat(read(now)).isEqualTo(before);
        var written = RolloutStatuses.of(before, null, null);
        assertThat(written.servers().get(0).cancelled()).isEqualTo("NotWanted");
        assertThat(written.servers().get(0).step()).isEqualTo(RolloutStatuses.text(step));
        assertThat(written.finished().get(0).cause()).isEqualTo("PodDeleted");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cause: NEW, step: DRAIN",
        "cause: RESTART, step: NEW",
        "step: DRAIN",
        "cause: RESTART",
      })
  void restartWithUnknownCauseOrStepGivesTheServerItsRegionsBack(String what) {
    var read =
        read(
            "{started: '2025-11-01T02:00:00Z', balancer: true, normalizer: true, servers: [{"
                + "pod: hb-regionserver-0, uid: u, serverName: 's,16020,1', "
                + what
                + ", since: '2025-11-01T02:00:00Z', "
                + TIMES
                + "}]}");
    var restart = read.restarts().get(0);
    assertThat(restart.server()).isEqualTo("s,16020,1");
    assertThat(restart.step()).isEqualTo(ServerRestart.Step.RETURN);
    assertThat(restart.cancelled()).contains(ServerRestart.Cancellation.NOT_WANTED);
    assertThat(read.before()).contains(new Rollout.Switches(true, true));
  }

  @Test
  void unknownFieldsCancellationsAndOutcomesAreAbsent() {
    var read =
        read(
            "{started: '2025-11-01T02:00:00Z', servers: [{pod: hb-regionserver-0, uid: u,"
                + " serverName: 's,16020,1', cause: RESTART, step: RETURN, gaveUp: true,"
                + " since: '2025-11-01T02:00:00Z', cancelled: NEW, "
                + TIMES
                + "}], finished: [{pod: hb-regionserver-1, cause: RESTART, outcome: GAVE_UP,"
                + " regions: 1, drainMillis: 1000, stopMillis: 1000, startMillis: 1000,"
                + " returnMillis: 1000}]}");
    assertThat(read.restarts().get(0).cancelled()).isEqualTo(Optional.empty());
    assertThat(read.finished()).isEmpty();
  }

  /** An API server whose definition is of the version before returns its fields. */
  @Test
  void secondsOfTheVersionBeforeAreIgnored() {
    var read =
        read(
            "{started: '2025-11-01T02:00:00Z', servers: [{pod: hb-regionserver-0, uid: u,"
                + " serverName: 's,16020,1', cause: Restart, step: Start,"
                + " since: '2025-11-01T02:00:00Z',"
                + " times: {drain: 1.5, stop: 0, start: 0, bringBack: 0}}],"
                + " finished: [{pod: hb-regionserver-1, cause: Restart, outcome: Restarted,"
                + " regions: 1, drainSeconds: 7.5, stopSeconds: 1, startSeconds: 20.125,"
                + " returnSeconds: 1}]}");

    assertThat(read.restarts().get(0).times().drain()).isZero();
    assertThat(read.finished().get(0).times().start()).isZero();
  }

  @Test
  void canaryIsReadAndWritten() {
    var read =
        read(
            "{started: '2025-11-01T02:00:00Z', canary: {group: '', pod: hb-regionserver-2,"
                + " since: '2025-11-01T02:00:00Z', uid: u, restarts: 3,"
                + " unlisted: '2025-11-01T02:01:00Z',"
                + " unreported: '2025-11-01T02:02:00Z', again: '2025-11-01T02:01:30Z', nodeLosses: 1}}");

    var canary = read.canary().get();
    assertThat(canary.restarts()).isEqualTo(3);
    assertThat(canary.nodeLosses()).isEqualTo(1);
    assertThat(canary.unlisted()).contains(canary.since().plusSeconds(60));
    assertThat(canary.unreported()).contains(canary.since().plusSeconds(120));
    assertThat(canary.again()).contains(canary.since().plusSeconds(90));
    assertThat(RolloutStatuses.read(RolloutStatuses.of(read, List.of(), null))).isEqualTo(read);
  }

  /** It counted the restarts of sidecars too. */
  @Test
  void comparisonOfTheVersionBeforeBeginsAnew() {
    var read =
        read(
            "{started: '2025-11-01T02:00:00Z', canary: {group: '', pod: hb-regionserver-2,"
                + " since: '2025-11-01T02:00:00Z', uid: u, restarts: 3}}");

    assertThat(read.canary().get().uid()).isEmpty();
    assertThat(read.canary().get().nodeLosses()).isZero();
  }

  @Test
  void timesAreReadAndWrittenInMilliseconds() {
    var fields = "times: {drainMillis: 1500, stopMillis: 2, startMillis: 0, returnMillis: 0}";
    var read =
        read(
            "{started: '2025-11-01T02:00:00Z', servers: [{pod: hb-regionserver-0, uid: u,"
                + " serverName: 's,16020,1', cause: Restart, step: Start,"
                + " since: '2025-11-01T02:00:00Z', "
                + fields
                + "}]}");

    assertThat(read.restarts().get(0).times().drain()).hasMillis(1500);
    assertThat(RolloutStatuses.of(read, null, null).servers().get(0).times())
        .isEqualTo(new RolloutStatus.Times(1500, 2, 0, 0));
  }

  @Test
  void missingTimesAreZero() {
    var read =
        read(
            "{started: '2025-11-01T02:00:00Z', servers: [{pod: hb-regionserver-0, uid: u,"
                + " serverName: 's,16020,1', cause: Restart, step: Start,"
                + " since: '2025-11-01T02:00:00Z'}]}");

    assertThat(read.restarts().get(0).times().drain()).isZero();
  }

  /** A field that another writer set stays behind when the operator removes the rest. */
  @Test
  void remaindersOfARolloutAreAbsent() {
    var read =
        read(
            "{started: '2025-11-01T02:00:00Z', canary: {since: '2025-11-01T02:00:00Z'},"
                + " master: {pod: hb-master-0}}");
    assertThat(read.canary()).isEmpty();
    assertThat(read.master()).isEmpty();

    assertThat(
            RolloutStatuses.read(cluster("{canary: {since: '2025-11-01T02:00:00Z'}}").getStatus()))
        .isEmpty();
  }

  private static Rollout read(String rollout) {
    return RolloutStatuses.read(cluster(rollout).getStatus()).orElseThrow();
  }

  private static HBaseCluster cluster(String rollout) {
    return new KubernetesSerialization()
        .unmarshal("status: {takenBack: [], rollout: " + rollout + "}", HBaseCluster.class);
  }
}
