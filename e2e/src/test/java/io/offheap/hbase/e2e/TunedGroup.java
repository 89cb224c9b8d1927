package io.offheap.hbase.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.offheap.hbase.e2e.RolloutCluster.Pod;
import io.offheap.hbase.operator.tune.Rules;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BinaryOperator;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The region servers of a cluster as tuning sees them. */
record TunedGroup(Kubectl kubectl, RolloutCluster cluster) {
  static final String COUNT = "hbase.server.allocator.max.buffer.count";
  static final String POOL = "PoolTooSmall";
  static final String SIZE = "hbase.server.allocator.buffer.size";
  static final Duration ROLLOUT_WITHIN = Duration.ofMinutes(8);
  private static final Duration TRIED_WITHIN = Duration.ofMinutes(20);

  /**
   * What the allocators of all its servers handed out over a time.
   *
   * @param bytes bytes
   * @param missed requests that found the pool empty
   * @param multiple blocks that took several buffers
   */
  record Handed(RegionServerPod.AllocatedBytes bytes, long missed, long multiple) {}

  /**
   * What the collectors of all its servers did over a time.
   *
   * @param markings starts of marking
   * @param mixed mixed collections
   * @param all collections of a young generation, mixed ones included
   * @param pauseMicros the pauses of these
   * @param early collections that promoted what had survived one only
   * @param backToBack mixed collections within a second after another
   */
  record Collections(
      long markings, long mixed, long all, long pauseMicros, long early, long backToBack) {}

  /** What tuning has come to. */
  JsonNode status() {
    return cluster.resource().path("status").path("tuning").path("groups").path(0);
  }

  /** What waits for a person's approval; a missing node where nothing does. */
  JsonNode recommendation() {
    return status().path("recommendation");
  }

  /** Approves what waits for it. */
  void approve(JsonNode recommendation) {
    kubectl.output(
        "annotate",
        "--overwrite",
        "hbc",
        cluster.name(),
        "hbase.offheap.io/apply-tuning=" + recommendation.required("id").asText());
  }

  /** What was done and by which rule, the first at the beginning. */
  List<String> history() {
    var history = new ArrayList<String>();
    status()
        .path("history")
        .forEach(it -> history.add(it.path("event").asText() + " " + it.path("rule").asText()));
    return history;
  }

  /** The newest entry of its history. */
  JsonNode lastEntry() {
    var history = status().path("history");
    return history.path(history.size() - 1);
  }

  /** Switches tuning, with these rules and no others. */
  void tune(String mode, String... rules) {
    var disabled =
        Rules.all().names().stream()
            .filter(it -> !List.of(rules).contains(it))
            .map(it -> '"' + it + '"')
            .toList();
    cluster.patch(
        "{\"spec\":{\"tuning\":{\"mode\":\"%s\",\"disabledRules\":%s}}}".formatted(mode, disabled));
  }

  /** Waits until its newest entries are these, as {@link #history} has them. */
  void awaitHistory(String... entries) {
    await(String.join(", ", entries))
        .atMost(TRIED_WITHIN)
        .pollInterval(Duration.ofSeconds(2))
        .ignoreException(IllegalStateException.class)
        .untilAsserted(() -> assertThat(history()).endsWith(entries));
  }

  /** Waits until every server runs with such a plan, and nothing is under way. */
  void awaitRunning(String key, String value) {
    await(key + " " + value)
        .atMost(ROLLOUT_WITHIN)
        .pollInterval(Duration.ofSeconds(2))
        .ignoreException(IllegalStateException.class)
        .until(
            () ->
                planned(key).equals(value)
                    && running(key).values().stream().allMatch(value::equals));
    awaitQuiet(key + " " + value);
  }

  /** Waits until nothing is under way. */
  void awaitQuiet(String what) {
    await(what)
        .atMost(ROLLOUT_WITHIN)
        .pollInterval(Duration.ofSeconds(1))
        .ignoreException(IllegalStateException.class)
        .until(
            () ->
                cluster.rollout().isMissingNode()
                    && kubectl.condition(cluster.name(), "Progressing").startsWith("False")
                    && cluster.pods("regionserver").values().stream().allMatch(Pod::isReady));
  }

  /** The planned value of a setting. */
  String planned(String key) {
    return kubectl.planned(cluster.name(), key).path("value").asText();
  }

  /** Values of a property that the servers run with, by pod. */
  Map<String, String> running(String key) {
    var running = new TreeMap<String, String>();
    servers().forEach(it -> running.put(it.name(), it.configuration().get(key)));
    return running;
  }

  List<RegionServerPod> servers() {
    return cluster.pods("regionserver").keySet().stream()
        .map(it -> new RegionServerPod(kubectl, it))
        .toList();
  }

  /**
   * Puts values and a change that is being tried in the place of what tuning remembers, as if it
   * had chosen them. Written again where a reconciliation of the operator that had begun before
   * wrote over it.
   *
   * @param values by key, and their rule
   * @param trial JSON; empty for none
   */
  void remember(Map<String, String> values, String rule, String trial) {
    var json =
        values.entrySet().stream()
            .map(
                it ->
                    "{\"key\":\"%s\",\"value\":\"%s\",\"rule\":\"%s\"}"
                        .formatted(it.getKey(), it.getValue(), rule))
            .collect(Collectors.joining(","));
    var patch =
        """
        {"status": {"tuning": {"groups": [
          {"name": "", "message": "", "values": [%s], "rules": [], "history": [],
           "restarts": [], "trials": 0%s}]}}}
        """
            .formatted(json, trial);
    patchStatus(patch);
    // Nothing may write over it for as long as a reconciliation takes that began before.
    await("what tuning remembers")
        .atMost(Duration.ofMinutes(2))
        .during(Duration.ofSeconds(2))
        .until(
            () -> {
              boolean isThere = status().path("values").size() == values.size();
              if (!isThere) {
                patchStatus(patch);
              }
              return isThere;
            });
  }

  private void patchStatus(String patch) {
    kubectl.output(
        "patch", "hbc", cluster.name(), "--subresource=status", "--type=merge", "-p", patch);
  }

  /** A bad change in the state directly after it was made. */
  static String trial(String rule, Map<String, String> values) {
    var json =
        values.entrySet().stream()
            .map(it -> "\"%s\":\"%s\"".formatted(it.getKey(), it.getValue()))
            .collect(Collectors.joining(","));
    return """
    , "trial": {"rule": "%s", "values": {%s}, "before": [], "baseline": {"symptomPerMillion": 0},
      "phase": "Rolling", "since": "%s"}
    """
        .formatted(rule, json, Instant.now());
  }

  /** What all servers' allocators hand out from now on, over a time. */
  Handed handedOut(Duration time) throws InterruptedException {
    return over(
        time,
        this::handed,
        (after, before) ->
            new Handed(
                after.bytes().minus(before.bytes()),
                after.missed() - before.missed(),
                after.multiple() - before.multiple()));
  }

  /** Counts twice. No server may end in between: its counters would begin anew. */
  private <T> T over(Duration time, Supplier<T> counted, BinaryOperator<T> minus)
      throws InterruptedException {
    var processes = processes();
    var before = counted.get();
    // Time is the subject: what is counted is what happens in it.
    TimeUnit.MILLISECONDS.sleep(time.toMillis());
    var after = counted.get();
    assertThat(processes()).as("processes of the region servers").isEqualTo(processes);
    return minus.apply(after, before);
  }

  private Map<String, String> processes() {
    var processes = new TreeMap<String, String>();
    cluster
        .pods("regionserver")
        .forEach((name, pod) -> processes.put(name, pod.uid() + " " + pod.restarts()));
    return processes;
  }

  private Handed handed() {
    var all = new Handed(new RegionServerPod.AllocatedBytes(0, 0), 0, 0);
    for (RegionServerPod server : servers()) {
      var observed = server.observed();
      all =
          new Handed(
              all.bytes()
                  .plus(
                      new RegionServerPod.AllocatedBytes(
                          observed.required("AllocatorHeapBytes").asLong(),
                          observed.required("AllocatorPoolBytes").asLong())),
              all.missed() + observed.required("AllocatorPoolEmptyCount").asLong(),
              all.multiple() + observed.required("AllocatorMultiBufferCount").asLong());
    }
    return all;
  }

  /** What all servers' collectors do from now on, over a time. */
  Collections collections(Duration time) throws InterruptedException {
    return over(
        time,
        this::collections,
        (after, before) ->
            new Collections(
                after.markings() - before.markings(),
                after.mixed() - before.mixed(),
                after.all() - before.all(),
                after.pauseMicros() - before.pauseMicros(),
                after.early() - before.early(),
                after.backToBack() - before.backToBack()));
  }

  private Collections collections() {
    var kinds = List.of("GcNormal", "GcConcurrentStart", "GcPrepareMixed", "GcMixed");
    var sums = new TreeMap<String, Long>();
    for (RegionServerPod server : servers()) {
      server
          .observed()
          .properties()
          .forEach(it -> sums.merge(it.getKey(), it.getValue().asLong(), Long::sum));
    }
    return new Collections(
        sums.get("GcConcurrentStartCount"),
        sums.get("GcMixedCount"),
        kinds.stream().mapToLong(it -> sums.get(it + "Count")).sum(),
        kinds.stream().mapToLong(it -> sums.get(it + "PauseMicros")).sum(),
        sums.get("SurvivorOverflowCount"),
        sums.get("MixedBackToBackCount"));
  }
}
