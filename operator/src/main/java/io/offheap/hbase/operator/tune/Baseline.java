package io.offheap.hbase.operator.tune;

import java.util.OptionalDouble;

/**
 * The metrics by which a change is judged; empty where a metric is missing.
 *
 * @param symptom {@link Rule#symptom} of the rule: a share, 0 to 1
 * @param peers the symptom of the servers that run without the change
 * @param traffic bytes a second that an allocator handed out, as the mean of the servers
 * @param pauses share of the time in collections, of the server with the highest
 * @param callP99Millis 99th percentile of the calls' time in the server with the highest
 */
public record Baseline(
    OptionalDouble symptom,
    OptionalDouble peers,
    OptionalDouble traffic,
    OptionalDouble pauses,
    OptionalDouble callP99Millis) {
  static Baseline of(Rule rule, Evidence evidence) {
    var traffic =
        evidence.servers().stream()
            .mapToDouble(
                it ->
                    it.perSecond(Metric.ALLOCATOR_POOL_BYTES).orElse(0)
                        + it.perSecond(Metric.ALLOCATOR_HEAP_BYTES).orElse(0))
            .filter(it -> it > 0)
            .average();
    return new Baseline(
        rule.symptom(evidence),
        rule.symptom(evidence.ofPeers()),
        traffic,
        evidence.worst(Pauses::share),
        evidence.worst(CallTimes::p99Millis));
  }
}
